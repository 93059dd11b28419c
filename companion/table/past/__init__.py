"""What happened at this table: events folded to the present, told in words, and taken back."""
