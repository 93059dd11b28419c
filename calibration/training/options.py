"""Command line of `python -m calibration.training`, without torch so that `--help` works without it."""

import argparse
from pathlib import Path
from typing import Any, Literal, get_args

DESCRIPTION = "Render, fit, refine, export, measure. See docs/training.md."
LookName = Literal["closer", "wide"]
"""Names of the looks in `looks.py`."""
Quantized = Literal["cubes", "closer", "wide", "tray"]
"""Names of the networks that `verbs.py` can quantise to 8 bits."""
LOOKS: tuple[LookName, ...] = get_args(LookName)


def build_parser() -> argparse.ArgumentParser:
    """Build the parser: one verb per invocation, so that a long one can be left unattended."""
    parser = argparse.ArgumentParser(prog="python -m calibration.training", description=DESCRIPTION)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("render", help="synthetic crops into one file")
    verb.add_argument("file", type=Path, help="NAME.npy; the cubes go into NAME.json")
    verb.add_argument("-n", type=_parse_positive, default=3200)
    verb.add_argument("--seed", type=int, default=10_000, help="of the first picture")
    verb.add_argument("--workers", type=_parse_positive, default=2)
    verb.add_argument("--throws", type=Path, help="of `calibration.traced throws`; else heaps are made up")
    verb.add_argument("--stacked", type=float, help="share of cubes that lie on others; drawn when not given")
    verb = verbs.add_parser("fit", help="train on what `render` wrote, and on labelled pictures")
    verb.add_argument("files", type=Path, nargs="+")
    verb.add_argument("-o", "--output", type=Path, required=True, help="checkpoint to write")
    verb.add_argument("--start", type=Path, help="checkpoint, or exported file of floats, to start from")
    verb.add_argument("--minutes", type=float, default=30)
    verb.add_argument("--rate", type=float, default=2e-3)
    verb.add_argument("--seed", type=int, default=1)
    verb.add_argument("--threads", type=_parse_positive, default=1, help="more help only on idle cores")
    verb.add_argument("--real", type=Path, help="folder of labelled pictures; only its tuning half is used")
    verb.add_argument("--also", type=Path, nargs="*", default=[], help="labelled folders to use whole")
    verb.add_argument("--real-share", type=float, default=0.3, help="of the views, from labelled pictures")
    _add_dyed_options(verb, 3)
    verb = verbs.add_parser(
        "surety", help="make a checkpoint's scores probabilities, by crops it did not see"
    )
    verb.add_argument("checkpoint", type=Path)
    verb.add_argument("files", type=Path, nargs="+")
    verb.add_argument("-o", "--output", type=Path, required=True)
    verb.add_argument("--real", type=Path, help="folder of labelled pictures; only its tuning half is used")
    verb.add_argument("--also", type=Path, nargs="*", default=[], help="labelled folders to use whole")
    _add_convert_verbs(verbs)
    _add_places_verb(verbs)
    for name in LOOKS:
        _add_look_verb(verbs, name)
    _add_card_verb(verbs)
    _add_surety_verb(verbs)
    verb = verbs.add_parser("measure", help="the exported detector on crops with true geometry")
    verb.add_argument("--files", type=Path, nargs="*", default=[])
    verb.add_argument("--real", type=Path, help="folder of labelled pictures: both halves, told apart")
    return parser


def _add_convert_verbs(verbs: Any) -> None:
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
    verb.add_argument("-n", type=_parse_positive, default=120, help="rendered trays to measure ranges on")
    verb.add_argument("--seed", type=int, default=700_000, help="of the first of them")
    verb.add_argument("--of", choices=get_args(Quantized), default="cubes", help="which network it is")
    verb.add_argument("-o", "--output", type=Path, help="usually the file in vision/data")


def _add_places_verb(verbs: Any) -> None:
    verb = verbs.add_parser("places", help="places that are hard, of rendered pictures, into one file")
    verb.add_argument("file", type=Path, help="NAME.npy, up to 1.3 MB a picture; the truth: NAME.json")
    verb.add_argument("--of", choices=LOOKS, default="wide", help="which look learns from them")
    verb.add_argument("-n", type=_parse_positive, default=1000, help="pictures")
    verb.add_argument("--black", action="store_true", help="mostly black cubes in black trays, all of them")
    verb.add_argument("--seed", type=int, default=50_000_000, help="of the first picture")
    verb.add_argument("--workers", type=_parse_positive, default=2)


def _add_look_verb(verbs: Any, name: str) -> None:
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
    verb.add_argument("--threads", type=_parse_positive, default=1)
    verb.add_argument("--real", type=Path, help="folder of labelled pictures; only its tuning half is used")
    verb.add_argument("--also", type=Path, nargs="*", default=[], help="labelled folders to use whole")
    verb.add_argument("--real-share", type=_parse_share, help="of what is learned, from these; else a third")
    _add_dyed_options(verb, 4)


def _add_card_verb(verbs: Any) -> None:
    verb = verbs.add_parser(
        "card", help="train a network on a graphics card, from shards that are written meanwhile"
    )
    verb.add_argument("folder", type=Path, help="where `python -m calibration.rays places` writes them")
    verb.add_argument("--of", choices=("cubes", *LOOKS), default="wide", help="which network")
    verb.add_argument("-o", "--output", type=Path, required=True, help="checkpoint to write")
    verb.add_argument("--start", type=Path, required=True, help="checkpoint to start from")
    verb.add_argument(
        "--kept", type=_parse_share, default=0.3, help="of what it began from, in the weights at last"
    )
    verb.add_argument("--minutes", type=float, default=9.5)
    verb.add_argument("--rate", type=float, default=1.5e-3)
    verb.add_argument("--batch", type=_parse_positive, default=384)
    verb.add_argument("--real", type=Path, help="folder of labelled pictures; only its tuning half is used")
    verb.add_argument("--also", type=Path, nargs="*", default=[], help="labelled folders to use whole")
    _add_dyed_options(verb, 5)


def _add_dyed_options(verb: Any, usual: int) -> None:
    verb.add_argument("--dyed", type=_parse_copies, default=usual, help="dyed copies of each of `--real`")
    verb.add_argument("--also-dyed", type=_parse_copies, help="the same of `--also`; as many when not given")


def _parse_positive(text: str) -> int:
    if not (text.isdecimal() and int(text)):
        raise argparse.ArgumentTypeError(f"{text} is no such number: 1, 2, 3, …")
    return int(text)


def _parse_share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a share between 0 and 1, as 0.65 is.")
    return share


def _parse_copies(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} is no number of copies: 0, 1, 2, …")
    return int(text)


def _add_surety_verb(verbs: Any) -> None:
    verb = verbs.add_parser(
        "closer-surety", help="export it; say what makes both networks' words probabilities"
    )
    verb.add_argument("checkpoint", type=Path)
    verb.add_argument("files", type=Path, nargs="+", help="of `render`, never trained on")
    verb.add_argument("-o", "--output", type=Path, default=Path("closer-float.onnx"))
    verb = verbs.add_parser("finer-surety", help="the same of the finer look as it ships; exports nothing")
    verb.add_argument("files", type=Path, nargs="*", help="of `render`, never trained on")
    verb.add_argument("--also", type=Path, nargs="*", default=[], help="labelled folders, never trained on")
