"""Measures what the board's machine code achieves on the simulated chip: `python -m firmware.proof`."""
