"""Reading a tray: this reader and textbook methods on the same rendered pictures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

import cv2
import numpy as np

from calibration.synth import Options, render
from calibration.synth.throws import THROWS
from tests.bench.colour_and_size import colour_and_size
from tests.bench.rows import Row, milliseconds
from tests.bench.textbook import connected_components, watershed
from vision.pictures import Picture
from vision.reader import TrayReader

_PICTURES = 24
_SEED = 880_000
"""Far from any seed used in training (see docs/training.md)."""
_BENCH = "reader"
_BASELINE = "BGR to Lab, 1280×960"
Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A picture and the cubes visible in it."""

    picture: Picture
    counts: Counts


def run() -> list[Row]:
    """Measure time, exact trays and wrong cubes per tray for each method."""
    pictures = [_render_labelled(seed) for seed in range(_SEED, _SEED + _PICTURES)]
    floor = milliseconds(lambda: cv2.cvtColor(pictures[0].picture, cv2.COLOR_BGR2LAB))
    reader = TrayReader()
    rows = [Row(_BENCH, _BASELINE, f"{floor:.2f} ms", None)]
    ways: tuple[tuple[str, Callable[[Picture], Counts]], ...] = (
        ("this reader", lambda picture: reader.read(picture).counts),
        ("its palette and sizes alone", colour_and_size),
        ("HSV thresholds, connected components", connected_components),
        ("distance transform, watershed", watershed),
    )
    for name, read in ways:
        rows += _measure_method(name, read, pictures, floor)
    return rows


def _render_labelled(seed: int) -> Labelled:
    picture, entry = render(seed, Options(size_px=(1280, 960), mat=True, throws=THROWS))
    counts = entry["visible_counts"]
    assert isinstance(counts, dict)
    return Labelled(picture, {str(colour): int(number) for colour, number in counts.items()})


def _measure_method(
    name: str, read: Callable[[Picture], Counts], pictures: Sequence[Labelled], floor: float
) -> list[Row]:
    read(pictures[0].picture)
    times, wrong = [], []
    for labelled in pictures:
        start = perf_counter()
        counts = read(labelled.picture)
        times.append((perf_counter() - start) * 1000)
        wrong.append(sum(abs(counts.get(c, 0) - n) for c, n in labelled.counts.items()))
    spent = float(np.median(times))
    cubes = sum(sum(labelled.counts.values()) for labelled in pictures)
    return [
        Row(_BENCH, f"{name}: a picture", f"{spent:.1f} ms", spent / floor, _BASELINE),
        Row(_BENCH, f"{name}: 19 of 20 within", f"{float(np.percentile(times, 95)):.1f} ms", None),
        Row(_BENCH, f"{name}: exact trays", f"{sum(w == 0 for w in wrong)} of {len(wrong)}", None),
        Row(_BENCH, f"{name}: cubes wrong, of all", f"{100 * sum(wrong) / max(1, cubes):.1f} %", None),
        Row(_BENCH, f"{name}: cubes wrong, a picture", f"{sum(wrong) / len(wrong):.2f}", None),
    ]
