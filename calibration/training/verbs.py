"""Implementation of the verbs of `python -m calibration.training`. Needs torch and onnx."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn

from calibration.measuring.labels import entries_of
from calibration.measuring.split import Half
from calibration.progress import say
from calibration.synth import Options
from calibration.synth.throws import read_throws
from calibration.training.card import Lesson, require_folders, teach_on_card
from calibration.training.checkpoints import interpolate_weights, mean_of
from calibration.training.closer import CloserPlan, curves_of, export_closer, fit_closer, load_closer
from calibration.training.crops import Crop, crop_as_read, crops_from_labels, read, write
from calibration.training.fit import Plan, batch_of, fit, load
from calibration.training.hard import PlacesError, write_places
from calibration.training.likeliest import fit_finer_curves
from calibration.training.looks import LOOKS
from calibration.training.measure import measure
from calibration.training.net import CubeNet, export
from calibration.training.options import Quantized
from calibration.training.peaks import peaks_of
from calibration.training.pools import LOOK_VIEWS, lesson_of
from calibration.training.quantize import (
    Shown,
    places,
    quantize,
    tables,
    trays,
    wide_places,
    write_sums_graph,
)
from calibration.training.revive import revive
from calibration.training.running import export_running
from calibration.training.shards import trays_of, write_shard, write_trays
from calibration.training.surety import calibrate_certainty
from calibration.training.timed import Course
from calibration.training.trays import DETECTOR
from calibration.training.views import view
from calibration.training.wide import load_wide

_SHARES = {"traced": 0.76, "rendered": 0.2, "labelled": 0.04}
"""Shares of a batch on a graphics card, by source."""
_MEASURED_TRAYS = 24
"""Rendered trays on which an exported detector's normalisation statistics are measured."""
_QUANTIZED: dict[Quantized, tuple[Callable[[range], Iterator[Shown]], tuple[int, int]]] = {
    "cubes": (trays, (2, 2)),
    "closer": (places, (1, 1)),
    "wide": (wide_places, (0, 1)),
    "tray": (tables, (1, 1)),
}
"""For each network, the samples its ranges are measured on, and how many of its first and last convolutions
stay floats.

OpenCV 5.0 computes an 8-bit convolution wrongly if its number of outputs is no multiple of eight, on
processors with VNNI (opencv/opencv#28798): the looks' last has 15.
"""


def run(args: argparse.Namespace) -> int:
    """Run one verb with arguments parsed by `options`; return the exit status. Raises `VisionError`."""
    if args.verb == "render":
        if args.throws:
            read_throws(args.throws)  # fail on a wrong file before an hour's work
        options = Options(stacked=args.stacked, throws=args.throws)
        write(args.file, range(args.seed, args.seed + args.n), args.workers, options)
    elif args.verb == "places":
        seeds = range(args.seed, args.seed + args.n)
        find_hard_places = LOOKS[args.of].find_hard_places
        say(f"{write_places(args.file, seeds, args.workers, find_hard_places, black=args.black)} places")
    elif args.verb == "fit":
        torch.set_num_threads(args.threads)
        cv2.setNumThreads(args.threads)
        crops = _read_crops(args.files)
        labelled = _labelled_crops(args.real, args.also, args.dyed, args.also_dyed)
        real = [replace(crop, source=None) for crop in labelled]
        net = _starting_net(args.start, crops)
        plan = Plan(args.minutes, args.rate, seed=args.seed, real_share=args.real_share if real else 0.0)
        fit(net, crops, real, plan, save=args.output, report=say)
    elif args.verb == "surety":
        net = load(args.checkpoint)
        crops = _read_crops(args.files)
        curves = calibrate_certainty(net, crops, [*_labelled_crops(args.real, args.also)])
        torch.save(net.state_dict(), args.output)
        for name, (slope, offset) in curves.items():
            say(f"{name}: logit times {slope:.3f} plus {offset:+.3f}")
    elif args.verb in ("export", "mean", "quantize", "sums"):
        _convert(args)
    elif args.verb in ("card", *LOOKS):
        (_train_on_card if args.verb == "card" else _train_look)(args)
    elif args.verb.endswith("-surety"):
        _fit_surety(args)
    else:
        for file in args.files:
            say(f"{file.name}: {measure(read(file))}")
        halves: tuple[Half, ...] = ("tune", "holdout") if args.real else ()
        for name in halves:
            say(f"{name}: {measure([*_crops_of_half(args.real, name)])}")
    return 0


def _convert(args: argparse.Namespace) -> None:
    """Run one of the verbs that turn weights into other weights."""
    if args.verb == "export":
        _export(args.checkpoint, args.of, args.output or Path(f"{args.of}-float.onnx"))
    elif args.verb == "sums":
        write_sums_graph(args.output)
    elif args.verb == "mean":
        torch.save(mean_of(args.checkpoints), args.output)
    else:
        shown, ends = _QUANTIZED[args.of]
        output = args.output or Path(f"vision/data/{args.of}.onnx")
        quantize(args.floats, output, shown(range(args.seed, args.seed + args.n)), ends)


def _export(checkpoint: Path, name: str, output: Path) -> None:
    if name == "wide":
        export_running(load_wide(checkpoint), output)
    else:
        export(load(checkpoint), output)


def _fit_surety(args: argparse.Namespace) -> None:
    crops = _read_crops(args.files)
    if args.verb == "finer-surety":
        crops += _labelled_crops(None, args.also)
        say(f"for vision/finding/finer.py: {fit_finer_curves(crops)}")
        return
    closer = load_closer(args.checkpoint)
    say(f"for vision/finding/closer.py: {curves_of(closer, peaks_of(crops))}")
    export_closer(closer, args.output)


def _train_look(args: argparse.Namespace) -> None:
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(args.threads)
    look = LOOKS[args.verb]
    labelled, unlabelled = args.real or args.also, args.files or args.fallen or args.places
    if args.real_share and not (labelled and unlabelled):  # fail before minutes of reading
        raise PlacesError(
            "--real-share divides what is learned between labelled pictures and others.",
            "Name labelled folders with `--real` or `--also`, and hard places with `--places`.",
        )
    real = _labelled_crops(args.real, args.also, args.dyed, args.also_dyed)
    sources = look.sources(args.files, args.fallen, real, args.places, args.real_share)
    say(f"{' and '.join(str(len(places)) for places, _ in sources)} places")
    plan = CloserPlan(args.minutes, args.rate, args.seed, batch=look.batch)
    fit_closer(look.net(args.start), sources, plan, turn=look.turn, save=args.output, report=say)


def _train_on_card(args: argparse.Namespace) -> None:
    require_folders(args.folder, args.output.parent)
    is_detector = args.of == "cubes"
    net: nn.Module = _starting_detector(args.start) if is_detector else LOOKS[args.of].net(args.start)
    labelled = _labelled_crops(args.real, args.also, args.dyed, args.also_dyed)
    if is_detector:
        if trays := trays_of([replace(crop, source=None) for crop in labelled]):
            write_trays(args.folder, "labelled-real", trays)
    elif places := LOOKS[args.of].find_places(labelled):
        write_shard(args.folder, "labelled-real", places)
    start_weights = {name: value.clone() for name, value in net.state_dict().items()}
    course = Course(args.minutes, args.rate, decay=1e-2, last=0.01, warm=200)
    lesson: Lesson[Any] = DETECTOR if is_detector else lesson_of(LOOK_VIEWS[args.of])
    teach_on_card(net, args.folder, course, _SHARES, lesson, batch=args.batch, save=args.output, report=say)
    torch.save(interpolate_weights(start_weights, net.state_dict(), 1 - args.kept), args.output)


def _starting_detector(start: Path) -> CubeNet:
    measured = range(_MEASURED_TRAYS) if start.suffix == ".onnx" else ()  # a checkpoint holds the statistics
    return _starting_net(start, [crop_as_read(seed) for seed in measured])


def _read_crops(files: Sequence[Path]) -> list[Crop]:
    return [crop for file in files for crop in read(file)]


def _starting_net(path: Path | None, crops: list[Crop]) -> CubeNet:
    if path is None:
        return CubeNet()
    if path.suffix != ".onnx":
        return load(path)
    rng = np.random.default_rng(4)
    views = [batch_of([view(rng, crops[int(rng.integers(len(crops)))]) for _ in range(24)]) for _ in range(4)]
    return revive(path, views)


def _labelled_crops(
    real: Path | None, also: Sequence[Path], dyed: int = 0, also_dyed: int | None = None
) -> Iterator[Crop]:
    """Yield crops of the tuning half of one folder and all of the others, and copies in other colours."""
    if real:
        yield from _crops_of_half(real, "tune", dyed)
    for folder in also:
        yield from crops_from_labels(folder, entries_of(folder), dyed if also_dyed is None else also_dyed)


def _crops_of_half(folder: Path, name: Half, dyed: int = 0) -> Iterator[Crop]:
    return crops_from_labels(folder, entries_of(folder, name), dyed)
