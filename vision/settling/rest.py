"""The first frame of a still period, and whether a later one shows more than noise.

What a camera adds to a tray at rest is measured in the two frames themselves: grain, and the blocks of a
webcam's JPEG, a few of which jump from one level to the next in every frame. Those jumps are strongest in
colour, which JPEG stores most coarsely, so motion is looked for in luma (ITU-T T.871's Y), and in colour only
where the change is stronger than any block's jump.
"""

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

Cells = npt.NDArray[np.uint8]
"""(H, W, 3) BGR: a downscaled frame."""
Inside = npt.NDArray[np.uint8]
"""(H, W): 1 where motion matters, 0 elsewhere."""
_Levels = npt.NDArray[np.float32]

_SHARE = 0.99
_TIMES_SHARE = 2.8
"""Factor by which a change may exceed what 99 of 100 cells stay under: noise is Gaussian, or a few blocks
that jump."""
_OFTEN = 0.9
_TIMES_OFTEN, _BLOCKS = 8.0, 5.0
"""Upper bound: this factor of what 9 of 10 cells stay under, since creeping cubes may fill one cell in a
hundred but never one in ten. With hardly any grain the bound is `_BLOCKS` levels, for jumping JPEG blocks."""
_FLOOR, _TOP = 1.5, 20.0
"""Levels: what re-encoding alone changes, and more than the worst webcam's noise (a hand fills the
picture)."""
_MANY = 600
"""Number of cells of a brightness from which its noise is measured separately."""
_TIMES_COLOUR = 4.5
_COLOUR_FLOOR, _COLOUR_TOP = 5.0, 12.0
"""The same factor and bounds for Cb and Cr over 5×5 cells; no still JPEG block jumps beyond the upper
bound."""
_LIGHT = 0.3
"""Fraction of a change of light by which bright and dark may follow it differently (the camera's tone
curve)."""
_EDGE = 0.02
"""Fraction of an edge's step that may always change."""
_EDGE_OF_SHIFT = 0.5
"""Further fraction per cell of whole-picture shift: the error of the linear estimate of that shift."""
_MOST_SHIFT = 0.15
"""Cells, a sixth of a millimetre: somebody leaning on the table. A larger shift is motion."""
_PARTS = (4, 6)
"""Parts of the frame, down and across, each giving its own estimate of the shift: few contain moving
cubes."""
_TELLING = 3000.0
"""Sum of squared slopes (levels per cell) from which a part gives an estimate of the shift."""
_TELLING_PARTS = 4
_CELLS_AT_LEAST = 3
"""Of nine neighbouring cells: the end face of an 8 mm cube covers more."""
_WIDE = (5, 5)
"""Cells: luma is compared again averaged over this area, where a dim room's grain hides smaller changes."""
_DARK_TO_BRIGHT = (40, 90, 150)
"""Levels separating the classes in which noise is measured: it grows with light, and falls where gamma
flattens."""

_DARK_BGR = np.array([4.0, 4.0, 4.0, 0.0])
"""Levels added before ratios are taken: black stays black in any light."""
_ROW_CHANGE = 0.06
"""Relative deviation to which a cell is clipped when its row's light is estimated: cubes come and go."""
_BANDS = 0.03
"""Relative deviation of any row's light from which the estimate is refined: a lamp flickers in bands."""
_ROUNDS, _FEW = 4, 4
"""Number of refinements, each using one in `_FEW` cells of a row."""
_ABOUT = 0.5
"""What OpenCV adds to the Cr and Cb of float pictures."""
_STEPS = 10.0
"""Bins per level in a histogram of changes: its 256 bins cover 25 levels."""

_CLASSES = len(_DARK_TO_BRIGHT) + 1
_BRIGHTNESS = np.digitize(np.arange(256), _DARK_TO_BRIGHT).astype(np.uint8)


class Scratch:
    """Buffers reused for every frame: allocating them anew took longer than the arithmetic."""

    def __init__(self, size: tuple[int, ...]) -> None:
        """Allocate for (H, W) cells."""
        self.size = size
        self.buffer_a, self.buffer_b = (np.empty((*size, 3), np.float32) for _ in range(2))
        self.change, self.wide, self.product, self.allowed = (np.empty(size, np.float32) for _ in range(4))


class Rest:
    """What has been still since frame `index`, taken at `taken_ms`."""

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
        self._squares = tuple(
            _sums_of_parts(a * b) for a, b in ((across, across), (across, down), (down, down))
        )

    def has_changed(self, cells: Cells, scratch: Scratch) -> bool:
        """Whether at least a cube's worth of neighbouring cells has changed."""
        light_change = _remove_light_change(cells, self._levels, scratch)
        cv2.cvtColor(scratch.buffer_a, cv2.COLOR_BGR2YCrCb, dst=scratch.buffer_b)
        cv2.extractChannel(scratch.buffer_b, 0, dst=scratch.change)
        change = np.asarray(cv2.blur(scratch.change, (3, 3), dst=scratch.change), np.float32)
        shift = self._remove_shift(change, scratch)
        wide = np.asarray(cv2.blur(change, _WIDE, dst=scratch.wide), np.float32)
        changed = self._colour_changes(scratch)
        for levels in (change, wide):
            np.abs(levels, out=levels)
            changed |= (levels > self._allowed_change(levels, shift, light_change, scratch)).view(np.uint8)
        if self._inside is not None:
            changed &= self._inside
        return bool((cv2.boxFilter(changed, -1, (3, 3), normalize=False) >= _CELLS_AT_LEAST).any())

    def _remove_shift(self, change: _Levels, scratch: Scratch) -> float:
        """Remove from `change`, in place, the effect of a shift of the whole picture; return the shift in
        cells."""
        xx, xy, yy = self._squares
        determinant = xx * yy - xy * xy
        is_telling = determinant > _TELLING * (xx + yy)
        if is_telling.sum() < _TELLING_PARTS:
            return 0.0
        x, y = (_sums_of_parts(np.multiply(slope, change, out=scratch.product)) for slope in self._slopes)
        shifts = np.stack([xy * y - yy * x, xy * x - xx * y])[:, is_telling] / determinant[is_telling]
        shift = np.clip(np.median(shifts, axis=1), -_MOST_SHIFT, _MOST_SHIFT)
        for slope, shift_cells in zip(self._slopes, shift, strict=True):
            cv2.scaleAdd(slope, float(shift_cells), change, dst=change)
        return float(np.abs(shift).max())

    def _allowed_change(
        self, change: _Levels, shift: float, light_change: _Levels, scratch: Scratch
    ) -> _Levels:
        """How far each cell may change by noise (measured in these two frames, by brightness), shift and
        light."""
        steps = np.asarray(cv2.convertScaleAbs(change, alpha=_STEPS), np.uint8)
        counts = cv2.calcHist(
            [self._brightness, steps], [0, 1], self._inside, [_CLASSES, 256], [0, _CLASSES, 0, 256]
        )
        overall = _noise_level(counts.sum(axis=0))
        table = np.zeros(256, np.float32)
        for level, class_counts in enumerate(counts):
            table[level] = _noise_level(class_counts) if class_counts.sum() > _MANY else overall
        allowed = np.asarray(cv2.LUT(self._brightness, table, dst=scratch.allowed), np.float32)
        cv2.scaleAdd(self._edges, _EDGE + _EDGE_OF_SHIFT * shift, allowed, dst=allowed)
        allowed += np.multiply(self._light, light_change, out=scratch.product)
        return allowed

    def _colour_changes(self, scratch: Scratch) -> npt.NDArray[np.uint8]:
        """(H, W), 1 where the colour has changed; `scratch.buffer_b` holds the changes of Y, Cr and Cb."""
        soft = cv2.blur(scratch.buffer_b, _WIDE, dst=scratch.buffer_a)
        _, red, blue = cv2.split(cv2.convertScaleAbs(soft, alpha=_STEPS, beta=-_ABOUT * _STEPS))
        most = np.asarray(cv2.max(red, blue), np.uint8)
        counts = np.asarray(cv2.calcHist([most], [0], self._inside, [256], [0, 256]), np.float32)
        noise_level = _TIMES_COLOUR * _level_of_share(counts, _SHARE)
        return (most > _STEPS * min(max(_COLOUR_FLOOR, noise_level), _COLOUR_TOP)).view(np.uint8)


def _sums_of_parts(values: _Levels) -> _Levels:
    """Sums over the parts of the frame, as two matrix products: a tenth of the time of `cv2.resize`."""
    down, across = (_part_membership(cells, parts) for cells, parts in zip(values.shape, _PARTS, strict=True))
    return np.asarray(down.T @ values @ across, np.float32)


@lru_cache(maxsize=8)
def _part_membership(cells: int, parts: int) -> _Levels:
    """(cells, parts): 1 where a row or column belongs to a part."""
    return np.asarray(np.arange(cells)[:, None] * parts // cells == np.arange(parts), np.float32)


def _noise_level(counts: npt.NDArray[np.float32]) -> float:
    """Level that noise stays under, from a histogram of changes."""
    most = max(_BLOCKS, _TIMES_OFTEN * _level_of_share(counts, _OFTEN))
    return max(_FLOOR, min(_TIMES_SHARE * _level_of_share(counts, _SHARE), most, _TOP))


def _level_of_share(counts: npt.NDArray[np.float32], share: float) -> float:
    """Level that this share of the cells stays under; `counts` has `_STEPS` bins per level."""
    return (float(np.searchsorted(np.cumsum(counts), share * counts.sum())) + 0.5) / _STEPS


def _row_means(ratio: _Levels) -> _Levels:
    """(H, 1, 3) mean of each row."""
    return np.asarray(cv2.resize(ratio, (1, len(ratio)), interpolation=cv2.INTER_AREA), np.float32)


def _remove_light_change(cells: Cells, before: _Levels, scratch: Scratch) -> _Levels:
    """Write to `scratch.buffer_a` the difference, less what exposure or a flickering lamp (seen by a rolling
    shutter) did to each row; return that effect, (H, 1), as a fraction. `before`: the picture at rest, plus
    `_DARK_BGR`."""
    now, ratio = scratch.buffer_a, scratch.buffer_b
    cv2.add(cells, _DARK_BGR, dst=now, dtype=cv2.CV_32F)
    cv2.divide(now, before, dst=ratio)
    # The median of ratios, not the ratio of medians: half paper, half tray, a median jumps between the two.
    gain = min(1.25, max(0.8, float(np.median(ratio[::4, ::4, 1]))))
    sampled_columns = np.ascontiguousarray(ratio[:, ::_FEW])
    np.clip(ratio, np.float32(gain * (1 - _ROW_CHANGE)), np.float32(gain * (1 + _ROW_CHANGE)), out=ratio)
    rows = _row_means(ratio)
    if float(np.abs(rows - gain).max()) > _BANDS * gain:
        for _ in range(_ROUNDS):  # each follows a band further
            rows = _row_means(
                np.clip(
                    sampled_columns, rows * np.float32(1 - _ROW_CHANGE), rows * np.float32(1 + _ROW_CHANGE)
                )
            )
    height, width = cells.shape[:2]
    cv2.resize(rows, (width, height), dst=ratio, interpolation=cv2.INTER_NEAREST)
    cv2.multiply(before, ratio, dst=ratio)
    cv2.subtract(now, ratio, dst=now)
    return np.asarray(np.abs(rows - 1).max(axis=2), np.float32)
