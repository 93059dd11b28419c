"""Frames in, `TrayReading` out.

What lives here: camera sources, fiducials and rectification, colour, cubes, settling, confidence.
What it must not know: games, web, serial.
"""

import os

# ONNX Runtime keeps a number for this device and looks for a server to tell. It reads this as it is
# loaded: so it stands before all else of this room, whatever whoever started us said of it.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
