"""Frames in, `TrayReading` out.

The rooms in a picture's order: `sources` (a camera's frames), `settling` (when the tray is at rest), `scene`
(the floor laid flat under white light), `finding` (where cubes may be), `comparing` (candidates held against
each other), `counting` (the odds of each number), `doubting` (certain, or ask); `reader` goes through them.
What it must not know: games, web, serial.
"""

import os

# ONNX Runtime keeps a number for this device and looks for a server to tell. It reads this as it is
# loaded: so it stands before all else of this room, whatever whoever started us said of it.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

MOST_PIXELS = 200_000_000
"""More than any phone's photo; a few kilobytes can claim to be a picture of gigabytes."""
# OpenCV too reads its limit as it is loaded; where pictures come from the network there is a lower one.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))
# What OpenCV says of cameras and files on stderr, we say in a sentence; set it to see its own words.
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
