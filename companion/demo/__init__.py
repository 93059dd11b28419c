"""The product with no hardware: a camera made of real tray pictures, a stand-in for the drop sensor.

No label lives here: the demo chooses which picture falls, and the real reader says what lies in it.
"""
