"""Just the tower: any colours, any numbers, the counter and the log alone, for other cube-tower games."""
