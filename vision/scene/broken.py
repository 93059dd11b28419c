"""Broken rows of a picture: a decoder fills with grey, or repeats, what a cable or a network lost."""

import cv2
import numpy as np

from vision.pictures import Picture

_ROWS = 8
"""Consecutive broken rows needed, the block height of JPEG and video; fewer hide no cube."""
_SAME = 2
"""Largest difference, in levels, between pixels of a uniform grey after compression."""
_STEP = 7
"""Column step: one in so many columns is looked at."""
_DRAWN = 0.9
"""Share of such rows above which a program drew the picture: it has no grain anywhere."""


def is_broken(picture: Picture, top: float, bottom: float) -> bool:
    """Return whether rows between `top` and `bottom` are of one colour all across or repeat each other."""
    rows = picture[max(0, round(top)) : max(0, round(bottom))]
    if len(rows) <= _ROWS:
        return False
    reduced_size = (max(1, picture.shape[1] // _STEP), len(rows))
    grey = cv2.cvtColor(cv2.resize(rows, reduced_size, interpolation=cv2.INTER_NEAREST), cv2.COLOR_BGR2GRAY)
    is_lost = grey.max(axis=1) - grey.min(axis=1) <= _SAME
    is_lost[1:] |= (grey[1:] == grey[:-1]).all(axis=1)
    if is_lost.mean() > _DRAWN:
        return False
    return bool((np.convolve(is_lost, np.ones(_ROWS), mode="valid") >= _ROWS).any())
