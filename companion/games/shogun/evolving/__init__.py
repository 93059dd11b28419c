"""What each event changes, grouped by what it is about."""
