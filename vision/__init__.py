"""Frames in, `TrayReading` out.

The subpackages in the order a picture passes through them: `sources` (a camera's frames), `settling` (when
the tray is at rest), `scene` (the floor rectified under white light), `finding` (where cubes may be),
`comparing` (candidates checked against each other), `counting` (the odds of each number), `doubting`
(certain, or ask); `reader` runs them. This package must not know games, the web or the serial port.
"""

import os

# ONNX Runtime stores an id for this device and looks for a telemetry server. It reads this variable when it
# is loaded, so this line precedes everything else in the package and overrides the caller's environment.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

MOST_PIXELS = 200_000_000
"""More than any phone's photo has; a few kilobytes can claim to be a picture of gigabytes."""
# OpenCV, too, reads its limit when it is loaded; pictures from the network have a lower one.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))
# We say in one sentence what OpenCV writes about cameras and files on stderr; set it to see OpenCV's words.
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
