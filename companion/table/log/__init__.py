"""Throws as rows and figures, for whoever studies the tower."""
