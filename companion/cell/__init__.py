"""The load cell at a terminal: flashing its board, watching it, weighing cubes."""
