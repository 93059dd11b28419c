"""Hard places of path-traced pictures, by several processes at once: what the wide look learns from."""

import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from calibration.rays.build import LIBRARY, Tracer, build, load
from calibration.rays.picture import take
from calibration.rays.staged import Table
from calibration.synth import render
from calibration.synth.scene import Options
from calibration.training.crops import Crop, as_labelled
from calibration.training.hard import options_of
from calibration.training.peaks import Peaks, joined, upright_peaks_of
from calibration.training.shards import CHECK, write_shard

if sys.platform != "win32":
    import fcntl

_SEEDS = 200_000
"""Of each worker."""
_AT_ONCE = 2
"""Processes that a card works for at a time: with more there would be no time for what learns meanwhile."""
_SHARD = 250
"""Places."""
_TABLES, _NEW_TABLE = 6, 0.2
_SAMPLES = (8, 20)
_SMALL, _SMALL_SHARE = (960, 720), 0.55
_BLACK = 12
"""Every so many pictures: mostly black cubes in a black tray."""


def write_for(folder: Path, seconds: float, kinds: Sequence[str], seed: int, *, check: bool) -> Iterator[str]:
    """A line for each worker that ends; `kinds`: "traced" or "rendered", of each.

    Raises `TracerError` where something is to be traced and cannot, `OSError` where nothing can be written.
    """
    with TemporaryDirectory() as built:
        if "traced" in kinds:
            build(Path(built))  # once: a compiler for each worker would take the cores
        with ProcessPoolExecutor(len(kinds), get_context("spawn"), cv2.setNumThreads, (1,)) as pool:
            running = [
                pool.submit(_written, Path(built), folder, seconds, kind, seed + number * _SEEDS, check=check)
                for number, kind in enumerate(kinds)
            ]
            for ended in as_completed(running):
                yield ended.result()


@dataclass(slots=True)
class _Pictures:
    """Of one worker, from its first seed on."""

    rng: np.random.Generator
    tracer: "_InTurn"
    tables: list[Table] = field(default_factory=list)

    def traced(self, seed: int, options: Options) -> Crop | None:
        """Laid flat; None where no tray was found."""
        if self.rng.random() < _SMALL_SHARE:
            options = replace(options, size_px=_SMALL)
        if len(self.tables) < _TABLES or self.rng.random() < _NEW_TABLE:  # a table takes as long as a picture
            self.tables = [*self.tables, Table.drawn(self.rng)][-_TABLES:]
        table = self.tables[self.rng.integers(len(self.tables))]
        samples = int(self.rng.integers(*_SAMPLES))
        return as_labelled(*take(self.tracer, seed, options, table, samples))


@dataclass(slots=True)
class _InTurn:
    """The tracer, for processes of one number one after the other."""

    built: Path
    number: int
    library: Tracer | None = None

    def trace(self, scene: Any) -> int:
        self.library = self.library or load(self.built / LIBRARY)
        with (self.built / f"{self.number}.lock").open("w") as lock:
            if sys.platform != "win32":
                fcntl.flock(lock, fcntl.LOCK_EX)
            return self.library.trace(scene)


def _written(built: Path, folder: Path, seconds: float, kind: str, first: int, *, check: bool) -> str:
    turn = _InTurn(built, first // _SEEDS % _AT_ONCE)
    end, pictures = time.monotonic() + seconds, _Pictures(np.random.default_rng(first), turn)
    parts: list[Peaks] = []
    seen = places = shards = 0
    for seed in range(first, first + _SEEDS):
        over = time.monotonic() > end
        if parts and (over or sum(len(part) for part in parts) >= _SHARD):
            name = f"{kind}-{first}-{shards:04d}"
            write_shard(folder, f"{CHECK}-{name}" if check else name, joined(parts))
            parts, shards = [], shards + 1
        if over:
            break
        options = options_of(seed, black=seed % _BLACK == 0)
        crop = pictures.traced(seed, options) if kind == "traced" else as_labelled(*render(seed, options))
        seen += 1
        if crop is not None:
            part = upright_peaks_of([crop])
            parts += [part] if len(part) else []
            places += len(part)
    return f"{kind}: {seen} pictures, {places} places"
