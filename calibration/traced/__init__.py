"""Path-traced pictures with known truth, in the format of `calibration.synth`: an extra for training.

Draws its scenes with `calibration.synth.sample`, drops the cubes with rigid bodies, and lets Cycles follow
the light. Needs `bpy` (Blender as a module), which nothing else does; see docs/training.md for how to get it.
"""
