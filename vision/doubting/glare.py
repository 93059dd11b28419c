"""Lamps mirrored in plastic and lacquer: where the camera saw little but white, a cube may hide."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.finding.candidates import Candidate, usual_edge_px
from vision.levels import strongest_channel, subsample
from vision.pictures import Picture
from vision.scene.plane import Points
from vision.scene.rectify import Rectified

_FULL, _PALE = 253, 222
"""Least stored levels of glare: of the strongest channel, and of the weakest."""
_SHOWS = 0.35
"""How far, in edges, a cube may reach out of the white and still go unnoticed."""
_NEAR = 4.0
"""Radius about a place, in edges, within which cubes tell how many lie there."""
_MIRRORS = 0.02
"""Share of the cubes in the white of which nothing shows: lacquered ones that lie flat below the camera.
Of some 55 that glare had room for among other cubes, in 6,000 readings, it hid none but one whose side
showed."""
_CLOSED = 0.45
"""Radius, in edges, of the closing that decides what the white encloses."""
_LEAST_SIDE, _MOST_SIDE = 0.05, 0.7
"""Range of the area, in faces, of a cube's dark side in the white that its top mirrors: 0.19 for two that
were missed."""
_LEAST_LONG, _MOST_LONG = 0.6, 1.6
"""Range of its length, in edges. A window's bar is longer."""
_ENCLOSED = 0.85
"""Least share of its surroundings that is white."""
_DARK_SIDE = 200
"""Level of the strongest channel that its darkest pixel is below: print that shows through the white is
lighter."""
_SEEN = 0.9
"""Radius, in edges, about a cube that is seen, in which dark sides are its own."""
_ALONE_PX = 20.0
"""Edge of a cube, in pixels, if none is seen."""
_STEP = 4


def hidden_by_glare(flat: Rectified, found: Sequence[Candidate]) -> float:
    """Return the expected number of cubes that glare hides: 0 if the glare is too small or far from all.

    Each dark side in the white that belongs to no cube adds one, wherever it lies.
    """
    small = subsample(flat.stored, _STEP)
    pale = np.asarray(cv2.inRange(small, (_PALE,) * 3, (255,) * 3), np.uint8)
    if not pale.any():  # as in most pictures
        return 0.0
    centres = np.array([one.centre_px for one in found if one.presence > 0.5]).reshape(-1, 2)
    edge_px = usual_edge_px(found) or _ALONE_PX
    dark_sides = float(_count_dark_sides(flat, centres, edge_px))
    is_white = pale & (strongest_channel(small) >= _FULL)
    reduced_edge, centres = edge_px / _STEP, centres / _STEP
    rows, columns = np.nonzero(cv2.erode(is_white, _disc(_SHOWS * reduced_edge)))
    distances = np.hypot(columns[:, None] - centres[:, 0], rows[:, None] - centres[:, 1])
    near_pairs = float((distances < _NEAR * reduced_edge).sum())
    return dark_sides + _MIRRORS * near_pairs / (np.pi * (_NEAR * reduced_edge) ** 2)


def _count_dark_sides(flat: Rectified, centres: Points, edge_px: float) -> int:
    """Count sides of cubes whose tops mirror the lamp: dark strokes as long as a cube amid white."""
    pale = np.asarray(cv2.inRange(flat.stored, (_PALE,) * 3, (255,) * 3), np.uint8)
    level = strongest_channel(flat.stored)
    white = np.where((pale > 0) & (level >= _FULL), np.uint8(1), np.uint8(0))
    enclosed = cv2.morphologyEx(white, cv2.MORPH_CLOSE, _disc(_CLOSED * edge_px)) & (1 - white)
    for x, y in centres:
        cv2.circle(enclosed, (round(x), round(y)), round(_SEEN * edge_px), 0, -1)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(enclosed & flat.floor())
    sides = 0
    for label in range(1, count):
        x, y, width, height, area = (int(value) for value in stats[label])
        if not (
            _LEAST_SIDE < area / edge_px**2 < _MOST_SIDE
            and _LEAST_LONG < np.hypot(width, height) / edge_px < _MOST_LONG
        ):
            continue
        margin = round(_CLOSED * edge_px)
        window = np.s_[max(0, y - margin) : y + height + margin, max(0, x - margin) : x + width + margin]
        stroke = (labels[window] == label).astype(np.uint8)
        rim = cv2.dilate(stroke, _disc(0.15 * edge_px)) > stroke
        sides += bool(level[window][stroke > 0].min() < _DARK_SIDE and white[window][rim].mean() > _ENCLOSED)
    return sides


def _disc(radius_px: float) -> Picture:
    reach = max(1, round(radius_px))
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1,) * 2), np.uint8)
