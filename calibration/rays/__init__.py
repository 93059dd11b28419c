"""Path-traced pictures by the thousand, on a graphics card or on all cores of a processor.

The counterpart of `calibration.traced` without Blender: the same scenes, but a tracer of our own (see
docs/training.md).
"""
