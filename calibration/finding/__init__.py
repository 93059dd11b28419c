"""Train the tray finder (`vision.scene.locator`) on rendered pictures: `python -m calibration.finding`.

Needs PyTorch and onnx, which Tenshu itself never does; docs/training.md says how to get them.
"""
