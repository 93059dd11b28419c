"""The load cell from a terminal: flashing its board, watching it, weighing cubes."""
