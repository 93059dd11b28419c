"""Path-traced pictures with known truth, in the format of `calibration.synth`: an extra for training.

Draws its scenes with `calibration.synth.sample`, drops the cubes in a rigid-body simulation and renders with
Cycles. Needs `bpy` (Blender as a module), which nothing else does; docs/training.md says how to get it.
"""
