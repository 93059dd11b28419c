"""Cameras, and what can stand in for one, behind one small protocol: `open_source(spec).read()`.

Here are USB cameras, phones and network cameras by URL, videos, folders; reconnecting; stream health. A
camera's trouble is a value (`trouble`), and never ends the program.
"""

from vision.sources.frame import Frame, FrameSource
from vision.sources.lightlock import LockState
from vision.sources.spec import open_source
from vision.sources.watch import StreamWatch

__all__ = ["Frame", "FrameSource", "LockState", "StreamWatch", "open_source"]
