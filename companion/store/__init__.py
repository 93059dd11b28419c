"""Persistence: events in SQLite, evidence pictures, undo, export."""
