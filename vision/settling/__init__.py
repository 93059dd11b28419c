"""Several pictures of one tray: when it has come to rest, and what its frames at rest say together."""
