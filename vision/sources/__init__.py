"""Cameras and what can stand in for one, behind one small protocol: `open_source(spec).read()`.

What lives here: USB cameras, phones and network cameras by URL, films, folders; reconnecting; stream health.
A camera's trouble is a value (`trouble`), never the end of the program.
"""

from vision.sources.frame import Frame, FrameSource
from vision.sources.lightlock import LockState
from vision.sources.spec import open_source
from vision.sources.watch import StreamWatch

__all__ = ["Frame", "FrameSource", "LockState", "StreamWatch", "open_source"]
