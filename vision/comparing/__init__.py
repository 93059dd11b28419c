"""Candidates compared with the rest of their picture: dyes, shadows, and gaps that look like the floor.

A network's look sees one place; these stages see that ten others look alike. They take candidates and return
them with other probabilities.
"""
