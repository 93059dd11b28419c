"""Path-trace trays and their hard places in several processes: the networks' training data."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from calibration.rays.build import LIBRARY, Tracer, build, load
from calibration.rays.picture import trace_picture
from calibration.rays.staged import Table
from calibration.synth import render
from calibration.synth.scene import Options
from calibration.training.crops import Crop, crop_as_labelled
from calibration.training.hard import draw_options
from calibration.training.peaks import hard_peaks_of, join_peaks, upright_peaks_of
from calibration.training.shards import CHECK, Trays, trays_of, write_shard, write_trays

if sys.platform != "win32":
    import fcntl

_SEEDS = 200_000
"""Seeds per worker."""
_AT_ONCE = 2
"""Processes that use the card at a time: more would leave no time for the training that runs meanwhile."""
_PLACES_A_SHARD, _TRAYS_A_SHARD = 250, 12
"""Places, or whole trays, in a shard."""
_TABLES_HELD, _NEW_TABLE_SHARE = 6, 0.2
_SAMPLE_RANGE = (8, 20)
_SMALL_PX, _SMALL_SHARE = (960, 720), 0.55
_BLACK_EVERY = 12
"""Every so many pictures, mostly black cubes in a black tray."""


def write_shards_for(
    folder: Path,
    seconds: float,
    kinds: Sequence[str],
    seed: int,
    *,
    check: bool,
    networks: Sequence[str] = ("wide",),
) -> Iterator[str]:
    """Write shards for some seconds; yield a line for each worker that ends.

    `kinds`: "traced" or "rendered" for each worker; `networks`: names in `SHARD_KINDS`, each with its own
    subfolder if there are several. Raises `TracerError` if something is to be traced and cannot be, `OSError`
    if nothing can be written.
    """
    with TemporaryDirectory() as built:
        if "traced" in kinds:
            build(Path(built))  # once: a compiler per worker would use up the cores
        with ProcessPoolExecutor(len(kinds), get_context("spawn"), cv2.setNumThreads, (1,)) as pool:
            futures = [
                pool.submit(
                    _write_shards,
                    Path(built),
                    _folders_by_network(folder, networks),
                    seconds,
                    kind,
                    seed + number * _SEEDS,
                    check=check,
                )
                for number, kind in enumerate(kinds)
            ]
            for future in as_completed(futures):
                yield future.result()


@dataclass(slots=True)
class _Pictures:
    """The traced pictures of one worker."""

    rng: np.random.Generator
    tracer: "_LockedTracer"
    tables: list[Table] = field(default_factory=list)

    def trace_crop(self, seed: int, options: Options) -> Crop | None:
        """Return the rectified crop of a traced picture; None if no tray was found."""
        if self.rng.random() < _SMALL_SHARE:
            options = replace(options, size_px=_SMALL_PX)
        # a table takes as long as a picture
        if len(self.tables) < _TABLES_HELD or self.rng.random() < _NEW_TABLE_SHARE:
            self.tables = [*self.tables, Table.draw(self.rng)][-_TABLES_HELD:]
        table = self.tables[self.rng.integers(len(self.tables))]
        samples = int(self.rng.integers(*_SAMPLE_RANGE))
        return crop_as_labelled(*trace_picture(self.tracer, seed, options, table, samples))


@dataclass(slots=True)
class _LockedTracer:
    """The tracer, behind a lock: processes with the same number use it one after the other."""

    built: Path
    number: int
    library: Tracer | None = None

    def trace(self, scene: Any) -> int:
        self.library = self.library or load(self.built / LIBRARY)
        with (self.built / f"{self.number}.lock").open("w") as lock:
            if sys.platform != "win32":
                fcntl.flock(lock, fcntl.LOCK_EX)
            return self.library.trace(scene)


@dataclass(slots=True)
class _Shards:
    """What one worker keeps for one network, written shard by shard."""

    folder: Path
    name: str
    kept: "ShardKind"
    parts: list[Any] = field(default_factory=list)
    number: int = 0
    total: int = 0

    def add(self, crop: Crop) -> None:
        part = self.kept.gather([crop])
        if len(part):
            self.parts.append(part)
            self.total += len(part)
        if sum(len(one) for one in self.parts) >= self.kept.shard:
            self.write()

    def write(self) -> None:
        if self.parts:
            self.kept.write(self.folder, f"{self.name}-{self.number:04d}", self.parts)
            self.parts, self.number = [], self.number + 1


@dataclass(frozen=True, slots=True)
class ShardKind:
    """What is kept of a tray for one network, and how it is written."""

    gather: Callable[[Sequence[Crop]], Any]
    write: Callable[[Path, str, list[Any]], None]
    shard: int = _PLACES_A_SHARD


def _write_places(folder: Path, name: str, parts: list[Any]) -> None:
    write_shard(folder, name, join_peaks(parts))


def _write_trays(folder: Path, name: str, parts: list[Any]) -> None:
    pictures = np.concatenate([part.pictures for part in parts])
    write_trays(folder, name, Trays(pictures, [cubes for part in parts for cubes in part.cubes]))


SHARD_KINDS = {
    "trays": ShardKind(trays_of, _write_trays, _TRAYS_A_SHARD),
    "closer": ShardKind(hard_peaks_of, _write_places),
    "wide": ShardKind(upright_peaks_of, _write_places),
}
"""For each network what it learns from: the detector from whole trays, the looks from places."""


def _folders_by_network(folder: Path, of: Sequence[str]) -> dict[str, Path]:
    if len(of) == 1:
        return {of[0]: folder}
    for name in of:
        (folder / name).mkdir(exist_ok=True)
    return {name: folder / name for name in of}


def _write_shards(
    built: Path, folders: dict[str, Path], seconds: float, kind: str, first: int, *, check: bool
) -> str:
    tracer = _LockedTracer(built, first // _SEEDS % _AT_ONCE)
    end, pictures = time.monotonic() + seconds, _Pictures(np.random.default_rng(first), tracer)
    name = f"{CHECK}-{kind}-{first}" if check else f"{kind}-{first}"
    shards = [_Shards(folder, name, SHARD_KINDS[of]) for of, folder in folders.items()]
    picture_count = 0
    for seed in range(first, first + _SEEDS):
        if time.monotonic() > end:
            break
        options = draw_options(seed, black=seed % _BLACK_EVERY == 0)
        crop = (
            pictures.trace_crop(seed, options)
            if kind == "traced"
            else crop_as_labelled(*render(seed, options))
        )
        picture_count += 1
        if crop is not None:
            for shard in shards:
                shard.add(crop)
    for shard in shards:
        shard.write()
    kept = ", ".join(
        f"{shard.total} {'trays' if of == 'trays' else 'places'}"
        for shard, of in zip(shards, folders, strict=True)
    )
    return f"{kind}: {picture_count} pictures, {kept}"
