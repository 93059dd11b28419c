"""Throws as rows and figures, for those who study the tower."""
