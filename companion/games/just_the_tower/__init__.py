"""Just the tower: any colours and numbers, only the counter and the log, for other cube-tower games."""
