"""`python -m calibration.training`: render, fit, refine, export, measure. See docs/training.md."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from calibration.extras import ended_without

try:
    import onnx  # noqa: F401 - told here, not from inside of what is imported below
    import torch
    from torch import nn
except ModuleNotFoundError as missing:
    raise ended_without(missing) from None

import cv2
import numpy as np

from calibration.measuring.labels import entries_of
from calibration.measuring.split import Half
from calibration.progress import say
from calibration.synth import Options
from calibration.synth.throws import read_throws
from calibration.training.card import Lesson, teach_on_card, there
from calibration.training.checkpoints import between, mean_of
from calibration.training.closer import CloserPlan, curves_of, export_closer, fit_closer, load_closer
from calibration.training.crops import Crop, as_read, from_labels, read, write
from calibration.training.fit import Plan, batch_of, fit, load
from calibration.training.hard import PlacesError, write_places
from calibration.training.likeliest import finer_curves
from calibration.training.looks import LOOKS
from calibration.training.measure import measure
from calibration.training.net import CubeNet, export
from calibration.training.peaks import peaks_of
from calibration.training.pools import SEEN, lesson_of
from calibration.training.quantize import (
    places,
    quantize,
    sums,
    tables,
    trays,
    wide_places,
)
from calibration.training.revive import revive
from calibration.training.running import export_running
from calibration.training.shards import trays_of, write_shard, write_trays
from calibration.training.surety import make_sure
from calibration.training.timed import Course
from calibration.training.trays import DETECTOR
from calibration.training.views import view
from calibration.training.wide import load_wide
from vision.errors import VisionError

_SHARES = {"traced": 0.76, "rendered": 0.2, "labelled": 0.04}
"""Of what is learned on a graphics card."""
_MEASURED = 24
"""Rendered trays that tell how large the values of an exported detector are."""
_QUANTIZED = {
    "cubes": (trays, (2, 2)),
    "closer": (places, (1, 1)),
    "wide": (wide_places, (0, 1)),
    "tray": (tables, (1, 1)),
}
"""What a network is shown while its ranges are measured; its first and last convolutions that stay floats.

OpenCV 5.0 gets a convolution of 8 bits wrong whose outputs are no multiple of eight, on processors with VNNI
(opencv/opencv#28798): the looks' last has 15.
"""


def main() -> int:
    """One verb a run, so that a long one can be left alone."""
    parser = argparse.ArgumentParser(prog="python -m calibration.training", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("render", help="synthetic crops into one file")
    verb.add_argument("file", type=Path, help="NAME.npy; the cubes go into NAME.json")
    verb.add_argument("-n", type=int, default=3200)
    verb.add_argument("--seed", type=int, default=10_000, help="of the first picture")
    verb.add_argument("--workers", type=int, default=2)
    verb.add_argument("--throws", type=Path, help="of `calibration.traced throws`; else heaps are made up")
    verb.add_argument("--stacked", type=float, help="share of cubes that lie on others; drawn when not given")
    verb = verbs.add_parser("fit", help="train on what `render` wrote, and on labelled pictures")
    verb.add_argument("files", type=Path, nargs="+")
    verb.add_argument("-o", "--output", type=Path, required=True, help="checkpoint to write")
    verb.add_argument("--start", type=Path, help="checkpoint, or exported file of floats, to start from")
    verb.add_argument("--minutes", type=float, default=30)
    verb.add_argument("--rate", type=float, default=2e-3)
    verb.add_argument("--seed", type=int, default=1)
    verb.add_argument("--threads", type=int, default=1, help="more help only on idle cores")
    verb.add_argument("--real", type=Path, help="folder of labelled pictures; only its tuning half is used")
    verb.add_argument("--also", type=Path, nargs="*", default=[], help="labelled folders to use whole")
    verb.add_argument("--real-share", type=float, default=0.3, help="of the views, from labelled pictures")
    _dyed_options(verb, 3)
    verb = verbs.add_parser(
        "surety", help="make a checkpoint's scores probabilities, by crops it did not see"
    )
    verb.add_argument("checkpoint", type=Path)
    verb.add_argument("files", type=Path, nargs="+")
    verb.add_argument("-o", "--output", type=Path, required=True)
    verb.add_argument("--real", type=Path, help="folder of labelled pictures; only its tuning half is used")
    verb.add_argument("--also", type=Path, nargs="*", default=[], help="labelled folders to use whole")
    _convert_verbs(verbs)
    _places_verb(verbs)
    for name in LOOKS:
        _look_verb(verbs, name)
    _card_verb(verbs)
    _surety_verb(verbs)
    verb = verbs.add_parser("measure", help="the exported detector on crops with true geometry")
    verb.add_argument("--files", type=Path, nargs="*", default=[])
    verb.add_argument("--real", type=Path, help="folder of labelled pictures: both halves, told apart")
    try:
        return _run(parser.parse_args())
    except VisionError as error:
        sys.stderr.write(f"{error}\n")
        return 2


def _convert_verbs(verbs: Any) -> None:
    verb = verbs.add_parser("export", help="a checkpoint to an ONNX file of floats")
    verb.add_argument("checkpoint", type=Path)
    verb.add_argument("--of", choices=("cubes", "wide"), default="cubes", help="which network")
    verb.add_argument("-o", "--output", type=Path, help="NAME-float.onnx when not given")
    verb = verbs.add_parser("mean", help="the mean of checkpoints of one network and one beginning")
    verb.add_argument("checkpoints", type=Path, nargs="+")
    verb.add_argument("-o", "--output", type=Path, required=True, help="checkpoint to write")
    verb = verbs.add_parser("sums", help="what a processor's products of 8 bits are asked about by")
    verb.add_argument("-o", "--output", type=Path, default=Path("vision/data/sums.onnx"))
    verb = verbs.add_parser("quantize", help="an exported file to 8 bits: a third of the time")
    verb.add_argument("floats", type=Path)
    verb.add_argument("-n", type=int, default=120, help="rendered trays to measure ranges on")
    verb.add_argument("--seed", type=int, default=700_000, help="of the first of them")
    verb.add_argument("--of", choices=tuple(_QUANTIZED), default="cubes", help="which network it is")
    verb.add_argument("-o", "--output", type=Path, help="usually the file in vision/data")


def _places_verb(verbs: Any) -> None:
    verb = verbs.add_parser("places", help="places that are hard, of rendered pictures, into one file")
    verb.add_argument("file", type=Path, help="NAME.npy, up to 1.3 MB a picture; the truth: NAME.json")
    verb.add_argument("--of", choices=tuple(LOOKS), default="wide", help="which look learns from them")
    verb.add_argument("-n", type=_one_or_more, default=1000, help="pictures")
    verb.add_argument("--black", action="store_true", help="mostly black cubes in black trays, all of them")
    verb.add_argument("--seed", type=int, default=50_000_000, help="of the first picture")
    verb.add_argument("--workers", type=_one_or_more, default=2)


def _look_verb(verbs: Any, name: str) -> None:
    verb = verbs.add_parser(name, help=f"train the {name} look, at what the shipped networks name")
    verb.add_argument("files", type=Path, nargs="*", help="of `render`, of seeds that the detector never saw")
    verb.add_argument("--fallen", type=Path, nargs="*", default=[], help="of `render --throws`")
    verb.add_argument("--places", type=Path, nargs="*", default=[], help=f"of `places --of {name}`")
    verb.add_argument("-o", "--output", type=Path, required=True, help="checkpoint to write")
    verb.add_argument(
        "--start",
        type=Path,
        help="checkpoint to start from; wide takes a smaller one of its kind too",
    )
    verb.add_argument("--minutes", type=float, default=60)
    verb.add_argument("--rate", type=float, default=2e-3)
    verb.add_argument("--seed", type=int, default=1)
    verb.add_argument("--threads", type=int, default=1)
    verb.add_argument("--real", type=Path, help="folder of labelled pictures; only its tuning half is used")
    verb.add_argument("--also", type=Path, nargs="*", default=[], help="labelled folders to use whole")
    verb.add_argument("--real-share", type=_share, help="of what is learned, from these; else a third")
    _dyed_options(verb, 4)


def _card_verb(verbs: Any) -> None:
    verb = verbs.add_parser(
        "card", help="train a network on a graphics card, from shards that are written meanwhile"
    )
    verb.add_argument("folder", type=Path, help="where `python -m calibration.rays places` writes them")
    verb.add_argument("--of", choices=("cubes", *LOOKS), default="wide", help="which network")
    verb.add_argument("-o", "--output", type=Path, required=True, help="checkpoint to write")
    verb.add_argument("--start", type=Path, required=True, help="checkpoint to start from")
    verb.add_argument(
        "--kept", type=_share, default=0.3, help="of what it began from, in the weights at last"
    )
    verb.add_argument("--minutes", type=float, default=9.5)
    verb.add_argument("--rate", type=float, default=1.5e-3)
    verb.add_argument("--batch", type=_one_or_more, default=384)
    verb.add_argument("--real", type=Path, help="folder of labelled pictures; only its tuning half is used")
    verb.add_argument("--also", type=Path, nargs="*", default=[], help="labelled folders to use whole")
    _dyed_options(verb, 5)


def _dyed_options(verb: Any, usual: int) -> None:
    verb.add_argument("--dyed", type=_copies, default=usual, help="dyed copies of each of `--real`")
    verb.add_argument("--also-dyed", type=_copies, help="the same of `--also`; as many when not given")


def _one_or_more(text: str) -> int:
    if not (text.isdecimal() and int(text)):
        raise argparse.ArgumentTypeError(f"{text} is no such number: 1, 2, 3, …")
    return int(text)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share < 1:
        raise argparse.ArgumentTypeError(f"{text} is no share between 0 and 1, as 0.65 is.")
    return share


def _copies(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} is no number of copies: 0, 1, 2, …")
    return int(text)


def _surety_verb(verbs: Any) -> None:
    verb = verbs.add_parser(
        "closer-surety", help="export it; say what makes both networks' words probabilities"
    )
    verb.add_argument("checkpoint", type=Path)
    verb.add_argument("files", type=Path, nargs="+", help="of `render`, never trained on")
    verb.add_argument("-o", "--output", type=Path, default=Path("closer-float.onnx"))
    verb = verbs.add_parser("finer-surety", help="the same of the finer look as it ships; exports nothing")
    verb.add_argument("files", type=Path, nargs="*", help="of `render`, never trained on")
    verb.add_argument("--also", type=Path, nargs="*", default=[], help="labelled folders, never trained on")


def _run(args: argparse.Namespace) -> int:
    if args.verb == "render":
        if args.throws:
            read_throws(args.throws)  # a wrong file is told before an hour's work begins
        options = Options(stacked=args.stacked, throws=args.throws)
        write(args.file, range(args.seed, args.seed + args.n), args.workers, options)
    elif args.verb == "places":
        seeds = range(args.seed, args.seed + args.n)
        say(f"{write_places(args.file, seeds, args.workers, LOOKS[args.of].hard, black=args.black)} places")
    elif args.verb == "fit":
        torch.set_num_threads(args.threads)
        cv2.setNumThreads(args.threads)
        crops = _read(args.files)
        labelled = _labelled(args.real, args.also, args.dyed, args.also_dyed)
        real = [replace(crop, source=None) for crop in labelled]
        net = _started(args.start, crops)
        plan = Plan(args.minutes, args.rate, seed=args.seed, real_share=args.real_share if real else 0.0)
        fit(net, crops, real, plan, save=args.output, report=say)
    elif args.verb == "surety":
        net = load(args.checkpoint)
        crops = _read(args.files)
        curves = make_sure(net, crops, [*_labelled(args.real, args.also)])
        torch.save(net.state_dict(), args.output)
        for name, (slope, offset) in curves.items():
            say(f"{name}: logit times {slope:.3f} plus {offset:+.3f}")
    elif args.verb in ("export", "mean", "quantize", "sums"):
        _convert(args)
    elif args.verb in ("card", *LOOKS):
        (_card if args.verb == "card" else _look)(args)
    elif args.verb.endswith("-surety"):
        _surety(args)
    else:
        for file in args.files:
            say(f"{file.name}: {measure(read(file))}")
        halves: tuple[Half, ...] = ("tune", "holdout") if args.real else ()
        for name in halves:
            say(f"{name}: {measure([*_half(args.real, name)])}")
    return 0


def _convert(args: argparse.Namespace) -> None:
    """Weights in, weights out."""
    if args.verb == "export":
        _export(args.checkpoint, args.of, args.output or Path(f"{args.of}-float.onnx"))
    elif args.verb == "sums":
        sums(args.output)
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


def _surety(args: argparse.Namespace) -> None:
    crops = _read(args.files)
    if args.verb == "finer-surety":
        crops += _labelled(None, args.also)
        say(f"for vision/finding/finer.py: {finer_curves(crops)}")
        return
    closer = load_closer(args.checkpoint)
    say(f"for vision/finding/closer.py: {curves_of(closer, peaks_of(crops))}")
    export_closer(closer, args.output)


def _look(args: argparse.Namespace) -> None:
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(args.threads)
    look = LOOKS[args.verb]
    labelled, others = args.real or args.also, args.files or args.fallen or args.places
    if args.real_share and not (labelled and others):  # told before the minutes that reading takes
        raise PlacesError(
            "--real-share divides what is learned between labelled pictures and others.",
            "Name labelled folders with `--real` or `--also`, and hard places with `--places`.",
        )
    real = _labelled(args.real, args.also, args.dyed, args.also_dyed)
    sources = look.sources(args.files, args.fallen, real, args.places, args.real_share)
    say(f"{' and '.join(str(len(places)) for places, _ in sources)} places")
    plan = CloserPlan(args.minutes, args.rate, args.seed, batch=look.batch)
    fit_closer(look.net(args.start), sources, plan, turn=look.turn, save=args.output, report=say)


def _card(args: argparse.Namespace) -> None:
    there(args.folder, args.output.parent)
    whole = args.of == "cubes"
    net: nn.Module = _detector(args.start) if whole else LOOKS[args.of].net(args.start)
    labelled = _labelled(args.real, args.also, args.dyed, args.also_dyed)
    if whole:
        if trays := trays_of([replace(crop, source=None) for crop in labelled]):
            write_trays(args.folder, "labelled-real", trays)
    elif places := LOOKS[args.of].learned(labelled):
        write_shard(args.folder, "labelled-real", places)
    begun = {name: value.clone() for name, value in net.state_dict().items()}
    course = Course(args.minutes, args.rate, decay=1e-2, last=0.01, warm=200)
    lesson: Lesson[Any] = DETECTOR if whole else lesson_of(SEEN[args.of])
    teach_on_card(net, args.folder, course, _SHARES, lesson, batch=args.batch, save=args.output, report=say)
    torch.save(between(begun, net.state_dict(), 1 - args.kept), args.output)


def _detector(start: Path) -> CubeNet:
    measured = range(_MEASURED) if start.suffix == ".onnx" else ()  # a checkpoint knows its values
    return _started(start, [as_read(seed) for seed in measured])


def _read(files: Sequence[Path]) -> list[Crop]:
    return [crop for file in files for crop in read(file)]


def _started(path: Path | None, crops: list[Crop]) -> CubeNet:
    if path is None:
        return CubeNet()
    if path.suffix != ".onnx":
        return load(path)
    rng = np.random.default_rng(4)
    views = [batch_of([view(rng, crops[int(rng.integers(len(crops)))]) for _ in range(24)]) for _ in range(4)]
    return revive(path, views)


def _labelled(
    real: Path | None, also: Sequence[Path], dyed: int = 0, also_dyed: int | None = None
) -> Iterator[Crop]:
    """The tuning half of one folder, all of the others; and copies of each in other colours."""
    if real:
        yield from _half(real, "tune", dyed)
    for folder in also:
        yield from from_labels(folder, entries_of(folder), dyed if also_dyed is None else also_dyed)


def _half(folder: Path, name: Half, dyed: int = 0) -> Iterator[Crop]:
    return from_labels(folder, entries_of(folder, name), dyed)


if __name__ == "__main__":
    sys.exit(main())
