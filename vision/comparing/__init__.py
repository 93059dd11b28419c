"""Candidates held against the rest of their picture: dyes, shadows, and gaps that look like the floor.

A look sees one place; these see that ten others look alike. Candidates in, other probabilities out.
"""
