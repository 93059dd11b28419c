"""Physically simulated throws: where cubes that slid out of a tower came to rest in a tray.

`calibration.traced` simulates and records them (docs/training.md); pictures can be rendered from them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from calibration.synth.layout import Pose
from calibration.synth.scene import Shape, Tray, floats
from vision.errors import VisionError

THROWS = Path(__file__).parent / "data" / "throws.npz"
_WRITE_THEM = "Let some fall with `python -m calibration.traced throws FILE.npz` (docs/training.md)."
_STEP_MM = 0.01
"""Resolution of positions in a file."""
_LIKE_MM = 0.6
"""Difference below which two edges are treated as the same."""
_CHOICE = 25
"""Number of throws to choose from if a certain number of cubes is wanted."""


@dataclass(frozen=True, slots=True)
class Throw:
    """Cubes at rest; heights are measured from the tray's floor."""

    tray: Tray
    """Where they lie; its plastic is meaningless."""
    edge_mm: float
    poses: tuple[Pose, ...]


def write_throws(path: Path, throws: Iterable[Throw], together: Sequence[int] = ()) -> None:
    """Write a file for `read_throws`, 18 bytes a cube; `together`: numbers of frames of each fall."""
    rows, starts, places, axes = [], [0], [], []
    for throw in throws:
        tray = throw.tray
        lengths = (tray.corner_mm, tray.wall_mm, tray.flare_mm, tray.rim_mm)
        rows.append(
            (tray.shape == "oval", *tray.inner_mm, *lengths, *tray.centre_mm, tray.yaw_rad, throw.edge_mm)
        )
        starts.append(starts[-1] + len(throw.poses))
        places += [pose.centre_mm / _STEP_MM for pose in throw.poses]
        axes += [pose.axes[:2] for pose in throw.poses]
    np.savez_compressed(
        path,
        trays=np.array(rows, np.float32),
        starts=np.array(starts, np.int32),
        places=np.array(places).reshape(-1, 3).round().astype(np.int16),
        axes=np.array(axes).reshape(-1, 2, 3).astype(np.float16),
        together=np.array(together, np.int32),
    )


class ThrowsError(VisionError):
    """A file of throws is missing or invalid."""


@lru_cache(maxsize=4)
def read_throws(path: Path) -> tuple[Throw, ...]:
    """Read a file of `write_throws`. Raises `ThrowsError`."""
    try:
        with path.open("rb") as opened, np.load(opened) as file:
            trays, starts = file["trays"].astype(float), file["starts"]
            places, axes = file["places"].astype(np.float32) * _STEP_MM, file["axes"].astype(np.float32)
    except FileNotFoundError:
        raise ThrowsError(f"There is no file {path}.", _WRITE_THEM) from None
    except (OSError, ValueError, KeyError, IndexError, BadZipFile, EOFError, AttributeError):
        raise ThrowsError(f"{path} holds no throws.", _WRITE_THEM) from None
    poses = [Pose(place, _orthonormal_axes(two)) for place, two in zip(places, axes, strict=True)]
    return tuple(
        Throw(_parse_tray(row), float(row[-1]), tuple(poses[start:end]))
        for row, start, end in zip(trays, starts, starts[1:], strict=False)
    )


def draw_throw(
    rng: np.random.Generator,
    throws: Sequence[Throw],
    *,
    shape: Shape | None = None,
    edge_mm: float | None = None,
    number: int | None = None,
) -> Throw | None:
    """Draw a throw, mirrored half of the time, with all of its cubes or `number` of them.

    None if no throw into a tray of this shape has that many cubes of about this edge.
    """
    candidates = [
        throw
        for throw in throws
        if shape in (None, throw.tray.shape)
        and (edge_mm is None or abs(throw.edge_mm - edge_mm) < _LIKE_MM)
        and len(throw.poses) >= (number or 0)
    ]
    if not candidates:
        return None
    if number is not None:
        candidates = sorted(candidates, key=lambda throw: len(throw.poses))[:_CHOICE]
    throw = candidates[rng.integers(len(candidates))]
    if number is not None:  # remove the highest, so that the rest stays supported
        lowest_first = sorted(throw.poses, key=lambda pose: float(pose.centre_mm[2]))
        throw = replace(throw, poses=tuple(lowest_first[:number]))
    if edge_mm is not None:
        throw = _scale_cubes(throw, edge_mm)
    return mirrored(throw) if rng.random() < 0.5 else throw


def _parse_tray(row: npt.NDArray[np.float64]) -> Tray:
    oval, width, depth, corner, wall, flare, rim, x, y, yaw, _ = (float(value) for value in row)
    shape: Shape = "oval" if oval else "square"
    return Tray(shape, "black", (width, depth), corner, wall, flare, rim, (x, y), yaw)


def _orthonormal_axes(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Reconstruct (3, 3) orthonormal axes from two rounded ones."""
    first = rows[0] / np.linalg.norm(rows[0])
    second = rows[1] - first * (first @ rows[1])
    second /= np.linalg.norm(second)
    return floats(np.stack([first, second, np.cross(first, second)]))


def mirrored(throw: Throw) -> Throw:
    """Exchange left and right; mirrored cubes are still cubes."""
    flip = floats([-1, 1, 1])
    tray = throw.tray
    return replace(
        throw,
        tray=replace(tray, centre_mm=(-tray.centre_mm[0], tray.centre_mm[1]), yaw_rad=-tray.yaw_rad),
        poses=tuple(Pose(p.centre_mm * flip, p.axes * flip) for p in throw.poses),
    )


def _scale_cubes(throw: Throw, edge_mm: float) -> Throw:
    """Scale the cubes and the distances between them."""
    factor = edge_mm / throw.edge_mm
    middle = floats([*throw.tray.centre_mm, 0])
    poses = tuple(Pose(middle + (p.centre_mm - middle) * factor, p.axes) for p in throw.poses)
    return replace(throw, edge_mm=edge_mm, poses=poses)
