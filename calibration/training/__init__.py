"""Trains the cube detector on synthetic pictures and writes `vision/data/cubes.onnx`.

Needs torch and onnx, which Tenshu itself never does: `pip install torch onnx`. What it takes is shown
without them: `python -m calibration.training --help`.
"""
