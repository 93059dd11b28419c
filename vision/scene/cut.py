"""Trays that go on beyond the picture: cubes fall there unseen.

What the bounds cost and gain is in `docs/trials/certainty.md` (*Trays that the picture cuts*).
"""

import numpy as np

from vision.scene.plane import project
from vision.scene.tray import Tray

_BEYOND_MM = 1.0
"""How far a floor may reach out of the picture, where it is known; else half of how far it may be off."""
_WALL_MM, _WALL_SHOWS = 12.0, 0.6
"""The wall about the floor of a tray that was found by itself, and its certainty: where both are less it may
go on beyond the picture, into which it was fitted."""
_TRAY_SHOWS, _BESIDE_MARKERS = 0.3, 0.45
"""Certainty of a tray below which it is not all in the picture, and the same where one or two markers are: of
63 such trays that are one has less than 0.55, of those that were cut by an eighth and read wrongly all less
than 0.4. Without a mat clear trays on felt have as little."""


def is_cut(tray: Tray, size_px: tuple[int, int], *, mat_seen: bool) -> bool:
    """Whether a tray may reach out of the picture, `size_px` wide and high, in which it was found.

    `mat_seen`: the mat tells where it lies; by its markers or a calibration its certainty is 1.
    """
    if tray.certainty < (_BESIDE_MARKERS if mat_seen else _TRAY_SHOWS):
        return True
    about = about_floor_mm(tray, size_px)
    if about < -max(_BEYOND_MM, tray.edge_mm / 2):
        return True
    return not mat_seen and about < _WALL_MM and tray.certainty < _WALL_SHOWS


def about_floor_mm(tray: Tray, size_px: tuple[int, int]) -> float:
    """Millimetres from the floor's outline to the picture's nearest edge; negative where it lies beyond."""
    edge = tray.outline_mm
    out = edge / np.hypot(*edge.T)[:, None]  # a millimetre outwards
    here = project(edge, tray.to_px)
    px_per_mm = np.hypot(*(project(edge + out, tray.to_px) - here).T)
    last = np.array(size_px) - 1
    return float((np.minimum(here, last - here).min(axis=1) / px_per_mm).min())
