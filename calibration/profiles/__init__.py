"""What is particular to one table: learned from pictures, stored as a file, compared with the table now."""
