"""Rows of a picture that are none: a decoder fills with grey, or repeats, what a cable or a network lost."""

import cv2
import numpy as np

from vision.pictures import Picture

_ROWS = 8
"""One after the other, as many as the blocks of JPEG and video have; fewer hide no cube."""
_SAME = 2
"""Levels by which pixels of one grey differ once they were compressed."""
_STEP = 7
"""One column of so many is looked at."""
_DRAWN = 0.9
"""Share of rows from which a program drew the picture: there is no grain in any of it."""


def is_broken(picture: Picture, top: float, bottom: float) -> bool:
    """Whether rows between `top` and `bottom` are of one colour from side to side, or repeat each other."""
    rows = picture[max(0, round(top)) : max(0, round(bottom))]
    if len(rows) <= _ROWS:
        return False
    few = (max(1, picture.shape[1] // _STEP), len(rows))
    grey = cv2.cvtColor(cv2.resize(rows, few, interpolation=cv2.INTER_NEAREST), cv2.COLOR_BGR2GRAY)
    lost = grey.max(axis=1) - grey.min(axis=1) <= _SAME
    lost[1:] |= (grey[1:] == grey[:-1]).all(axis=1)
    if lost.mean() > _DRAWN:
        return False
    return bool((np.convolve(lost, np.ones(_ROWS), mode="valid") >= _ROWS).any())
