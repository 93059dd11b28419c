"""Training of the network that sees what covers a tray (see docs/training.md)."""
