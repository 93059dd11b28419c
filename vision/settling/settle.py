"""Detects when the tray has come to rest: frames and their times in, moving or settled out.

Each frame is compared with the *rest frame*, the first of the current still period, not with the previous
one: a cube that creeps a tenth of a millimetre per frame adds up and is noticed. Motion is a change that
neither the picture's own noise nor a shift of the whole picture explains (`vision.settling.rest`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np

from vision.pictures import Picture
from vision.settling.rest import Cells, Inside, Rest, Scratch
from vision.settling.ticking import Box

CELLS_ACROSS = 320
"""Width in cells of a downscaled frame: about a millimetre per cell; noise falls with the cell's area."""
QUIET_FRAMES = 3
QUIET_MS = 190.0
"""Both must pass without motion: three frames at 15 per second; a teetering cube pauses for less."""
_RENEW_EVERY_FRAMES = 30
"""Two seconds: slower than any cube moves, faster than daylight changes."""


class Motion(Enum):
    """What the watch knows about the tray now."""

    MOVING = "moving"
    QUIET = "quiet"
    """Nothing moved in the last frame, but it is too early to call the tray settled."""
    SETTLED = "settled"


@dataclass(frozen=True, slots=True)
class Watched:
    """What the watch says about one frame."""

    motion: Motion
    index: int
    """Index of this frame; the first one fed is 0."""
    rest_index: int
    """Index of the first frame of the current still period: where motion ended, once settled."""
    rest_ms: float
    """When that frame was taken."""
    moved: bool
    """Whether anything has moved since the watch began or was last reset."""
    just_settled: bool
    """True once for each stillness that follows motion: the moment to read the tray."""


class SettleWatch:
    """Feed it every frame; anything may move outside `region_px`, an outline in the picture."""

    def __init__(
        self,
        region_px: Sequence[tuple[float, float]] = (),
        quiet_frames: int = QUIET_FRAMES,
        quiet_ms: float = QUIET_MS,
    ) -> None:
        self._region_px = tuple(region_px)
        self._clock_px: Box | None = None
        self._quiet_frames = quiet_frames
        self._quiet_ms = quiet_ms
        self.reset()

    def reset(self) -> None:
        """Forget all frames: the next one is the first."""
        self._index = -1
        self._rest: Rest | None = None
        self._newest: tuple[Picture, float] | None = None
        """The last frame fed, and when it was taken."""
        self._size: tuple[int, ...] | None = None
        self._scratch = Scratch((1, 1))
        self._disturbed = False
        """Whether the last frame differed from a tray at rest: if the next one does too, something is
        moving."""
        self._moved = self._settled = False
        self._announced = True

    @property
    def watches_all(self) -> bool:
        """Whether motion anywhere in the picture counts."""
        return not self._region_px

    def watch_only(self, region_px: Sequence[tuple[float, float]]) -> None:
        """Watch only this outline (of the tray just read) from now on; the whole picture if it is empty."""
        self._region_px = tuple(region_px)
        self._begin_anew()

    def ignore(self, clock_px: Box) -> None:
        """Ignore this box while the whole picture is watched: the camera writes a clock there."""
        self._clock_px = clock_px
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._rest = None
        self._settled = self._disturbed = False
        if self._newest is not None:  # a change during the reading counts as motion
            picture, taken_ms = self._newest
            self._rest = Rest(*self._cells_and_mask(picture), self._index, taken_ms)

    def _cells_and_mask(self, picture: Picture) -> tuple[Cells, Inside | None]:
        cells, inside = _cells_of_region(picture, self._region_px)
        if inside is None and self._clock_px is not None:
            inside = np.ones(cells.shape[:2], np.uint8)
            scale = cells.shape[1] / picture.shape[1]
            left, top, right, bottom = (round(edge * scale) for edge in self._clock_px)
            inside[max(0, top - 1) : bottom + 1, max(0, left - 1) : right + 1] = 0
        return cells, inside

    def announce_again(self) -> None:
        """The tray has changed by evidence other than the picture: the next rest counts as a new one."""
        self._rest = None
        self._announced = False

    def feed(self, picture: Picture, taken_ms: float) -> Watched:
        """Take one (H, W, 3) uint8 BGR frame and the time it was taken; frames come in order."""
        self._index += 1
        self._newest = picture, taken_ms
        is_resized = self._size not in (None, picture.shape[1::-1])
        self._size = picture.shape[1::-1]
        if is_resized:  # the outline belonged to pictures of the old size
            self._region_px, self._clock_px = (), None
        cells, inside = self._cells_and_mask(picture)
        if self._scratch.size != cells.shape[:2]:
            self._scratch = Scratch(cells.shape[:2])
        is_moving = False
        if self._rest is None and not is_resized:
            self._rest = Rest(cells, inside, self._index, taken_ms)
        elif is_resized or self._rest is None or self._disturbs(self._rest, cells):
            self._rest = Rest(cells, inside, self._index, taken_ms)
            is_moving = self._moved = True
            self._announced = False
        motion = Motion.MOVING if is_moving else self._stillness(self._rest, taken_ms)
        self._settled = motion is Motion.SETTLED
        just_settled = motion is Motion.SETTLED and not self._announced
        if just_settled:
            self._announced = True
        watched = Watched(
            motion, self._index, self._rest.index, self._rest.taken_ms, self._moved, just_settled
        )
        self._follow_daylight(cells, inside, motion)
        return watched

    def _disturbs(self, rest: Rest, cells: Cells) -> bool:
        """Whether something moves: over an evening at rest, noise makes single frames differ, but seldom two
        in a row."""
        differs = rest.has_changed(cells, self._scratch)
        is_motion = differs and (self._disturbed or not self._settled)
        self._disturbed = differs and not is_motion
        return is_motion

    def _stillness(self, rest: Rest, now_ms: float) -> Motion:
        long_enough = (
            self._index - rest.index >= self._quiet_frames and now_ms - rest.taken_ms >= self._quiet_ms
        )
        return Motion.SETTLED if long_enough else Motion.QUIET

    def _follow_daylight(self, cells: Cells, inside: Inside | None, motion: Motion) -> None:
        """Compare a settled tray with its recent self, so that nightfall does not look like motion."""
        rest = self._rest
        if rest is None or motion is not Motion.SETTLED or not self._announced or self._disturbed:
            return
        if (self._index - rest.index) % _RENEW_EVERY_FRAMES == 0:
            self._rest = Rest(cells, inside, rest.index, rest.taken_ms)


def _cells_of_region(
    picture: Picture, region_px: Sequence[tuple[float, float]]
) -> tuple[Cells, Inside | None]:
    """Return the downscaled frame, cropped to the region's bounding box, with a mask of the region."""
    scale = min(1.0, CELLS_ACROSS / picture.shape[1])
    if not region_px:
        return _downscaled(picture, scale), None
    outline = np.array(region_px, np.float32)
    height, width = picture.shape[:2]
    left, top = np.clip(np.floor(outline.min(axis=0)).astype(int), 0, (width - 1, height - 1))
    right, bottom = np.clip(
        np.ceil(outline.max(axis=0)).astype(int) + 1, (left + 1, top + 1), (width, height)
    )
    cells = _downscaled(picture[top:bottom, left:right], scale)
    inside = np.zeros(cells.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.round((outline - (left, top)) * scale).astype(np.int32)], 1)
    return cells, inside


def _downscaled(picture: Picture, scale: float) -> Cells:
    height, width = picture.shape[:2]
    size = (max(3, round(width * scale)), max(3, round(height * scale)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
