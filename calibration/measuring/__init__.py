"""How good a reader is: pictures with known truth in, figures out. The reader gets only the pixels."""
