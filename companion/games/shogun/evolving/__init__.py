"""What each event changes, grouped by topic."""
