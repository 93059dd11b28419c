"""Trains the cube detector on synthetic pictures and writes `vision/data/cubes.onnx`.

Needs torch, which Tenshu itself never does: `pip install torch`, then
`python -m calibration.training --help`.
"""
