"""Synthetic tray pictures with known truth: for tests, for the demo, for training.

A light renderer in numpy and OpenCV: what a cheap webcam above a cube-tower tray sees, wide enough that
real tables lie inside what it draws. Colours are linear BGR, lengths millimetres on the mat (x right, y
towards the person, z up), until `sensor` turns light into a picture.
"""

from calibration.synth.render import render
from calibration.synth.scene import Options

__all__ = ["Options", "render"]
