"""Frames in, `TrayReading` out.

What lives here: camera sources, fiducials and rectification, colour, cubes, settling, confidence.
What it must not know: games, web, serial.
"""
