"""Geometry of the printed mat: the single source that the PDF, the detector and the tests share.

Millimetres on the sheet, from its centre: x to the right, y down (towards the person, away from the tower).
The tray stands in the middle, the tower behind it towards the edge with markers 0 and 1.
"""

from collections.abc import Iterable
from dataclasses import dataclass

MARKER_DICTIONARY = 0
"""`cv2.aruco.DICT_4X4_50` as a number: the web process draws mats but starts without OpenCV."""
MARKER_MM = 25.0
"""Edge of a marker's black square."""
MARKER_CENTRES_MM: tuple[tuple[float, float], ...] = (
    (-120.0, -90.0),
    (120.0, -90.0),
    (120.0, 90.0),
    (-120.0, 90.0),
)
"""Centres of markers 0, 1, 2, 3: clockwise from the top left."""
PATCH_MM = 12.0
PATCH_PITCH_MM = 16.0


@dataclass(frozen=True, slots=True)
class Patch:
    """One printed colour patch: where it lies and what it should look like under white light."""

    name: str
    srgb: tuple[int, int, int]
    centre_mm: tuple[float, float]


_PRINTED: tuple[tuple[str, tuple[int, int, int]], ...] = (
    ("white", (255, 255, 255)),
    ("grey50", (128, 128, 128)),
    ("grey20", (51, 51, 51)),
    ("red", (200, 30, 35)),
    ("yellow", (240, 205, 20)),
    ("green", (20, 130, 60)),
    ("blue", (30, 80, 160)),
    ("magenta", (165, 50, 120)),
)

PATCHES: tuple[Patch, ...] = tuple(
    Patch(name, srgb, (120.0, PATCH_PITCH_MM * (i - (len(_PRINTED) - 1) / 2)))
    for i, (name, srgb) in enumerate(_PRINTED)
)
"""The patches in a column centred between markers 1 and 2, from top to bottom."""


def unseen_markers(seen: Iterable[int]) -> tuple[int, ...]:
    """Return the ids of the mat's markers that are not among `seen`."""
    return tuple(sorted({*range(len(MARKER_CENTRES_MM))} - {*seen}))


def marker_corners_mm(marker: int) -> tuple[tuple[float, float], ...]:
    """Return the corners of a marker's black square in OpenCV's order, clockwise from its top left."""
    x, y = MARKER_CENTRES_MM[marker]
    half = MARKER_MM / 2
    return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
