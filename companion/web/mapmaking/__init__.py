"""Draws the map of the 45 provinces from positions and borders alone; knows no game state and no web.

`python -m companion.web.mapmaking` writes `companion/web/static/japan.json` again, the same bytes every time.
"""
