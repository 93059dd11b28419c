"""Draws the map of the 45 provinces from positions and borders alone; knows no game state and no web.

`python -m companion.web.mapmaking` rewrites `companion/web/static/japan.json`, always with the same bytes.
"""
