"""Expected against actual unseen cubes: `python -m calibration.measuring.unseen FOLDER …`.

A reading whose cubes are all sure may still doubt that it knows of every cube: some may lie under or behind
others, in glare, or be black on a dark floor (`vision.doubting.unseen`). For such trays this compares the
number of cubes that no place accounts for with the number the reader expected for each of these reasons.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.measuring.labels import entries_of
from calibration.synth.truth import COUNTED
from calibration.training.crops import Crop, crops_from_labels
from calibration.training.pairs import BORDER, pair_with_cubes
from vision.counting.odds import CERTAIN_AT_LEAST
from vision.doubting.doubts import is_sure
from vision.doubting.unseen import hidden_by_cubes
from vision.errors import PictureError, VisionError
from vision.finding.detector import COLOURS
from vision.reader import Found, TrayReader
from vision.shown import COUNTED_PRESENCE

REASONS = {
    "under": "under and behind others",
    "glare": "in glare",
    "dark": "black, on a dark floor",
}
_ENOUGH = 0.01
"""Expected number of cubes in glare above which a missed cube is put down to glare."""


@dataclass(frozen=True, slots=True)
class Tray:
    """A tray whose places are all sure by themselves."""

    expected: dict[str, float]
    """Expected number of unseen cubes, by reason."""
    missed: dict[str, int]
    """Actual number of missed cubes, by reason; black ones on a dark floor are put down to the floor."""


def trays_of(crops: Iterable[Crop], reader: TrayReader) -> Iterator[Tray]:
    """Yield the trays of labelled crops, except those with a doubt about a place or the picture."""
    for crop in crops:
        found = None if crop.source is None else reader.find(crop.source.picture)
        if found is None or found.reasons.has_any or not is_sure(found.seen):
            continue
        expected = _expected_unseen(found, reader)
        missed = dict.fromkeys(REASONS, 0)
        for cube in _missed_cubes(found, crop):
            missed[_reason_for_miss(COLOURS[int(crop.cubes[cube, 2])], found, expected)] += 1
        yield Tray(expected, missed)


def _expected_unseen(found: Found, reader: TrayReader) -> dict[str, float]:
    scene = found.scene
    hidden = hidden_by_cubes(found.candidates, reader.palette, dark=scene.dark)
    return {"under": sum(hidden.values()), "glare": scene.glare, "dark": scene.black}


def _missed_cubes(found: Found, crop: Crop) -> list[int]:
    """Indices of the cubes that count but that no place holds to be present."""
    tops = [candidate for candidate in found.candidates if not candidate.under]
    lower = {candidate.centre_px: candidate.presence for candidate in found.candidates if candidate.under}
    cube_of, second_cube_of = pair_with_cubes(tops, crop.cubes)
    presence_of = {cube: tops[place].presence for place, cube in cube_of.items()}
    presence_of |= {cube: lower.get(tops[place].centre_px, 0.0) for place, cube in second_cube_of.items()}
    return [
        cube
        for cube in range(len(crop.cubes))
        if crop.cubes[cube, 3] >= COUNTED + BORDER and presence_of.get(cube, 0.0) < COUNTED_PRESENCE
    ]


def _reason_for_miss(colour: str, found: Found, expected: dict[str, float]) -> str:
    if expected["glare"] > _ENOUGH:
        return "glare"
    if colour == "black" and found.scene.dark:
        return "dark"
    return "under"


def table(trays: Sequence[Tray], pictures: int) -> str:
    """Human-readable table of expected and actual cubes by reason; `pictures` is the number read."""
    wrong = sum(any(tray.missed.values()) for tray in trays)
    lines = [
        f"In {len(trays)} of {pictures} pictures every place is sure to {CERTAIN_AT_LEAST:.0%}, all "
        f"together; {wrong} of these hold a cube that is not counted.",
        f"{'cubes that are not counted':<32}expected  lie there",
    ]
    for reason, words in REASONS.items():
        expected, missed = sum(t.expected[reason] for t in trays), sum(t.missed[reason] for t in trays)
        lines.append(f"{words:<32}{expected:>8.1f}{missed:>11}")
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Read the folders and print the table; as slow as the reader."""
    parser = argparse.ArgumentParser(prog="python -m calibration.measuring.unseen", description=__doc__)
    parser.add_argument(
        "folders", type=Path, nargs="+", metavar="FOLDER", help="labelled pictures, as of `tenshu synth`"
    )
    args = parser.parse_args(arguments)
    reader, trays, pictures = TrayReader(), list[Tray](), 0
    try:
        for folder in args.folders:
            for entry in entries_of(folder, None):
                pictures += 1
                try:
                    trays += trays_of(crops_from_labels(folder, [entry]), reader)
                except PictureError as error:
                    sys.stderr.write(f"{error}\n")
    except VisionError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(table(trays, pictures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
