"""Black cubes that look just like a dark floor: how many there may be, those that are seen tell.

A black cube's upper face is a little brighter or darker than black plastic, by its dye, by how it is turned
to the lamp and by shadow. Where the faces that are seen lie about the floor's own level, others lie on it.
"""

from collections.abc import Sequence
from math import erf, sqrt

import cv2
import numpy as np
import numpy.typing as npt

from vision.finding.candidates import Candidate
from vision.levels import DARK, quantile
from vision.palette import Palette
from vision.pictures import Picture
from vision.scene.rectify import Rectified

_ALIKE = 0.1
"""Of the floor's level: a face that differs from it by less cannot be told from it."""
_SPREAD = 0.12
"""Of the floor's level: how far faces of one tray differ from each other, as two cubes more would."""
_LOST, _LOST_ALIKE = 0.0004, 0.0042
"""Black cubes that no network names, to one that is seen; the second times the share that is alike.

Before faint places were looked at (`vision.finding.faint`) it was four times that. Beside 3,630 black cubes
that were seen in the dark trays of 2,535 pictures eight lay of which no such place told either; this asks for
seven."""
_FACE, _AROUND, _ITSELF = 0.28, 2.5, 0.9
"""Edges: half side of a face, of the surroundings; radius of what is no floor."""
_LEAST_FLOOR = 10.0
"""Level below which shares of it mean nothing."""
_SPARSE = 2
"""One pixel of so many, across and down, tells the floor's level."""
_ENOUGH_PX = 8

Grey = npt.NDArray[np.float32]


def lost_on_floor(flat: Rectified, found: Sequence[Candidate], palette: Palette) -> float:
    """How many black cubes look like the floor, in the mean.

    0 on light floors, without black cubes, and where the empty tray is known (`vision.finding.lifted`).
    """
    if "black" not in palette.colours or flat.change is not None or flat.level >= DARK:
        return 0.0
    name = palette.colours.index("black")
    black = [one for one in found if one.colour_index == name and one.presence > 0.5 and not one.under]
    if not black:
        return 0.0
    shares = _contrasts(flat, found, black)
    spread = float(np.sqrt((np.sum((shares - shares.mean()) ** 2) + 2 * _SPREAD**2) / (len(shares) + 2)))
    alike = _below((_ALIKE - shares.mean()) / spread) - _below((-_ALIKE - shares.mean()) / spread)
    return len(black) * (_LOST + _LOST_ALIKE * alike)


def _contrasts(flat: Rectified, found: Sequence[Candidate], black: Sequence[Candidate]) -> Grey:
    """(N,) by how much of the floor's level about them N faces differ from it."""
    grey = np.asarray(cv2.cvtColor(flat.image, cv2.COLOR_BGR2GRAY), np.uint8)
    free = flat.floor().copy()
    for one in found:
        x, y = (round(v) for v in one.centre_px)
        cv2.circle(free, (x, y), round(_ITSELF * one.edge_px), 0, -1)
    contrasts = []
    for one in black:
        about, open_ = (_square(of, one, _AROUND)[::_SPARSE, ::_SPARSE] for of in (grey, free))
        enough = np.count_nonzero(open_) > _ENOUGH_PX
        floor = _median(
            about[open_ > 0] if enough else grey[::_SPARSE, ::_SPARSE][free[::_SPARSE, ::_SPARSE] > 0]
        )
        face = _median(np.ravel(_square(grey, one, _FACE)))
        contrasts.append((face - floor) / max(_LEAST_FLOOR, floor))
    return np.array(contrasts, np.float32)


def _square(of: Picture, one: Candidate, edges: float) -> Picture:
    x, y = (round(v) for v in one.centre_px)
    reach = round(edges * one.edge_px)
    return of[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]


def _median(levels: npt.NDArray[np.uint8]) -> float:
    return float(quantile(levels, 0.5)) if len(levels) else 0.0


def _below(deviations: float) -> float:
    """Share of a normal distribution."""
    return 0.5 * (1 + erf(deviations / sqrt(2)))
