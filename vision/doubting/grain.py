"""Black cubes in the grain of a dark floor: they differ from it by a few levels, as its grain does."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.finding.candidates import Candidate
from vision.levels import DARK
from vision.palette import Palette
from vision.scene.rectify import Rectified

_FROM, _FULL, _MOST = 10.0, 20.0, 0.4
"""Grain of the floor (standard deviation in levels) above which networks lose black cubes, at which they lose
most, and the share lost then. Cameras alone hardly get there: of 120 dark trays of 4 to 9 levels in which no
black cube was seen none held one. With more grain added to 200 dark trays (a script) sure readings had missed
one in 2 of 123 with 9 to 12 levels, in 9 of 94 up to 16, in 3 of 13 above."""
_ANY, _SOME_GRAIN = 0.003, 0.0125
"""Expected number of black cubes that no network names if others are seen, and what the first level of grain
above `_LITTLE` adds. Of 887 dark trays whose places were sure and had black cubes 16 held one more: 5 of 588
with less than 1.5 levels, 11 of 299 with more. The brightness of their faces relative to the floor adds no
information."""
_LITTLE = 1.0
_WHERE_HIDDEN = 0.8
"""Share of the black cubes that is hidden in a tray in which they do not show: cubes of one dye on one floor
fare alike."""
_OTHERS_TO_ONE = 12.0
"""Number of cubes seen per black one among them: half of the throws have none."""
_SMOOTH_PX = 2.0
_STEP = 3
_DEVIATION = 1.4826
"""Standard deviation of a normal distribution in units of its median absolute deviation."""


def lost_in_grain(flat: Rectified, found: Sequence[Candidate], palette: Palette) -> float:
    """Return the expected number of black cubes that the dark hides.

    Black cubes that are seen vouch for the others (Bayes). 0 on light floors, for palettes without black, and
    if the empty tray is known: compared with its picture (`vision.finding.lifted`) they stand out.
    """
    seen = [one for one in found if one.presence > 0.5]
    if not seen or "black" not in palette.colours or flat.change is not None:
        return 0.0
    if flat.level >= DARK:
        return 0.0
    grain_level = grain(flat)
    lost_share = _MOST * float(np.clip((grain_level - _FROM) / (_FULL - _FROM), 0, 1))
    black_seen = sum(one.colour_index == palette.colours.index("black") for one in seen)
    joint_probability = lost_share / _WHERE_HIDDEN * (1 - _WHERE_HIDDEN) ** black_seen
    do_not_show = joint_probability / (joint_probability + 1 - lost_share / _WHERE_HIDDEN)
    unnamed = _ANY + _SOME_GRAIN * float(np.clip(grain_level - _LITTLE, 0, 1)) if black_seen else 0.0
    return unnamed + _WHERE_HIDDEN * do_not_show * len(seen) / _OTHERS_TO_ONE


def grain(flat: Rectified) -> float:
    """Return the standard deviation, in levels, of detail finer than a few pixels on the rectified floor."""
    grey = cv2.cvtColor(flat.image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    detail = cv2.absdiff(grey, cv2.GaussianBlur(grey, (0, 0), _SMOOTH_PX))[::_STEP, ::_STEP]
    return _DEVIATION * float(np.median(detail[flat.floor()[::_STEP, ::_STEP] > 0]))
