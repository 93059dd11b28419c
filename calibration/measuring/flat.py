"""How straight and how white the rectified floor is: `python -m calibration.measuring.flat`.

Cubes are judged on what `vision.scene.rectify` makes of a picture: a floor that is off by a few millimetres
loses cubes at its edge, a white that is off by a stop makes black cubes grey. Both are measured separately
here, on labelled pictures whose mat is known (`FOLDER`) or on rendered tables (`-n`), whose mat is visible
entirely, in part (covered, or cut off by the picture's edge) or not at all.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.measuring.flat_truth import FlatTruth, labelled_pictures, render_table
from vision.errors import VisionError
from vision.pictures import Picture
from vision.scene.light import srgb_to_linear
from vision.scene.plane import Points, project
from vision.scene.rectify import Rectified, rectify
from vision.scene.tray import outline

_INSET = 0.8
_SIGNS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)


@dataclass(frozen=True, slots=True)
class Flatness:
    """Errors of one picture; None if there is no truth to compare with."""

    name: str
    group: str
    found: bool
    stops: float | None = None
    """How much brighter than it should be the floor comes out, in powers of two; negative if darker."""
    tint: float | None = None
    """Largest ratio between two channels that should be equal, minus 1."""
    corner_mm: float | None = None
    """Largest error of the floor's four corners (at 0.8 of the way out) after rectification."""
    edge_mm: float | None = None
    """90th percentile of the distance between the true outline's points and the found outline."""


def flatness(picture: Picture, truth: FlatTruth, inner_mm: tuple[float, float] | None = None) -> Flatness:
    """Measure one picture; `inner_mm`, if given, is told to the reader."""
    flat = rectify(picture, inner_mm)
    if flat is None:
        return Flatness(truth.name, truth.group, found=False)
    stops = tint = None
    corner, edge = _geometry_errors(flat, truth)
    if truth.white is not None:
        stops, tint = _light_errors(flat, truth.white)
    return Flatness(truth.name, truth.group, True, stops, tint, corner, edge)


def _geometry_errors(flat: Rectified, truth: FlatTruth) -> tuple[float, float]:
    to_px = truth.mat_to_px if flat.mat_seen else truth.tray_to_px
    corners = _SIGNS * _INSET * np.array(truth.inner_mm) / 2
    to_floor = np.asarray(np.linalg.inv(flat.tray.to_px), np.float64)
    projected = project(project(corners, to_px), to_floor)
    corner = float(np.linalg.norm(projected - corners, axis=1).max())
    true_edge = project(outline(truth.inner_mm, truth.shape), truth.tray_to_px)
    true_edge_mm = project(true_edge, to_floor).astype(np.float32)
    found_edge_mm = flat.tray.outline_mm.astype(np.float32)
    distances = [
        abs(cv2.pointPolygonTest(found_edge_mm, (float(x), float(y)), measureDist=True))
        for x, y in true_edge_mm
    ]
    return corner, float(np.percentile(distances, 90))


def _light_errors(flat: Rectified, truth: Points) -> tuple[float, float]:
    """Error of the light: stops too bright, and the worst ratio between channels minus 1."""
    assumed_white = np.maximum(srgb_to_linear(np.array(flat.light.white_bgr)), 1e-4)
    ratios = np.log(truth / assumed_white)  # logarithm of how much brighter than white paper comes out
    return float(ratios.mean() / np.log(2)), float(np.exp(np.ptp(ratios)) - 1)


def table(found: Sequence[Flatness]) -> str:
    """Human-readable table of the median, 90th percentile and worst of each error, by group."""
    lines = [
        f"{'':<14}{'pictures':>9}{'no tray':>9}  {'stops: median, 90 %, worst':<28}"
        f"{'tint':<20}{'corner, mm':<22}{'edge, mm':<20}"
    ]
    for group in sorted({picture.group for picture in found}):
        members = [picture for picture in found if picture.group == group]
        lines.append(
            f"{group:<14}{len(members):>9}{sum(not picture.found for picture in members):>9}  "
            f"{_format_spread([o.stops for o in members], 2):<28}"
            f"{_format_spread([o.tint for o in members], 2):<20}"
            f"{_format_spread([o.corner_mm for o in members], 1):<22}"
            f"{_format_spread([o.edge_mm for o in members], 1):<20}"
        )
    return "\n".join(lines)


def _format_spread(values: Sequence[float | None], digits: int) -> str:
    known = np.abs([value for value in values if value is not None])
    if not len(known):
        return "-"
    parts = (np.median(known), np.percentile(known, 90), known.max())
    return ", ".join(f"{part:.{digits}f}" for part in parts)


def worst(found: Sequence[Flatness], number: int) -> str:
    """One line for each of the `number` worst pictures by brightness, tint, corners and edge."""
    keys = (
        ("stops", lambda o: abs(o.stops or 0)),
        ("tint", lambda o: o.tint or 0),
        ("corner_mm", lambda o: o.corner_mm or 0),
        ("edge_mm", lambda o: o.edge_mm or 0),
    )
    lines = []
    for name, key in keys:
        chosen = sorted(found, key=key, reverse=True)[:number]
        lines += [f"{name:<10} {getattr(o, name) or 0:+.2f}  {o.name} ({o.group})" for o in chosen]
    return "\n".join(lines)


def _measure_seed(seed: int, told: bool) -> Flatness:
    picture, truth = render_table(seed)
    return flatness(picture, truth, truth.inner_mm if told else None)


def measure_seeds(seeds: range, workers: int, told: bool = False) -> Iterator[Flatness]:
    """Measure rendered tables in `workers` processes."""
    with ProcessPoolExecutor(workers, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        yield from pool.map(_measure_seed, seeds, [told] * len(seeds), chunksize=2)


def main(arguments: list[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m calibration.measuring.flat", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="labelled pictures")
    parser.add_argument("--half", choices=("tune", "holdout"), help="only this half of the folder")
    parser.add_argument("-n", type=int, default=80, help="rendered tables, where no folder is named")
    parser.add_argument("--seed", type=int, default=830_000)
    parser.add_argument("--told", action="store_true", help="the tray's inner size is told, as by a profile")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="name the N worst")
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args(arguments)
    if args.folder:
        try:
            pairs = labelled_pictures(args.folder, args.half)
            found = [flatness(p, truth, truth.inner_mm if args.told else None) for p, truth in pairs]
        except VisionError as error:
            sys.stderr.write(f"{error}\n")
            return 2
    else:
        found = list(measure_seeds(range(args.seed, args.seed + args.n), args.workers, args.told))
    sys.stdout.write(table(found) + "\n" + (worst(found, args.worst) + "\n" if args.worst else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
