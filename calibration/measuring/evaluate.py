"""A reader measured against labelled pictures: exact trays, silent errors and time, grouped by difficulty.

The reader gets the pixels and nothing else. It is measured through the same entry point as in a game, and
timed from outside.
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from math import inf
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean, median
from time import perf_counter
from typing import TypeAlias

import cv2

from calibration.interrupts import ctrl_c_waits, end_with_parent
from calibration.measuring.labels import UNKNOWN, LabelledPicture, Truth
from vision.errors import PictureError, VisionError
from vision.pictures import Picture, load_picture
from vision.reading import TrayReading

_AT_ONCE = 4
"""Number of pictures handed to a process at a time."""

Read = Callable[[Picture], TrayReading]
"""Any reader: one BGR picture in, one reading out."""


class SideBySideError(VisionError):
    """A process that was reading pictures died."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One picture's reading with its truth and time."""

    file: str
    truth: Truth
    reading: TrayReading
    ms: float

    @property
    def errors(self) -> Mapping[str, int]:
        """Counted minus visible, for each colour that occurs in either."""
        colours = {*self.truth.counts, *self.reading.counts}
        return {c: self.reading.counts.get(c, 0) - self.truth.counts.get(c, 0) for c in sorted(colours)}

    @property
    def cubes_wrong(self) -> int:
        """Sum over colours of |counted - visible|."""
        return sum(abs(error) for error in self.errors.values())

    @property
    def exact(self) -> bool:
        """Whether every colour's count equals the number visible."""
        return self.cubes_wrong == 0

    @property
    def silent(self) -> bool:
        """Whether it was accepted without a person and is wrong."""
        return self.reading.certain and not self.exact

    @property
    def confidence(self) -> float:
        """Confidence in all counts, 0..1: that of the weakest colour."""
        return min(self.reading.confidence.values(), default=0.0)


@dataclass(frozen=True, slots=True)
class Figures:
    """What `tenshu evaluate` reports for a group of pictures; None if the group is empty."""

    pictures: int
    answered: int
    exact: int
    silent_errors: int
    cube_error: float | None
    """Mean over pictures of the sum over colours of |counted - visible|."""
    ms_median: float | None
    ms_p95: float | None


@dataclass(frozen=True, slots=True)
class CoveragePoint:
    """If only the surest share `coverage` were accepted, the share `risk` of those would be wrong."""

    coverage: float
    risk: float
    confidence: float


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A labelled file that is not a complete picture."""

    file: str
    error: PictureError


Results: TypeAlias = Generator[Outcome | Unreadable, None, None]


def evaluate(folder: Path, pictures: Iterable[LabelledPicture], read: Read) -> Results:
    """Read each picture once, but the first twice: one-off loading must not count as reading time."""
    warm = False
    for labelled in pictures:
        result = _read_one(folder, read, labelled, warm=warm)
        warm = warm or isinstance(result, Outcome)
        yield result


def evaluate_side_by_side(
    folder: Path, pictures: Sequence[LabelledPicture], read: Read, jobs: int
) -> Results:
    """Do the same in `jobs` single-threaded processes, keeping the order; `read` must be picklable.

    Raises `SideBySideError`. The times, in ms, are not those of a reading alone: others run at the same time,
    and the first in each process loads the networks.
    """
    # Spawned, not forked: forks would wait for threads of networks that were loaded before.
    spawning = get_context("spawn")
    read_one = partial(_read_one, folder, read)
    with ProcessPoolExecutor(jobs, spawning, initializer=_init_worker) as pool:
        try:
            with ctrl_c_waits():
                results = pool.map(read_one, pictures, chunksize=_AT_ONCE)
            yield from results
        except BrokenProcessPool:
            raise SideBySideError(
                f"One of the {jobs} processes that read was ended, perhaps for want of memory.",
                "Read with a smaller `--jobs`, or without.",
            ) from None
        finally:  # otherwise all pending pictures would be read first
            with ctrl_c_waits():  # a pool that stops half-way may never end
                pool.shutdown(cancel_futures=True)


def _init_worker() -> None:
    cv2.setNumThreads(1)
    end_with_parent()


def _read_one(
    folder: Path, read: Read, labelled: LabelledPicture, *, warm: bool = True
) -> Outcome | Unreadable:
    try:
        pixels = load_picture(folder / labelled.file)
    except PictureError as error:
        return Unreadable(labelled.file, error)
    if not warm:
        read(pixels.copy())
    start = perf_counter()
    reading = read(pixels)
    return Outcome(labelled.file, labelled.truth, reading, (perf_counter() - start) * 1000)


def figures(outcomes: Sequence[Outcome]) -> Figures:
    """Compute the figures of one group."""
    times = sorted(o.ms for o in outcomes)
    return Figures(
        pictures=len(outcomes),
        answered=sum(o.reading.certain for o in outcomes),
        exact=sum(o.exact for o in outcomes),
        silent_errors=sum(o.silent for o in outcomes),
        cube_error=fmean(o.cubes_wrong for o in outcomes) if outcomes else None,
        ms_median=median(times) if times else None,
        ms_p95=_percentile(times, 0.95) if times else None,
    )


def colour_errors(outcomes: Sequence[Outcome]) -> Mapping[str, float]:
    """Mean over pictures of |counted - visible|, per colour."""
    colours = sorted({colour for o in outcomes for colour in o.errors})
    return {colour: fmean(abs(o.errors.get(colour, 0)) for o in outcomes) for colour in colours}


_MATS = {True: "with_mat", False: "without_mat", None: UNKNOWN}
GROUPINGS: Mapping[str, tuple[Callable[[Truth], str], tuple[str, ...]]] = {
    "by_mat": (lambda t: _MATS[t.mat], ("with_mat", "without_mat")),
    "by_light": (lambda t: t.light, ()),
    "by_plastic": (lambda t: t.plastic, ()),
    "by_tray": (lambda t: t.tray, ()),
    "by_cube_mm": (lambda t: UNKNOWN if t.cube_mm is None else f"{t.cube_mm:.0f}", ()),
    "by_cubes": (lambda t: _cube_bin(t.total), ("0-5", "6-15", "16-30", "31+")),
    "by_hidden": (lambda t: _yes_no(t.hidden > 0), ("yes", "no")),
    "by_black_on_black": (lambda t: _yes_no(t.black_on_black), ("yes", "no")),
}
"""By key in the report: how to name a picture's group, and the groups that are shown even if empty."""


def by_group(outcomes: Sequence[Outcome], grouping: str) -> Mapping[str, Figures]:
    """Compute the figures of each group of one of `GROUPINGS`."""
    group_of, always_shown = GROUPINGS[grouping]
    occurring = sorted({group_of(o.truth) for o in outcomes} - set(always_shown), key=_numeric_sort_key)
    return {
        name: figures([o for o in outcomes if group_of(o.truth) == name])
        for name in (*always_shown, *occurring)
    }


def _numeric_sort_key(name: str) -> tuple[float, str]:
    """Sort key: numbers by value, 8 before 10; words after them."""
    return (float(name), "") if name.isdecimal() else (inf, name)


def worst(outcomes: Iterable[Outcome], number: int) -> list[Outcome]:
    """Return the worst: silent errors first, then by cubes wrong, then the least sure of the exact ones."""

    def badness(o: Outcome) -> tuple[bool, int, float]:
        return (o.silent, o.cubes_wrong, o.confidence if o.cubes_wrong else -o.confidence)

    return sorted(outcomes, key=badness, reverse=True)[:number]


def risk_coverage(outcomes: Iterable[Outcome]) -> list[CoveragePoint]:
    """Return the risk-coverage curve: pictures accepted certain before asked, then by confidence."""
    ordered = sorted(outcomes, key=lambda o: (o.reading.certain, o.confidence), reverse=True)
    points, wrong = [], 0
    for accepted, outcome in enumerate(ordered, start=1):
        wrong += not outcome.exact
        points.append(CoveragePoint(accepted / len(ordered), wrong / accepted, outcome.confidence))
    return points


def _percentile(ordered: Sequence[float], share: float) -> float:
    """Percentile by linear interpolation, as numpy's default."""
    position = share * (len(ordered) - 1)
    low = int(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


def _cube_bin(total: int) -> str:
    for upper, name in ((5, "0-5"), (15, "6-15"), (30, "16-30")):
        if total <= upper:
            return name
    return "31+"


def _yes_no(answer: bool) -> str:
    return "yes" if answer else "no"
