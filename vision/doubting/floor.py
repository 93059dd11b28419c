"""Floors that look as cubes do: a tray lined with felt in one of the game's colours hides cubes of it.

The networks pass such cubes over, surely, where a dye differs from the floor by its shadow alone.
"""

from collections.abc import Mapping
from functools import cache

import numpy as np

from vision.doubting.dyes import Dye, looks_of, usual
from vision.finding.detector import COLOURS
from vision.levels import quantile
from vision.palette import Palette
from vision.scene.rectify import Rectified

_SPARSE = 4
_TAUGHT = 0.8
"""Of the floor that looks as the cubes that were shown: on 25 rendered tables 0.62 at most, where white cubes
were seen; 0.9 where none was."""
_USUAL, _GUESSED = 5.0, 2.0
"""Squared Mahalanobis distance of the floor's look from a usual dye's, and where the light is a guess: of 305
labelled trays on the mat none has less, of 126 lined with felt of a dye's colour all but 16. Without the mat
16 of 500 trays have less than 5, in which nothing is hidden, three less than 2; of felt most ask anyway."""
_SHADED = 0.15
"""Standard deviation of the floor's lightness beside the cubes', as its natural logarithm."""
_BLACK = "black"
"""Of black cubes on dark floors more is known (`vision.doubting.unseen`)."""


def colours_of(flat: Rectified, palette: Palette, *, lit: bool) -> tuple[str, ...]:
    """The palette's colours that the floor looks as; of black none is said where the networks know it.

    `lit`: whether white is known, by the mat or by a calibration.
    """
    few = slice(None, None, _SPARSE)
    floor = flat.image[few, few][flat.floor()[few, few] > 0]
    if not len(floor):
        return ()
    if not all(colour in COLOURS for colour in palette.colours):
        return tuple(colour for colour, share in palette.likes(floor).items() if share > _TAUGHT)
    looks = looks_of(np.array([quantile(floor, 0.5)]))
    near = _USUAL if lit else _GUESSED
    return tuple(
        colour
        for colour, dye in _dyes().items()
        if colour in palette.colours and dye.strangeness(looks)[0] < near
    )


@cache
def _dyes() -> Mapping[str, Dye]:
    """A floor is not as light as the cubes on it."""
    return {colour: dye.shaded(_SHADED) for colour, dye in usual().items() if colour != _BLACK}
