"""Trays as the network sees them, with nothing over them, rectified from rendered and labelled pictures."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.synth import Options, render
from calibration.synth.throws import THROWS
from vision.pictures import Picture, load_picture
from vision.scene.covered import floor_cells, view_of
from vision.scene.rectify import rectify

_SIZES: tuple[tuple[int, int], ...] = ((640, 480), (640, 480), (960, 720), (1280, 960), (1280, 720))
_SKIN = "finger"
"""Distractor that lies over the tray in some pictures; labels do not say where."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class UncoveredTray:
    """One tray with nothing over it."""

    view: Picture
    """(128, 128, 3) BGR."""
    floor: Floats
    """(32, 32): share of each cell that is floor."""


def rendered(seed: int) -> UncoveredTray | None:
    """Return the tray of a seed as the reader rectifies it; None if it finds none or a finger is over it."""
    options = Options(
        size_px=_SIZES[seed % len(_SIZES)],
        mat=None if seed % 3 else False,
        throws=THROWS if seed % 2 else None,
    )
    return _tray_of(*render(seed, options))


def labelled(folder: Path, entries: Sequence[Mapping[str, Any]]) -> list[UncoveredTray]:
    """Return the trays found in labelled pictures (see docs/evaluate.md)."""
    pictures = ((load_picture(folder / entry["file"]), entry) for entry in entries)
    return [seen for seen in (_tray_of(*one) for one in pictures) if seen is not None]


def _tray_of(picture: Picture, entry: Mapping[str, Any]) -> UncoveredTray | None:
    flat = None if _SKIN in entry.get("distractors", ()) else rectify(picture)
    if flat is None:
        return None
    return UncoveredTray(view_of(picture, flat.tray, flat.light), floor_cells(flat.tray))


def render_many(seeds: range, workers: int) -> list[UncoveredTray]:
    """Render the trays of the seeds on several cores, in order; those that give none are left out."""
    with ProcessPoolExecutor(workers, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        return [seen for seen in pool.map(rendered, seeds, chunksize=8) if seen is not None]
