"""Colours, marks and signs of the printed sheet: the same as on the pages in their light theme.

Must agree with `static/tokens.css` and `static/map.css` (colours), `static/cubes.js` (marks) and
`static/mapparts.js` (buildings); `tests/companion/web/test_keepsake.py` compares them.
"""

from typing import Final

PAPER, INK, INK_2, LINE = "#fffaf0", "#1d2233", "#55586a", "#d8ccb4"
SEA, SHORE, BORDER, ROUTE, OUT = "#c9d6d6", "#2c2a2a", "#5b4f42", "#9a2c1c", "#cfcac0"
REGIONS: Final = {
    "brown": "#e3cfae",
    "yellow": "#f3e6b4",
    "red": "#f0cbbb",
    "purple": "#ddd0e2",
    "green": "#cfdfbe",
}
COLOURS: Final = {
    "red": "#c8322f",
    "blue": "#2f63b0",
    "yellow": "#e0b81c",
    "black": "#33393d",
    "purple": "#93408c",
}
MARKS: Final = {
    "blue": "M0-6L6 0 0 6-6 0z",
    "yellow": "M0-5.5L6 5H-6z",
    "black": "M-4.6-4.6h9.2v9.2h-9.2z",
    "purple": "M0-6l1.6 4h4.2L2.4.6l1.3 4.4L0 2.4-3.7 5l1.3-4.4L-5.8-2h4.2z",
}
"""SVG paths; red's mark is a circle of radius 5."""
BUILDINGS: Final = {
    "castle": "M-15 14V2h5v-6h-7l17-11L17-4h-7v6h5v12H4V7h-8v7z",
    "temple": "M-18-8Q0-4 18-8v-5Q0-10-18-13zM-12-6h5v20h-5zM7-6h5v20H7zM-14 0h28v4h-28z",
    "theatre": "M-15-12Q0-17 15-12V1Q13 13 0 16-13 13-15 1zM-9-5v4h6v-4zm12 0v4h6v-4zM-7 5Q0 12 7 5z",
}
REVOLT: Final = "M0-18Q3-8 10-4 16 2 13 9 10 16 0 16-10 16-13 9-15 1-8-5-7 1-3 2-6-8 0-18z"
DASHES: Final[dict[str, tuple[float, ...]]] = {
    "red": (),
    "blue": (7, 3),
    "yellow": (2, 2.5),
    "black": (10, 3, 2, 3),
    "purple": (4, 4),
}
"""Dashes of the lines in the chart, so that none is told apart by its colour alone."""
