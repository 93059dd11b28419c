"""When the tray has come to rest: frames and their times in, moving or settled out.

Each frame is held against the *rest frame*, the first of the current stillness, not against the one before:
a cube that creeps a tenth of a millimetre a frame adds up and is noticed. What counts as motion is a change
that neither the picture's own noise nor a shift of an edge by less than a third of a millimetre explains.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
import numpy.typing as npt

from vision.levels import quantile, strongest
from vision.pictures import Picture

CELLS_ACROSS = 320
"""Frames are averaged down to this width: about a cell a millimetre; noise falls with the cell's area."""
QUIET_FRAMES = 3
QUIET_MS = 190.0
"""Both must have passed without motion: three frames at 15 a second; a teetering cube pauses for less."""

_TIMES_USUAL = 4.5
"""Noise may exceed its own 90th percentile by this: Gaussian does by 2.1, the blocks of JPEG by 4."""
_USUAL_MOST = 3.3
"""Levels: 90th percentile of the worst webcam's cells; more is motion (a hand fills the picture)."""
_FLOOR = 1.5
"""Levels: what re-encoding alone changes."""
_EDGE_SHIFT = 0.1
"""Share of an edge's step that may change: over three cells, a shift of 0.3 cells, a third of a mm."""
_CELLS_AT_LEAST = 3
"""Of nine neighbours: the end face of an 8 mm cube that shows itself is wider than that."""
_RENEW_EVERY_FRAMES = 30
"""Two seconds: slower than any cube moves, faster than the sun."""
_DARK_TO_BRIGHT = (40, 90, 150)
"""Levels between which noise is measured apart: it grows with light, and falls again where gamma flattens."""

_DARK_BGR = np.array([4.0, 4.0, 4.0, 0.0])
"""Levels added before ratios are taken: black stays black in any light."""
_ROW_CHANGE = 0.06
"""Share by which a cell counts at most for its row's light: cubes that come and go must not."""
_LUMA_CHROMA = np.array([[0.114, 0.587, 0.299], [-0.081, -0.419, 0.5], [0.5, -0.331, -0.169]], np.float32)
"""BGR differences to those of Y, Cr, Cb (ITU-T T.871), each about zero."""

_Cells = npt.NDArray[np.uint8]
_Levels = npt.NDArray[np.float32]
_BRIGHTNESS = np.digitize(np.arange(256), _DARK_TO_BRIGHT).astype(np.uint8)


class Motion(Enum):
    """What the watch knows of the tray now."""

    MOVING = "moving"
    QUIET = "quiet"
    """Nothing moved in the last frame; too early to call it settled."""
    SETTLED = "settled"


@dataclass(frozen=True, slots=True)
class Watched:
    """What one fed frame says."""

    motion: Motion
    index: int
    """Of this frame: 0 is the first one fed."""
    rest_index: int
    """Of the first frame of the present stillness: where motion ended, once settled."""
    rest_ms: float
    """When that frame was taken."""
    moved: bool
    """Whether anything has moved since the watch began or was last reset."""
    just_settled: bool
    """True once for each stillness that follows motion: the moment to read the tray."""


class SettleWatch:
    """Feed it every frame; outside of `region_px`, an outline in the picture, anything may move."""

    def __init__(
        self,
        region_px: Sequence[tuple[float, float]] = (),
        quiet_frames: int = QUIET_FRAMES,
        quiet_ms: float = QUIET_MS,
    ) -> None:
        self._region_px = tuple(region_px)
        self._quiet_frames = quiet_frames
        self._quiet_ms = quiet_ms
        self.reset()

    def reset(self) -> None:
        """Forget all frames: the next one is the first."""
        self._index = -1
        self._rest: _Rest | None = None
        self._newest: tuple[Picture, float] | None = None
        """What was fed last, and when it was taken."""
        self._size: tuple[int, ...] | None = None
        self._scratch = _Scratch.of((1, 1))
        self._moved = False
        self._announced = True

    def watch_only(self, region_px: Sequence[tuple[float, float]]) -> None:
        """From now on only this outline matters (of the tray just read); the whole picture if it is empty."""
        self._region_px = tuple(region_px)
        self._rest = None
        if self._newest is not None:  # what changes while it is being read is motion
            picture, taken_ms = self._newest
            self._rest = _Rest(_cells(picture, self._region_px)[0], self._index, taken_ms)

    def announce_again(self) -> None:
        """Something else than the picture says that the tray has changed: the next rest counts as new."""
        self._rest = None
        self._announced = False

    def feed(self, picture: Picture, taken_ms: float) -> Watched:
        """One (H, W, 3) uint8 BGR frame and the time it was taken; frames come in order."""
        self._index += 1
        self._newest = picture, taken_ms
        resized = self._size not in (None, picture.shape[1::-1])
        self._size = picture.shape[1::-1]
        if resized:  # the outline was one of the former pictures
            self._region_px = ()
        cells, inside = _cells(picture, self._region_px)
        if self._scratch.size != cells.shape[:2]:
            self._scratch = _Scratch.of(cells.shape[:2])
        moving = False
        if self._rest is None and not resized:
            self._rest = _Rest(cells, self._index, taken_ms)
        elif resized or self._rest is None or self._rest.differs(cells, inside, self._scratch):
            self._rest = _Rest(cells, self._index, taken_ms)
            moving = self._moved = True
            self._announced = False
        motion = Motion.MOVING if moving else self._stillness(self._rest, taken_ms)
        just_settled = motion is Motion.SETTLED and not self._announced
        if just_settled:
            self._announced = True
        seen = Watched(motion, self._index, self._rest.index, self._rest.taken_ms, self._moved, just_settled)
        self._follow_daylight(cells, motion)
        return seen

    def _stillness(self, rest: "_Rest", now_ms: float) -> Motion:
        long_enough = (
            self._index - rest.index >= self._quiet_frames and now_ms - rest.taken_ms >= self._quiet_ms
        )
        return Motion.SETTLED if long_enough else Motion.QUIET

    def _follow_daylight(self, cells: _Cells, motion: Motion) -> None:
        """A settled tray is compared with its recent self: evening must not look like motion."""
        rest = self._rest
        if rest is None or motion is not Motion.SETTLED or not self._announced:
            return
        if (self._index - rest.index) % _RENEW_EVERY_FRAMES == 0:
            self._rest = _Rest(cells, rest.index, rest.taken_ms)


@dataclass(frozen=True, slots=True)
class _Scratch:
    """Memory that every frame's sums use again: to have it made anew took longer than they do."""

    one: _Levels
    other: _Levels
    """(H, W, 3)."""
    planes: tuple[_Levels, _Levels]
    """(H, W)."""

    @classmethod
    def of(cls, size: tuple[int, ...]) -> "_Scratch":
        one, other = (np.empty((*size, 3), np.float32) for _ in range(2))
        return cls(one, other, (np.empty(size, np.float32), np.empty(size, np.float32)))

    @property
    def size(self) -> tuple[int, ...]:
        return self.planes[0].shape

    def largest(self) -> _Levels:
        """(H, W) of the largest channel of `one`."""
        most, next_ = self.planes
        cv2.extractChannel(self.one, 0, dst=most)
        for channel in (1, 2):
            cv2.extractChannel(self.one, channel, dst=next_)
            cv2.max(most, next_, dst=most)
        return most


class _Rest:
    """The first frame of a stillness, and what later frames may differ from it without having moved."""

    def __init__(self, cells: _Cells, index: int, taken_ms: float) -> None:
        self.cells = cells
        self.index = index
        self.taken_ms = taken_ms
        kernel = np.ones((3, 3), np.uint8)
        luma_chroma = np.asarray(cv2.cvtColor(cells, cv2.COLOR_BGR2YCrCb), np.uint8)
        span = strongest(np.asarray(cv2.morphologyEx(luma_chroma, cv2.MORPH_GRADIENT, kernel), np.uint8))
        self._levels = _with_dark(cells)
        self._edges = span.astype(np.float32) * np.float32(_EDGE_SHIFT)
        self._brightness = cv2.LUT(cv2.extractChannel(luma_chroma, 0), _BRIGHTNESS)

    def differs(self, cells: _Cells, inside: npt.NDArray[np.uint8] | None, scratch: "_Scratch") -> bool:
        """Whether a cube's worth of neighbouring cells has changed."""
        _without_light_change(cells, self._levels, scratch)
        # In luma and chroma: JPEG is coarse in colour, and blue would show that twice as strong.
        cv2.transform(scratch.one, _LUMA_CHROMA, dst=scratch.other)
        cv2.blur(scratch.other, (3, 3), dst=scratch.one)
        np.abs(scratch.one, out=scratch.one)
        change = scratch.largest()
        moved = (change > self._edges + self._noise(change)).view(np.uint8)
        if inside is not None:
            moved &= inside
        return bool((cv2.boxFilter(moved, -1, (3, 3), normalize=False) >= _CELLS_AT_LEAST).any())

    def _noise(self, change: _Levels) -> _Levels:
        """What noise may change in each cell, measured in these two frames by brightness."""
        sample, brightness = change[::3, ::3], self._brightness[::3, ::3]
        allowed = np.zeros(256, np.float32)
        overall = float(quantile(sample.ravel(), 0.9))
        for level in range(len(_DARK_TO_BRIGHT) + 1):
            mine = sample[brightness == level]
            usual = float(quantile(mine, 0.9)) if mine.size > 100 else overall
            allowed[level] = max(_FLOOR, _TIMES_USUAL * min(usual, _USUAL_MOST))
        return np.asarray(cv2.LUT(self._brightness, allowed), np.float32)


def _cells(
    picture: Picture, region_px: Sequence[tuple[float, float]]
) -> tuple[_Cells, npt.NDArray[np.uint8] | None]:
    """The frame averaged down, cut to the region's box; with the mask of the region in it."""
    scale = min(1.0, CELLS_ACROSS / picture.shape[1])
    if not region_px:
        return _averaged(picture, scale), None
    outline = np.array(region_px, np.float32)
    height, width = picture.shape[:2]
    left, top = np.clip(np.floor(outline.min(axis=0)).astype(int), 0, (width - 1, height - 1))
    right, bottom = np.clip(
        np.ceil(outline.max(axis=0)).astype(int) + 1, (left + 1, top + 1), (width, height)
    )
    cells = _averaged(picture[top:bottom, left:right], scale)
    inside = np.zeros(cells.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.round((outline - (left, top)) * scale).astype(np.int32)], 1)
    return cells, inside


def _averaged(picture: Picture, scale: float) -> _Cells:
    height, width = picture.shape[:2]
    size = (max(3, round(width * scale)), max(3, round(height * scale)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _with_dark(cells: _Cells) -> _Levels:
    return np.asarray(cv2.add(cells, _DARK_BGR, dtype=cv2.CV_32F), np.float32)


def _without_light_change(cells: _Cells, before: _Levels, scratch: _Scratch) -> None:
    """Into `scratch.one`: the difference, less what exposure or a flickering lamp (seen by a rolling shutter)
    did to rows. `before`: what was at rest, `_with_dark`.
    """
    now, ratio = scratch.one, scratch.other
    cv2.add(cells, _DARK_BGR, dst=now, dtype=cv2.CV_32F)
    cv2.divide(now, before, dst=ratio)
    # The median of ratios, not the ratio of medians: half paper, half tray, a median jumps between the two.
    gain = min(1.25, max(0.8, float(np.median(ratio[::4, ::4, 1]))))
    np.clip(ratio, np.float32(gain * (1 - _ROW_CHANGE)), np.float32(gain * (1 + _ROW_CHANGE)), out=ratio)
    rows = cv2.reduce(ratio, 1, cv2.REDUCE_AVG)
    cv2.resize(rows, (cells.shape[1], cells.shape[0]), dst=ratio, interpolation=cv2.INTER_NEAREST)
    cv2.multiply(before, ratio, dst=ratio)
    cv2.subtract(now, ratio, dst=now)
