"""Trays that reach beyond the picture: cubes out there are not seen.

What the thresholds cost and gain is in `docs/trials/certainty.md` (*Trays that the picture cuts*).
"""

import numpy as np

from vision.scene.plane import project
from vision.scene.tray import Tray

_BEYOND_MM = 1.0
"""How far a floor may reach beyond the picture where its edge is known; otherwise half of the edge's
uncertainty."""
_WALL_MM, _WALL_SHOWS = 12.0, 0.6
"""Width of the wall about the floor, and certainty, of a tray that was found without a mat: where both are
smaller, the tray may go on beyond the picture that it was fitted into."""
_TRAY_SHOWS, _BESIDE_MARKERS = 0.3, 0.45
"""Certainty below which a tray is not wholly in the picture, without the mat and with one or two markers: of
63 such trays that are whole one has less than 0.55; of those that were cut by an eighth and misread all have
less than 0.4. Without a mat clear trays on felt have as little."""


def is_cut(tray: Tray, size_px: tuple[int, int], *, mat_seen: bool) -> bool:
    """Return whether a tray may reach out of the picture in which it was found, `size_px` wide and high.

    `mat_seen`: the mat tells where the tray lies; with three or more markers, or a calibration, the certainty
    is 1.
    """
    if tray.certainty < (_BESIDE_MARKERS if mat_seen else _TRAY_SHOWS):
        return True
    margin_mm = margin_about_floor_mm(tray, size_px)
    if margin_mm < -max(_BEYOND_MM, tray.edge_mm / 2):
        return True
    return not mat_seen and margin_mm < _WALL_MM and tray.certainty < _WALL_SHOWS


def margin_about_floor_mm(tray: Tray, size_px: tuple[int, int]) -> float:
    """Return mm from the floor's outline to the nearest edge of the picture; negative if it lies outside."""
    edge = tray.outline_mm
    outward = edge / np.hypot(*edge.T)[:, None]  # one millimetre outwards
    edge_px = project(edge, tray.to_px)
    px_per_mm = np.hypot(*(project(edge + outward, tray.to_px) - edge_px).T)
    last = np.array(size_px) - 1
    return float((np.minimum(edge_px, last - edge_px).min(axis=1) / px_per_mm).min())
