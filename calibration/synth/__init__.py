"""Synthetic tray pictures with known truth: for tests, for the demo, for training.

A lightweight renderer in numpy and OpenCV for what a cheap webcam above a cube-tower tray sees, varied enough
that real tables fall within its range. Colours are linear BGR and lengths millimetres on the mat (x right, y
towards the person, z up), until `sensor` turns light into a picture.
"""

from calibration.synth.render import render
from calibration.synth.scene import Options

__all__ = ["Options", "render"]
