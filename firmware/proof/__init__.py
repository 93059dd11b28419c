"""What the board's machine code can do, measured on the simulated chip: `python -m firmware.proof`."""
