"""From candidates to numbers: the odds of each colour's count, and what ledger and scale say about them."""
