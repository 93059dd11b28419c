"""Finds the one place where a picture keeps changing: a clock that the camera writes into it."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of the picture; right and bottom are exclusive."""

_WINDOW_MS = 5000.0
_ACROSS = 160
"""Width in cells; a digit is wider than one cell."""
_CHANGED = 16.0
"""Levels; grain and JPEG blocks averaged over a cell stay below."""
_MOST = 0.04
"""Share of the picture; a hand, or cubes falling here and there, cover more."""
_MOTIONS = 3
_LINE = 5
"""Margin to both sides, in heights of the changing box: tens of seconds, and minutes, change more seldom."""


class Ticking:
    """Feed it every frame of a stream in which all motion counts."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Start over: the next frame is the first."""
        self._since_ms: float | None = None
        self._motions = 0
        self._darkest = self._brightest = np.zeros((0, 0), np.uint8)

    def feed(self, picture: Picture, taken_ms: float, *, moved: bool) -> Box | None:
        """Return the only place that changed in the last seconds, if it did so repeatedly."""
        grey = _grey_cells(picture)
        if self._since_ms is None or grey.shape != self._darkest.shape:
            self._since_ms, self._motions, self._darkest, self._brightest = taken_ms, 0, grey, grey
        self._motions += moved
        self._darkest, self._brightest = np.minimum(self._darkest, grey), np.maximum(self._brightest, grey)
        if taken_ms - self._since_ms < _WINDOW_MS:
            return None
        changed = self._brightest - self._darkest > _CHANGED
        restless = self._motions >= _MOTIONS
        self.forget()
        return _box_of(changed, picture.shape[1] / grey.shape[1]) if restless and changed.any() else None


def extend_to_line(box: Box, width: int) -> Box:
    """Extend a changing box to the rest of its line of text."""
    left, top, right, bottom = box
    margin = _LINE * (bottom - top)
    return max(0, left - margin), top, min(width, right + margin), bottom


def _grey_cells(picture: Picture) -> npt.NDArray[np.uint8]:
    height, width = picture.shape[:2]
    size = (_ACROSS, max(1, round(height * _ACROSS / width)))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


def _box_of(changed: npt.NDArray[np.bool_], cell_px: float) -> Box | None:
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    top, bottom, left, right = rows[0] - 1, rows[-1] + 2, columns[0] - 1, columns[-1] + 2
    if (bottom - top) * (right - left) > _MOST * changed.size:
        return None
    left, top, right, bottom = (max(0, round(float(edge) * cell_px)) for edge in (left, top, right, bottom))
    return left, top, right, bottom
