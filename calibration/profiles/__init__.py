"""What is particular to one table: learned from its pictures, kept as a file, held against the table now."""
