"""The product without hardware: a camera made of real tray pictures, and a stand-in for the drop sensor.

There are no labels here: the demo chooses a picture, and the real reader says what lies in it.
"""
