"""`tenshu count`: count what lies in the tray, from pictures."""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from companion.measures import input_path, place
from companion.progress import progress
from companion.usage import require_option
from vision.advice import ADVICE, Advice, Advised
from vision.errors import PictureError, one_line
from vision.pictures import load_picture, picture_files
from vision.reading import TrayReading
from vision.scene.trouble import picture_trouble

HELP = "count the cubes in pictures of a tray"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add PICTURE… [--json] [--profile NAME] [--data DIR] [--overlay DIR]."""
    parser.add_argument(
        "pictures", type=input_path, nargs="+", metavar="PICTURE", help="a picture or a folder of them"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per picture, one per line")
    parser.add_argument("--profile", metavar="NAME", help="read with this profile (see `tenshu calibrate`)")
    parser.add_argument(
        "--data", type=place, metavar="DIR", help="where profiles are kept (also TENSHU_DATA)"
    )
    parser.add_argument(
        "--overlay", type=place, metavar="DIR", help="write copies of the pictures with what was seen marked"
    )


def run(args: argparse.Namespace) -> int:
    """Print one line per picture; a bad picture does not stop the others but makes the exit status 2."""
    from companion.readers import asked_move_check, asked_reader

    require_option(args, "--profile", "--data")  # --data is only used for profiles here
    reader = asked_reader(args.profile, args.data)
    has_moved = asked_move_check(args.profile, args.data)
    overlays = None
    if args.overlay:
        from companion.overlays import OverlayFolder

        overlays = OverlayFolder(args.overlay)
    files, failed = _find_files(args.pictures)
    for path in progress(files, len(files), "pictures looked at"):
        try:
            picture = load_picture(path)
        except PictureError as error:
            _report_unreadable(path, error, args.json)
            failed = True
            continue
        start = perf_counter()
        reading = reader.read(picture)
        ms = (perf_counter() - start) * 1000
        trouble = picture_trouble(picture) or has_moved(picture, reading)
        accepted = replace(reading, certain=reading.certain and trouble is None)
        drawn = overlays.draw(path, picture, accepted) if overlays else None
        if args.json:
            print(json.dumps(as_json(path, reading, trouble, ms, drawn)), flush=True)
        else:
            print(as_text(path, reading, trouble), flush=True)
    return 2 if failed else 0


def as_json(
    path: Path, reading: TrayReading, trouble: Advised | None, ms: float, drawn: Path | None = None
) -> dict[str, object]:
    """Return one picture's reading for scripts; pixels refer to the upright picture."""
    return {
        "file": str(path),
        "counts": dict(reading.counts),
        "total": reading.total,
        "certain": reading.certain and trouble is None,
        "doubts": [str(doubt) for doubt in reading.doubts],
        "asks": [f"{advice.sentence} {advice.remedy}" for advice in advices(reading, trouble)],
        "confidence": {colour: round(value, 4) for colour, value in reading.confidence.items()},
        "mat_seen": reading.mat_seen,
        "tray_outline_px": _rounded_points(reading.tray_outline_px),
        "cube_mm": reading.cube_mm,
        "width": reading.size_px[0],
        "height": reading.size_px[1],
        "cubes": [
            {
                "colour": cube.colour,
                "centre_px": _rounded_point(cube.centre_px),
                "outline_px": _rounded_points(cube.outline_px),
                "centre_mm": _rounded_point(cube.centre_mm),
                "confidence": round(cube.confidence, 4),
            }
            for cube in reading.cubes
        ],
        "open_places": [
            {
                "centre_px": _rounded_point(place.centre_px),
                "edge_px": round(place.edge_px, 1),
                "under": place.under,
                "counted": place.counted or None,
                "answers": {colour or "none": round(chance, 4) for colour, chance in place.answers},
            }
            for place in reading.open_places
        ],
        "ms": round(ms, 1),
        **({"overlay": str(drawn)} if drawn else {}),
    }


def as_text(path: Path, reading: TrayReading, trouble: Advised | None) -> str:
    """Return one picture's reading for people: counts, then why it asks and what to do."""
    counts = (
        ", ".join(f"{number} {colour}" for colour, number in reading.counts.items() if number) or "no cube"
    )
    asks = advices(reading, trouble)
    verdict = "certain" if reading.certain and trouble is None else "please check"
    lines = [f"{one_line(str(path))}: {counts} ({verdict})"]
    return "\n".join(lines + [f"  {advice.sentence} {advice.remedy}" for advice in asks])


def advices(reading: TrayReading, trouble: Advised | None) -> list[Advice]:
    """Return why a reading asks, most serious first; trouble with the whole picture replaces the rest."""
    if trouble is not None:
        return [trouble.value]
    return [] if reading.certain else [ADVICE[doubt] for doubt in reading.doubts]


def _find_files(paths: list[Path]) -> tuple[list[Path], bool]:
    files: list[Path] = []
    failed = False
    for path in paths:
        try:
            files += picture_files([path])
        except PictureError as error:
            sys.stderr.write(f"tenshu: {error}\n")
            failed = True
    return files, failed


def _report_unreadable(path: Path, error: PictureError, as_object: bool) -> None:
    if as_object:
        print(json.dumps({"file": str(path), "error": error.sentence, "remedy": error.remedy}), flush=True)
    sys.stderr.write(f"tenshu: {error}\n")


def _rounded_point(point: tuple[float, float]) -> list[float]:
    return [round(point[0], 2), round(point[1], 2)]


def _rounded_points(points: tuple[tuple[float, float], ...]) -> list[list[float]]:
    return [_rounded_point(point) for point in points]
