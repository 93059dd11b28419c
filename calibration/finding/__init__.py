"""Trains the tray finder (`vision.scene.locator`) on rendered pictures: `python -m calibration.finding`.

Needs PyTorch, which nothing else does; see docs/training.md for how to get it.
"""
