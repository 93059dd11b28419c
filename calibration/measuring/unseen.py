"""What is believed to lie unseen, against the truth: `python -m calibration.measuring.unseen FOLDER …`.

A reading whose cubes are all sure may still doubt that it knows of every cube: what lies under and behind
others, in glare, black on a dark floor (`vision.doubting.unseen`). Here the cubes of which no place
told are counted in such trays, beside as many as the reader expected for each of these reasons.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.measuring.labels import entries_of
from calibration.synth.truth import COUNTED
from calibration.training.crops import Crop, from_labels
from calibration.training.pairs import BORDER, paired
from vision.counting.odds import CERTAIN_AT_LEAST
from vision.doubting.doubts import is_sure
from vision.doubting.unseen import hidden_by_cubes
from vision.errors import PictureError, VisionError
from vision.finding.detector import COLOURS
from vision.reader import Found, TrayReader
from vision.shown import SEEN

REASONS = {
    "under": "under and behind others",
    "glare": "in glare",
    "dark": "black, on a dark floor",
}
_ENOUGH = 0.01
"""Cubes expected in glare from which that is the reason, where something was missed."""


@dataclass(frozen=True, slots=True)
class Tray:
    """One whose places are sure by themselves."""

    expected: dict[str, float]
    """Cubes by reason."""
    missed: dict[str, int]
    """The same of those that truly lie there: black ones are put down to a dark floor."""


def trays_of(crops: Iterable[Crop], reader: TrayReader) -> Iterator[Tray]:
    """Of crops of `from_labels`; those that doubt a place, or the whole picture, are left out."""
    for crop in crops:
        found = None if crop.source is None else reader.find(crop.source.picture)
        if found is None or found.asks.any or not is_sure(found.seen):
            continue
        expected = _expected(found, reader)
        missed = dict.fromkeys(REASONS, 0)
        for cube in _missed(found, crop):
            missed[_reason(COLOURS[int(crop.cubes[cube, 2])], found, expected)] += 1
        yield Tray(expected, missed)


def _expected(found: Found, reader: TrayReader) -> dict[str, float]:
    scene = found.scene
    hidden = hidden_by_cubes(found.candidates, reader.palette, dark=scene.dark)
    return {"under": sum(hidden.values()), "glare": scene.glare, "dark": scene.black}


def _missed(found: Found, crop: Crop) -> list[int]:
    """Numbers of the cubes that count, and that no place holds for there."""
    tops = [one for one in found.candidates if not one.under]
    lower = {one.centre_px: one.presence for one in found.candidates if one.under}
    cube_of, second = paired(tops, crop.cubes)
    told = {cube: tops[place].presence for place, cube in cube_of.items()}
    told |= {cube: lower.get(tops[place].centre_px, 0.0) for place, cube in second.items()}
    return [
        cube
        for cube in range(len(crop.cubes))
        if crop.cubes[cube, 3] >= COUNTED + BORDER and told.get(cube, 0.0) < SEEN
    ]


def _reason(colour: str, found: Found, expected: dict[str, float]) -> str:
    if expected["glare"] > _ENOUGH:
        return "glare"
    if colour == "black" and found.scene.dark:
        return "dark"
    return "under"


def table(trays: Sequence[Tray], pictures: int) -> str:
    """For people: what was expected and what lay there, by reason; `pictures`: how many were read."""
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
    """Reads the folders; as slow as the reader."""
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
                    trays += trays_of(from_labels(folder, [entry]), reader)
                except PictureError as error:
                    sys.stderr.write(f"{error}\n")
    except VisionError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(table(trays, pictures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
