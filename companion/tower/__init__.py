"""The tower: a ledger of where each cube is, statistics of real throws, odds. Pure functions."""
