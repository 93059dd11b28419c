"""Lamps mirrored in plastic and lacquer: where the camera saw hardly anything but white, a cube may hide."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.finding.candidates import Candidate, usual_edge_px
from vision.levels import every, strongest
from vision.scene.rectify import Rectified

_FULL, _PALE = 253, 222
"""Stored levels of glare: of the strongest channel at least, and of the weakest."""
_SHOWS = 0.35
"""Edges that a cube may reach out of the white and still go unnoticed."""
_NEAR = 4.0
"""Edges about a place within which cubes tell how many lie there."""
_MIRRORS = 0.045
"""Of cubes in the white, those that mirror the lamp as the floor does: lacquered ones that lie flat. Of some
770 readings glare covered the room of 13 cubes, among other cubes, and hid two; of 4,400 later ones, 1,000 of
them path-traced, that of 32 cubes, and hid one at most."""
_STEP = 4


def hidden_by_glare(flat: Rectified, found: Sequence[Candidate]) -> float:
    """How many cubes glare hides, in the mean: 0 where it is smaller than a cube or far from all of them."""
    edge_px = usual_edge_px(found)
    if edge_px is None:
        return 0.0
    edge = edge_px / _STEP
    small = every(flat.stored, _STEP)
    pale = np.asarray(cv2.inRange(small, (_PALE,) * 3, (255,) * 3), np.uint8)
    if not pale.any():  # as in most pictures
        return 0.0
    white = pale & (strongest(small) >= _FULL)
    reach = max(1, round(_SHOWS * edge))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    rows, columns = np.nonzero(cv2.erode(white, disc))
    centres = np.array([one.centre_px for one in found if one.presence > 0.5]) / _STEP
    away = np.hypot(columns[:, None] - centres[:, 0], rows[:, None] - centres[:, 1])
    near = float((away < _NEAR * edge).sum())
    return _MIRRORS * near / (np.pi * (_NEAR * edge) ** 2)
