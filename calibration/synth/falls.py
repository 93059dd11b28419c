"""Falling cubes, thirty frames a second, from the first out of the tower until all lie still.

`calibration.traced` simulates and records them (docs/training.md); a film can be rendered from any of them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from calibration.synth.layout import Pose
from calibration.synth.scene import Floats, floats
from calibration.synth.throws import Throw, ThrowsError, mirrored, read_throws, write_throws

FALLS = Path(__file__).parent / "data" / "falls.npz"
FALLS_FPS = 30
_WRITE_THEM = "Let some fall with `python -m calibration.traced falls FILE.npz` (docs/training.md)."
_STILL_MM = 0.3
"""A cube is at rest once none of its corners will be farther than this from its final place."""
_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)], np.float32)


@dataclass(frozen=True, slots=True)
class Fall:
    """One throw, frame by frame, with the same cubes in the same order in each."""

    frames: tuple[Throw, ...]
    """`FALLS_FPS` a second; in the last one all cubes lie still."""

    @property
    def motion_ends(self) -> int:
        """Index of the first frame from which nothing moves any more."""
        last = _throw_corners(self.frames[-1])
        distances = [
            float(np.linalg.norm(_throw_corners(frame) - last, axis=-1).max()) for frame in self.frames
        ]
        return max((number + 1 for number, far in enumerate(distances) if far > _STILL_MM), default=0)

    def longest_pause(self) -> int:
        """Return the longest run of frames without motion between its beginning and its end."""
        moves = [
            float(np.linalg.norm(_throw_corners(b) - _throw_corners(a), axis=-1).max()) > _STILL_MM
            for a, b in pairwise(self.frames[: self.motion_ends + 1])
        ]
        pauses = "".join(".x"[move] for move in moves).lstrip(".").split("x")
        return max(len(pause) for pause in pauses)


def write_falls(path: Path, falls: Iterable[Fall]) -> None:
    """Write a file for `read_falls`: all frames as throws, and how many belong to each fall."""
    falls = list(falls)
    write_throws(path, [frame for fall in falls for frame in fall.frames], [len(f.frames) for f in falls])


def read_falls(path: Path) -> tuple[Fall, ...]:
    """Read a file of `write_falls`. Raises `ThrowsError`."""
    throws = read_throws(path)
    with np.load(path) as file:
        together = file["together"].tolist() if "together" in file else []
    if not together or sum(together) != len(throws):
        raise ThrowsError(f"{path} does not hold how cubes fell.", _WRITE_THEM)
    ends = np.cumsum([0, *together]).tolist()
    return tuple(Fall(throws[start:end]) for start, end in pairwise(ends))


def draw_fall(rng: np.random.Generator, falls: Sequence[Fall], shape: str | None) -> Fall:
    """Draw a fall, into a tray of `shape` unless that is None; mirrored half of the time."""
    candidates = [fall for fall in falls if shape in (None, fall.frames[0].tray.shape)]
    fall = candidates[rng.integers(len(candidates))]
    return Fall(tuple(mirrored(frame) for frame in fall.frames)) if rng.random() < 0.5 else fall


def _throw_corners(throw: Throw) -> Floats:
    """(N, 8, 3) corners of the cubes, in mm."""
    return floats([_cube_corners(pose, throw.edge_mm) for pose in throw.poses])


def _cube_corners(pose: Pose, edge_mm: float) -> Floats:
    return floats(pose.centre_mm + _CORNERS @ pose.axes * edge_mm)
