"""Places in files that appear while training runs: written beside and renamed, so never read half written.

The name tells the source: `traced-…`, `rendered-…`, `labelled-…`; `check-…` are for measuring only.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from calibration.training.crops import Crop
from calibration.training.peaks import Peaks

CHECK = "check"
TRAY_PX = 544
"""Side of a stored tray's picture: larger ones are left out."""


@dataclass(frozen=True, slots=True)
class Trays:
    """N whole rectified trays, each centred in its picture."""

    pictures: npt.NDArray[np.uint8]
    """(N, TRAY_PX, TRAY_PX, 3) BGR."""
    cubes: Sequence[npt.NDArray[np.float32]]
    """(M, 6) each, as in a `Crop`, in pixels of these pictures."""

    def __len__(self) -> int:
        return len(self.cubes)


def trays_of(crops: Sequence[Crop]) -> Trays:
    """Gather crops into trays; those that are too large are left out."""
    pictures, cubes = [np.zeros((0, TRAY_PX, TRAY_PX, 3), np.uint8)], []
    for crop in crops:
        height, width = crop.picture.shape[:2]
        if max(height, width) > TRAY_PX:
            continue
        top, left = (TRAY_PX - height) // 2, (TRAY_PX - width) // 2
        sides = top, TRAY_PX - height - top, left, TRAY_PX - width - left
        picture = np.asarray(crop.picture)
        pictures.append(np.asarray(cv2.copyMakeBorder(picture, *sides, cv2.BORDER_REPLICATE), np.uint8)[None])
        table = crop.cubes.copy()
        table[:, :2] += (left, top)
        cubes.append(table)
    return Trays(np.concatenate(pictures), cubes)


def write_trays(folder: Path, name: str, trays: Trays) -> None:
    """Write trays to NAME.npz, as `write_shard`."""
    ends = np.cumsum([0, *(len(cubes) for cubes in trays.cubes)])
    all_cubes = np.concatenate([np.zeros((0, 6), np.float32), *trays.cubes])
    partial_path = folder / f"{name}.tmp"
    with partial_path.open("wb") as file:
        np.savez(file, pictures=trays.pictures, cubes=all_cubes, ends=ends)
    partial_path.replace(folder / f"{name}.npz")


def new_trays(folder: Path, known: set[str]) -> Iterator[tuple[str, Trays]]:
    """Yield whole trays, as `new_shards` does places."""
    for path in _new_files(folder, known):
        try:
            with np.load(path) as file:
                cubes, ends = file["cubes"].astype(np.float32), file["ends"].tolist()
                trays = Trays(file["pictures"], [cubes[a:b] for a, b in pairwise(ends)])
        except (OSError, ValueError, KeyError, EOFError):
            continue
        yield source_of(path.name), trays


def write_shard(folder: Path, name: str, places: Peaks) -> None:
    """Write places to NAME.npz, uncompressed: it is read once, and soon."""
    partial_path = folder / f"{name}.tmp"
    with partial_path.open("wb") as file:
        np.savez(file, patches=places.patches, truth=places.truth.astype(np.int8), scores=places.scores)
    partial_path.replace(folder / f"{name}.npz")


def new_shards(folder: Path, known: set[str]) -> Iterator[tuple[str, Peaks]]:
    """Yield source and places of each new shard; those in `known` are skipped, and new names added to it.

    A shard that cannot be read is skipped: a run goes on without it.
    """
    for path in _new_files(folder, known):
        try:
            with np.load(path) as file:
                places = Peaks(file["patches"], file["truth"].astype(np.int64), file["scores"])
        except (OSError, ValueError, KeyError, EOFError):
            continue
        yield source_of(path.name), places


def _new_files(folder: Path, known: set[str]) -> Iterator[Path]:
    for path in sorted(folder.glob("*.npz")):
        if path.name not in known:
            known.add(path.name)
            yield path


def source_of(name: str) -> str:
    """Return the source in a shard's name: the first word, or the first two of a check."""
    words = name.removesuffix(".npz").split("-")
    return "-".join(words[:2]) if words[0] == CHECK else words[0]
