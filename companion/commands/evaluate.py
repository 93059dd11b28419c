"""`tenshu evaluate`: measure the reader against labelled pictures of one or several folders."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.interrupts import sigterm_unwinds
from calibration.measuring.evaluate import Outcome, Unreadable, evaluate, evaluate_side_by_side, worst
from calibration.measuring.labels import LabelledPicture, Labels, LabelsError, load_labels
from calibration.measuring.report import as_json, as_table, worst_as_json, worst_as_text
from calibration.measuring.settle import SettleOutcome, evaluate_settle, settle_as_json, settle_as_table
from calibration.measuring.split import Half
from companion.measures import from_one, input_path, picture, place
from companion.progress import progress
from companion.usage import require_option
from vision.errors import VisionError

if TYPE_CHECKING:
    from companion.overlays import OverlayFolder

_FORMAT = "The format of labels.json is in docs/evaluate.md."
HELP = "measure the reader against a folder of labelled pictures"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add FOLDER…, profile and output options, [--half], [--sequences] and [--jobs N]."""
    parser.add_argument(
        "folders",
        type=input_path,
        nargs="+",
        metavar="FOLDER",
        help="holds labels.json and its pictures; several are measured one by one and together",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    parser.add_argument("--profile", metavar="NAME", help="read with this profile (see `tenshu calibrate`)")
    parser.add_argument(
        "--data", type=place, metavar="DIR", help="where profiles are kept (also TENSHU_DATA)"
    )
    parser.add_argument("--worst", type=from_one, default=0, metavar="N", help="list the N worst pictures")
    parser.add_argument(
        "--overlay", type=place, metavar="DIR", help="draw what was seen on the worst (default 10)"
    )
    parser.add_argument(
        "--sheet", type=picture, metavar="FILE", help="the worst (default 10) on one picture, with why"
    )
    parser.add_argument(
        "--half",
        choices=("tune", "holdout"),
        help="only one half of the fixed split by file name (of sequences: the first frame's)",
    )
    parser.add_argument("--sequences", action="store_true", help="also measure when motion is seen to end")
    parser.add_argument(
        "--jobs",
        type=from_one,
        default=1,
        metavar="N",
        help="read N pictures at a time, at most one per core: faster, but no reading is timed by itself",
    )


def run(args: argparse.Namespace) -> int:
    """Print the figures; return 2 if a picture could not be read, or could not be drawn afterwards."""
    require_option(args, "--profile", "--data")  # --data is only used for profiles here
    folders = _distinct_folders(args.folders)
    args.jobs = min(args.jobs, os.cpu_count() or 1)  # more would only take memory
    root = folders[0] if len(folders) == 1 else Path()
    labels = _all_labels(folders, root, args)
    _require_pictures_to_draw(labels, args)
    overlays = _overlay_folder(args)
    outcomes, unreadable = _read_all(root, [p for each in labels.values() for p in each.pictures], args)
    settlings, unwatched = _watch_all(root, labels, args.half) if args.sequences else ([], [])
    unreadable += unwatched
    for bad in unreadable:
        sys.stderr.write(f"tenshu: {bad.error}\n")
    number = args.worst or (10 if args.overlay or args.sheet else 0)
    by_folder = _by_folder(outcomes, labels) if len(folders) > 1 else {}
    if args.json:
        body = as_json(outcomes, by_folder)
        body["unreadable"] = [bad.file for bad in unreadable]
        body["jobs"] = args.jobs
        if number:
            body["worst"] = worst_as_json(outcomes, number)
        if args.sequences:
            body["sequences"] = settle_as_json(settlings)
        print(json.dumps(body), flush=True)
    else:
        parts = _report_parts(outcomes, by_folder, number, args.jobs) if outcomes else []
        parts += [settle_as_table(settlings)] if settlings else []
        sys.stdout.write("\n\n".join(parts) + "\n" * bool(parts))
        sys.stdout.flush()  # the following steps may fail
    shown = worst(outcomes, number)
    has_overlays = overlays is None or _try_step(lambda: _draw_overlays(root, overlays, shown))
    has_sheet = not (args.sheet and shown) or _try_step(lambda: _write_sheet(root, args.sheet, shown))
    return 0 if has_overlays and has_sheet and not unreadable else 2


def _distinct_folders(folders: Sequence[Path]) -> list[Path]:
    """Return each folder once, by its first name: otherwise its pictures would count twice."""
    first: dict[Path, Path] = {}
    for folder in folders:
        first.setdefault(folder.resolve(), folder)
    return list(first.values())


def _report_parts(
    outcomes: Sequence[Outcome], by_folder: Mapping[str, Sequence[Outcome]], number: int, jobs: int
) -> list[str]:
    """Return the report on the pictures in parts, to be separated by empty lines."""
    parts = [as_table(outcomes, by_folder)]
    if jobs > 1:
        parts.append(f"read {jobs} at a time: one by one each takes less time than it says here")
    if number:
        parts.append(f"the worst {min(number, len(outcomes))}\n{worst_as_text(outcomes, number)}")
    return parts


def _all_labels(folders: Sequence[Path], root: Path, args: argparse.Namespace) -> dict[Path, Labels]:
    """Return the labels of each folder with pictures of the chosen half. Raise `LabelsError` if none has."""
    found: dict[Path, Labels] = {}
    empty: list[NothingInHalf] = []
    for folder in folders:
        try:
            found[folder] = _labels(folder, root, args)
        except NothingInHalf as error:
            empty.append(error)
    if not found:
        raise empty[0]
    _require_once(found)
    for reason in empty:
        sys.stderr.write(f"tenshu: {reason}\n")
    return found


def _require_once(labels: Mapping[Path, Labels]) -> None:
    """Raise `LabelsError` if two folders name the same picture, which would count twice."""
    if len(labels) == 1:
        return
    first: dict[Path, Path] = {}
    for folder, folder_labels in labels.items():
        for labelled in folder_labels.pictures:
            path = Path(labelled.file)
            before = first.setdefault(path.parent.resolve() / path.name, folder)
            if before != folder:
                raise LabelsError(
                    f"{before} and {folder} both name the picture {path}, which would count twice.",
                    "Leave one of the folders out, or the picture in one labels.json.",
                )


def _require_pictures_to_draw(labels: Mapping[Path, Labels], args: argparse.Namespace) -> None:
    """Raise `LabelsError` if pictures are to be drawn but only sequences are measured."""
    if any(folder_labels.pictures for folder_labels in labels.values()):
        return
    for option in ("sheet", "overlay"):
        if getattr(args, option):
            raise LabelsError(
                f"Only sequences are measured there, and --{option} shows pictures.",
                f"Leave out --{option}.",
            )


class NothingInHalf(LabelsError):
    """A folder has pictures or sequences to measure, but none in the requested half."""


def _labels(folder: Path, root: Path, args: argparse.Namespace) -> Labels:
    """Return a folder's labels of the chosen half, with paths from `root`. Raise `LabelsError` if empty."""
    labels = load_labels(folder)
    measured = labels if args.sequences else replace(labels, sequences=())
    chosen = measured.in_half(args.half)
    if not chosen.pictures and not chosen.sequences:
        if measured.pictures or measured.sequences:
            numbers = {"pictures": len(measured.pictures), "sequences": len(measured.sequences)}
            named = " and ".join(f"{number} {what}" for what, number in numbers.items() if number)
            raise NothingInHalf(
                f"{folder}: none of its {named} is of the half {args.half}.",
                "Measure the other half of it, or leave out --half.",
            )
        remedy = "Its falls are measured with --sequences." if labels.sequences else _FORMAT
        raise LabelsError(f"{folder}/labels.json names no picture.", remedy)
    return chosen.below(Path() if folder == root else folder)


def _overlay_folder(args: argparse.Namespace) -> "OverlayFolder | None":
    """Check the output paths before anything is read, so that errors come early. Raise `VisionError`."""
    from calibration.written import check_writable
    from companion.overlays import OverlayFolder

    if args.sheet:
        check_writable(args.sheet, "another file with --sheet")
    return OverlayFolder(args.overlay) if args.overlay else None


def _try_step(step: Callable[[], None]) -> bool:
    """Run a step and return whether it succeeded; errors are only printed, as the figures are out."""
    try:
        step()
    except VisionError as error:
        sys.stderr.write(f"tenshu: {error}\n")
        return False
    return True


def _read_all(
    root: Path, pictures: Sequence[LabelledPicture], args: argparse.Namespace
) -> tuple[list[Outcome], list[Unreadable]]:
    from companion.readers import asked_reader

    outcomes: list[Outcome] = []
    unreadable: list[Unreadable] = []
    read = asked_reader(args.profile, args.data).read
    if args.jobs > 1:
        results = evaluate_side_by_side(root, pictures, read, args.jobs)
    else:
        results = evaluate(root, pictures, read)
    with sigterm_unwinds(), closing(results):
        for result in progress(results, len(pictures), "pictures read"):
            if isinstance(result, Outcome):
                outcomes.append(result)
            else:
                unreadable.append(result)
    return outcomes, unreadable


def _by_folder(outcomes: Sequence[Outcome], labels: Mapping[Path, Labels]) -> dict[str, list[Outcome]]:
    """Group the outcomes by folder."""
    folder_of = {
        picture.file: str(folder)
        for folder, folder_labels in labels.items()
        for picture in folder_labels.pictures
    }
    by_folder: dict[str, list[Outcome]] = {str(folder): [] for folder in labels}
    for outcome in outcomes:
        by_folder[folder_of[outcome.file]].append(outcome)
    return by_folder


def _watch_all(
    root: Path, labels: Mapping[Path, Labels], which: Half | None
) -> tuple[list[SettleOutcome], list[Unreadable]]:
    sequences = [sequence for folder_labels in labels.values() for sequence in folder_labels.sequences]
    if not sequences:
        of_half = f" of the half {which}" if which else ""
        sys.stderr.write(f"tenshu: No sequence{of_half} is named there. Leave out --sequences. {_FORMAT}\n")
    settlings: list[SettleOutcome] = []
    unreadable: list[Unreadable] = []
    for result in progress(evaluate_settle(root, sequences), len(sequences), "sequences watched"):
        if isinstance(result, SettleOutcome):
            settlings.append(result)
        else:
            unreadable.append(result)
    return settlings, unreadable


def _draw_overlays(folder: Path, overlays: "OverlayFolder", outcomes: Sequence[Outcome]) -> None:
    from vision.pictures import load_picture

    for outcome in outcomes:
        overlays.draw(Path(outcome.file), load_picture(folder / outcome.file), outcome.reading)


def _write_sheet(folder: Path, target: Path, outcomes: Sequence[Outcome]) -> None:
    from companion.sheet import write_sheet

    write_sheet(folder, target, outcomes)
