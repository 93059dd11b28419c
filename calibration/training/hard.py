"""Hard places, extracted from rendered pictures straight into files: what the looks learn from.

Trays hold many cubes: half are made-up heaps with more stacks than throws have, a fifth are mostly black
cubes in black trays, the rest are throws. Only places that the closer look leaves in doubt are kept, and a
few more.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from calibration.synth import Options, render
from calibration.synth.scene import LightName
from calibration.synth.throws import THROWS
from calibration.training.crops import Crop, crop_as_labelled
from calibration.training.peaks import Peaks, join_peaks
from vision.errors import VisionError
from vision.finding.detector import COLOURS

_SIZES = ((1280, 960), (960, 720))
_FEWEST_CUBES, _MOST_CUBES = 8, 40
"""Range of the number of cubes in a tray."""
_BLACK_KIND = 5
"""The kind, of ten, that stands for trays of mostly black cubes."""
_DARK: tuple[LightName, ...] = ("dim", "warm", "shadow")
_BLACK_SHARE = 0.7
"""Share of black cubes in the trays of mostly black ones."""

PlacesOf = Callable[[Iterable[Crop]], Peaks]
"""Extracts what a look learns from rectified pictures; must be picklable for other processes."""


class PlacesError(VisionError):
    """A file holds no places."""


def draw_options(seed: int, *, black: bool = False) -> Options:
    """Draw a seed's options: of ten, four heaps with many stacks, one with some, two black, three throws.

    `black`: always mostly black cubes in black trays; of three, two throws and a heap.
    """
    rng = np.random.default_rng(seed)
    kind, number = _BLACK_KIND if black else seed % 10, int(rng.integers(_FEWEST_CUBES, _MOST_CUBES + 1))
    names = [str(name) for name in rng.choice(COLOURS, rng.integers(1, len(COLOURS) + 1), replace=False)]
    share = rng.dirichlet(np.full(len(names), 1.5))
    options = Options(size_px=_SIZES[int(rng.integers(len(_SIZES)))])
    if kind < 5:
        options = replace(options, stacked=0.45 if kind < 4 else 0.15)
    elif kind < 7:
        other_names = [name for name in names if name != "black"][:3]
        names = ["black", *other_names]
        share = np.array([_BLACK_SHARE, *[(1 - _BLACK_SHARE) / max(1, len(other_names))] * len(other_names)])
        light = _DARK[int(rng.integers(len(_DARK)))] if rng.random() < 0.6 else None
        options = replace(options, plastic="black", light=light)
        is_throw = black and seed % 3 > 0
        options = replace(options, throws=THROWS) if is_throw else replace(options, stacked=0.25)
    else:
        options = replace(options, throws=THROWS)
    cube_names = rng.choice(names, number, p=share / share.sum()).tolist()
    return replace(options, counts={name: cube_names.count(name) for name in dict.fromkeys(cube_names)})


def hard_places(places_of: PlacesOf, seed: int, *, black: bool = False) -> Peaks:
    """Return the places of one rendered picture, rectified as by the reader; none if it finds no tray."""
    crop = crop_as_labelled(*render(seed, draw_options(seed, black=black)))
    return places_of([] if crop is None else [crop])


def write_places(
    path: Path, seeds: Sequence[int], workers: int, places_of: PlacesOf, *, black: bool = False
) -> int:
    """Render places into `path` (NAME.npy) and NAME.json; return their number. Raises `PlacesError`.

    `black`: only from trays of mostly black cubes.
    """
    if path.suffix != ".npy" or not path.parent.is_dir():  # fail before minutes of rendering
        raise PlacesError(f"{path} cannot be written.", "Name a file NAME.npy in a folder that is there.")
    # Spawn, not fork: a fork would wait for the threads of networks loaded before.
    spawn = get_context("spawn")
    with ProcessPoolExecutor(workers, spawn, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        places = join_peaks(
            [places_of([]), *pool.map(partial(hard_places, places_of, black=black), seeds, chunksize=4)]
        )
    labels = {"truth": places.truth.tolist(), "scores": places.scores.round(5).tolist()}
    try:
        np.save(path, places.patches)
        path.with_suffix(".json").write_text(json.dumps(labels), encoding="utf-8")
    except OSError as error:
        raise PlacesError(
            f"{path} cannot be written: {error.strerror}.", "Make room there, or name a file elsewhere."
        ) from error
    return len(places)


def read_places(path: Path, shape: tuple[int, ...]) -> Peaks:
    """Read what `write_places` wrote, with patches of this shape, memory-mapped. Raises `PlacesError`."""
    try:
        patches = np.load(path, mmap_mode="r")
        labels = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        truth = np.array(labels["truth"], np.int64).reshape(-1, 3)
        scores = np.array(labels["scores"], np.float32)
        if patches.shape != (len(truth), *shape) or len(scores) != len(truth):
            raise ValueError(patches.shape)
    except (OSError, EOFError, TypeError, KeyError, ValueError) as error:
        raise PlacesError(
            f"{path} and {path.with_suffix('.json').name} beside it do not hold places of this look.",
            "Write them with `python -m calibration.training places NAME.npy --of LOOK`.",
        ) from error
    return Peaks(patches, truth, scores)
