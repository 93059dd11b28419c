"""Train the cube detector on synthetic pictures and write `vision/data/cubes.onnx`.

Needs torch and onnx, which Tenshu itself never does: `pip install torch onnx`. The options can be listed
without them: `python -m calibration.training --help`.
"""
