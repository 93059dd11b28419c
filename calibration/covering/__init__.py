"""The network that sees what covers a tray: what it learns from, and how (see docs/training.md)."""
