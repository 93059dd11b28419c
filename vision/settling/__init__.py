"""Many pictures of one tray: when it has come to rest, and what the frames of that rest say together."""
