"""The first frame of a stillness, and whether a later one shows more than noise.

What a camera adds to a tray at rest is measured in the two frames themselves: grain, and the blocks of a
webcam's JPEG, a few of which jump from one level to the next in every frame. Those are strongest in colour,
which JPEG keeps coarsest, so motion is looked for in light (ITU-T T.871's Y), and in colour only where it is
as strong as no block's jump.
"""

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

Cells = npt.NDArray[np.uint8]
"""(H, W, 3) BGR: a frame averaged down."""
Inside = npt.NDArray[np.uint8]
"""(H, W): 1 where motion matters, 0 elsewhere."""
_Levels = npt.NDArray[np.float32]

_SHARE = 0.99
_TIMES_SHARE = 2.8
"""What 99 of 100 cells stay under may be exceeded by this: noise is Gaussian, or a few blocks that jump."""
_OFTEN = 0.9
_TIMES_OFTEN, _BLOCKS = 8.0, 5.0
"""So many cubes may creep that they are one cell in a hundred; they are never one in ten. But where there is
hardly any grain, so many levels are blocks of JPEG.
"""
_FLOOR, _TOP = 1.5, 20.0
"""Levels: what re-encoding alone changes; more than the worst webcam's noise (a hand fills the picture)."""
_MANY = 600
"""Cells of a brightness from which its noise is measured apart."""
_TIMES_COLOUR = 4.5
_COLOUR_FLOOR, _COLOUR_TOP = 5.0, 12.0
"""The same of Cb or Cr over five cells; more than the top no still block of JPEG jumps."""
_LIGHT = 0.3
"""Share of the light's change by which bright and dark may follow it differently: the camera's curve."""
_EDGE = 0.02
"""Share of an edge's step that may change in any case."""
_EDGE_OF_SHIFT = 0.5
"""And for each cell by which the whole picture has shifted: what the linear estimate of it leaves."""
_MOST_SHIFT = 0.15
"""Cells, a sixth of a millimetre: a table that somebody leans on. More is motion."""
_PARTS = (4, 6)
"""Parts of the frame, down and across, each of which tells the shift by itself: few have cubes that move."""
_TELLING = 3000.0
"""Sum of squared slopes (levels a cell) from which a part tells a shift."""
_TELLING_PARTS = 4
_CELLS_AT_LEAST = 3
"""Of nine neighbours: the end face of an 8 mm cube that shows itself is wider than that."""
_WIDE = (5, 5)
"""Cells: light is compared once more over as many, where a dim room's grain hides what lies in fewer."""
_DARK_TO_BRIGHT = (40, 90, 150)
"""Levels between which noise is measured apart: it grows with light, and falls again where gamma flattens."""

_DARK_BGR = np.array([4.0, 4.0, 4.0, 0.0])
"""Levels added before ratios are taken: black stays black in any light."""
_ROW_CHANGE = 0.06
"""Share by which a cell counts at most for its row's light: cubes that come and go must not."""
_BANDS = 0.03
"""Share by which some row's light differs, from which it is looked for again: a lamp flickers in bands."""
_ROUNDS, _FEW = 4, 4
"""How often, in one of how many cells of a row."""
_ABOUT = 0.5
"""What OpenCV adds to Cr and Cb of floats."""
_STEPS = 10.0
"""Of a histogram of changes: ten a level, 25 levels in all."""

_CLASSES = len(_DARK_TO_BRIGHT) + 1
_BRIGHTNESS = np.digitize(np.arange(256), _DARK_TO_BRIGHT).astype(np.uint8)


class Scratch:
    """Memory that every frame's sums use again: to have it made anew took longer than they do."""

    def __init__(self, size: tuple[int, ...]) -> None:
        """For cells of (H, W)."""
        self.size = size
        self.one, self.other = (np.empty((*size, 3), np.float32) for _ in range(2))
        self.change, self.wide, self.product, self.allowed = (np.empty(size, np.float32) for _ in range(4))


class Rest:
    """What lies still since frame `index`, taken at `taken_ms`."""

    def __init__(self, cells: Cells, inside: Inside | None, index: int, taken_ms: float) -> None:
        self.index = index
        self.taken_ms = taken_ms
        self._inside = inside
        grey = np.asarray(cv2.cvtColor(cells, cv2.COLOR_BGR2GRAY), np.uint8)
        self._levels = np.asarray(cv2.add(cells, _DARK_BGR, dtype=cv2.CV_32F), np.float32)
        self._light = grey.astype(np.float32) * np.float32(_LIGHT)
        self._brightness = np.asarray(cv2.LUT(grey, _BRIGHTNESS), np.uint8)
        span = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
        self._edges = np.asarray(span, np.float32)
        soft = np.asarray(cv2.blur(grey.astype(np.float32), (3, 3)), np.float32)
        half = np.array([[-0.5, 0, 0.5]], np.float32)
        self._slopes = tuple(np.asarray(cv2.filter2D(soft, -1, way), np.float32) for way in (half, half.T))
        if inside is not None:
            self._slopes = tuple(slope * inside for slope in self._slopes)
        across, down = self._slopes
        self._squares = tuple(_parts(a * b) for a, b in ((across, across), (across, down), (down, down)))

    def differs(self, cells: Cells, scratch: Scratch) -> bool:
        """Whether a cube's worth of neighbouring cells has changed."""
        lit = _without_light_change(cells, self._levels, scratch)
        cv2.cvtColor(scratch.one, cv2.COLOR_BGR2YCrCb, dst=scratch.other)
        cv2.extractChannel(scratch.other, 0, dst=scratch.change)
        change = np.asarray(cv2.blur(scratch.change, (3, 3), dst=scratch.change), np.float32)
        shift = self._unshifted(change, scratch)
        wide = np.asarray(cv2.blur(change, _WIDE, dst=scratch.wide), np.float32)
        moved = self._in_colour(scratch)
        for seen in (change, wide):
            np.abs(seen, out=seen)
            moved |= (seen > self._allowed(seen, shift, lit, scratch)).view(np.uint8)
        if self._inside is not None:
            moved &= self._inside
        return bool((cv2.boxFilter(moved, -1, (3, 3), normalize=False) >= _CELLS_AT_LEAST).any())

    def _unshifted(self, change: _Levels, scratch: Scratch) -> float:
        """Take out of `change`, in place, what a shift of the whole picture made; cells of that shift."""
        xx, xy, yy = self._squares
        determinant = xx * yy - xy * xy
        telling = determinant > _TELLING * (xx + yy)
        if telling.sum() < _TELLING_PARTS:
            return 0.0
        x, y = (_parts(np.multiply(slope, change, out=scratch.product)) for slope in self._slopes)
        ways = np.stack([xy * y - yy * x, xy * x - xx * y])[:, telling] / determinant[telling]
        shift = np.clip(np.median(ways, axis=1), -_MOST_SHIFT, _MOST_SHIFT)
        for slope, far in zip(self._slopes, shift, strict=True):
            cv2.scaleAdd(slope, float(far), change, dst=change)
        return float(np.abs(shift).max())

    def _allowed(self, change: _Levels, shift: float, lit: _Levels, scratch: Scratch) -> _Levels:
        """What noise, measured in these two frames by brightness, shift and light may change in each cell."""
        fine = np.asarray(cv2.convertScaleAbs(change, alpha=_STEPS), np.uint8)
        counts = cv2.calcHist(
            [self._brightness, fine], [0, 1], self._inside, [_CLASSES, 256], [0, _CLASSES, 0, 256]
        )
        overall = _usual(counts.sum(axis=0))
        table = np.zeros(256, np.float32)
        for level, mine in enumerate(counts):
            table[level] = _usual(mine) if mine.sum() > _MANY else overall
        allowed = np.asarray(cv2.LUT(self._brightness, table, dst=scratch.allowed), np.float32)
        cv2.scaleAdd(self._edges, _EDGE + _EDGE_OF_SHIFT * shift, allowed, dst=allowed)
        allowed += np.multiply(self._light, lit, out=scratch.product)
        return allowed

    def _in_colour(self, scratch: Scratch) -> npt.NDArray[np.uint8]:
        """(H, W): 1 where the colour is another; `scratch.other`: by how much Y, Cr and Cb are."""
        soft = cv2.blur(scratch.other, _WIDE, dst=scratch.one)
        _, red, blue = cv2.split(cv2.convertScaleAbs(soft, alpha=_STEPS, beta=-_ABOUT * _STEPS))
        most = np.asarray(cv2.max(red, blue), np.uint8)
        counts = np.asarray(cv2.calcHist([most], [0], self._inside, [256], [0, 256]), np.float32)
        usual = _TIMES_COLOUR * _under(counts, _SHARE)
        return (most > _STEPS * min(max(_COLOUR_FLOOR, usual), _COLOUR_TOP)).view(np.uint8)


def _parts(values: _Levels) -> _Levels:
    """The sums of the frame's parts: two products, a tenth of the time of `cv2.resize`."""
    down, across = (_into(cells, parts) for cells, parts in zip(values.shape, _PARTS, strict=True))
    return np.asarray(down.T @ values @ across, np.float32)


@lru_cache(maxsize=8)
def _into(cells: int, parts: int) -> _Levels:
    """(cells, parts): 1 where a row or column belongs to a part."""
    return np.asarray(np.arange(cells)[:, None] * parts // cells == np.arange(parts), np.float32)


def _usual(counts: npt.NDArray[np.float32]) -> float:
    """Levels that noise stays under, of how often each change occurs."""
    most = max(_BLOCKS, _TIMES_OFTEN * _under(counts, _OFTEN))
    return max(_FLOOR, min(_TIMES_SHARE * _under(counts, _SHARE), most, _TOP))


def _under(counts: npt.NDArray[np.float32], share: float) -> float:
    """Levels that such a share of cells stays under; `counts`: by `_STEPS` a level."""
    return (float(np.searchsorted(np.cumsum(counts), share * counts.sum())) + 0.5) / _STEPS


def _means(ratio: _Levels) -> _Levels:
    """(H, 1, 3) of each row."""
    return np.asarray(cv2.resize(ratio, (1, len(ratio)), interpolation=cv2.INTER_AREA), np.float32)


def _without_light_change(cells: Cells, before: _Levels, scratch: Scratch) -> _Levels:
    """Into `scratch.one`: the difference, less what exposure or a flickering lamp (seen by a rolling shutter)
    did to rows; (H, 1): by how much, as a share. `before`: what was at rest, with `_DARK_BGR`.
    """
    now, ratio = scratch.one, scratch.other
    cv2.add(cells, _DARK_BGR, dst=now, dtype=cv2.CV_32F)
    cv2.divide(now, before, dst=ratio)
    # The median of ratios, not the ratio of medians: half paper, half tray, a median jumps between the two.
    gain = min(1.25, max(0.8, float(np.median(ratio[::4, ::4, 1]))))
    few = np.ascontiguousarray(ratio[:, ::_FEW])
    np.clip(ratio, np.float32(gain * (1 - _ROW_CHANGE)), np.float32(gain * (1 + _ROW_CHANGE)), out=ratio)
    rows = _means(ratio)
    if float(np.abs(rows - gain).max()) > _BANDS * gain:
        for _ in range(_ROUNDS):  # each follows a band by so much more
            rows = _means(
                np.clip(few, rows * np.float32(1 - _ROW_CHANGE), rows * np.float32(1 + _ROW_CHANGE))
            )
    height, width = cells.shape[:2]
    cv2.resize(rows, (width, height), dst=ratio, interpolation=cv2.INTER_NEAREST)
    cv2.multiply(before, ratio, dst=ratio)
    cv2.subtract(now, ratio, dst=now)
    return np.asarray(np.abs(rows - 1).max(axis=2), np.float32)
