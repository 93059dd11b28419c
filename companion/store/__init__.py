"""Memory: events on SQLite, evidence pictures, undo, export."""
