"""What goes wrong, place by place: `python -m calibration.measuring.places FOLDER`.

A tray is right or wrong as a whole, so a dozen of them tell little. Here each place where a cube may be is
compared with what is really there: what it adds to the log loss, and which kind of error it is.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path

from calibration.measuring.labels import entries_of
from calibration.synth.truth import COUNTED
from calibration.training.crops import Crop, Entry, Floats, crops_from_labels
from calibration.training.pairs import BORDER, pair_with_cubes
from vision.errors import PictureError, VisionError
from vision.finding.candidates import Candidate
from vision.finding.detector import COLOURS
from vision.reader import TrayReader

KINDS = {
    "unseen": "a cube with no place at all",
    "missed": "a cube that is there",
    "missed, black": "the same of a black one",
    "nothing": "what is no cube",
    "nothing, black": "the same, named black",
    "stack missed": "a cube under or close to another",
    "stack of one": "one cube taken for two",
    "colour": "of a cube that was found",
}
_MOST = 4.0
"""Cap on the log loss of a place: being surer of an error does not make it worse."""
_LEAST = 1e-9
_DOUBT = 0.05
"""Log loss above which a place is reported."""
_WRONG = log(2)


@dataclass(frozen=True, slots=True)
class Place:
    """What the reader said about one place, compared with the truth."""

    file: str
    kind: str
    colour: str
    """Colour of the cube there, or of what was seen if there is none."""
    visible: float | None
    """Share of the cube that is visible; None if there is no cube."""
    loss: float


def places_of(crop: Crop, file: str, reader: TrayReader) -> Iterator[Place]:
    """Yield each possible error at each place of a labelled crop, except near the visibility limit."""
    found = None if crop.source is None else reader.find(crop.source.picture)
    candidates = found.candidates if found else []
    tops = [candidate for candidate in candidates if not candidate.under]
    lower = {candidate.centre_px: candidate for candidate in candidates if candidate.under}
    cube_of, second_cube_of = pair_with_cubes(tops, crop.cubes)
    placed = {*cube_of.values(), *second_cube_of.values()}
    tray = _Tray(file, crop.cubes, reader.palette.colours)
    for cube in range(len(crop.cubes)):
        if cube not in placed and tray.visible_share(cube) >= COUNTED + BORDER:
            yield tray.place("unseen", 0.0, cube)
    for n, top in enumerate(tops):
        cubes_here = [cubes[n] for cubes in (cube_of, second_cube_of) if n in cubes]
        yield from tray.judge(top, lower.get(top.centre_px), cubes_here)


@dataclass(frozen=True, slots=True)
class _Tray:
    """The truth of one picture."""

    file: str
    cubes: Floats
    """Same layout as in `Crop`."""
    names: tuple[str, ...]
    """Colours in the order of the candidates' shares."""

    def visible_share(self, cube: int) -> float:
        return float(self.cubes[cube, 3])

    def judge(self, top: Candidate, below: Candidate | None, cubes_here: Sequence[int]) -> Iterator[Place]:
        """Judge a candidate and the one that may lie under it by the cubes that are really there."""
        if any(abs(self.visible_share(cube) - COUNTED) < BORDER for cube in cubes_here):
            return
        seen = [cube for cube in cubes_here if self.visible_share(cube) >= COUNTED]
        if not seen:
            yield self.place("nothing", 1 - top.presence, colour=self.names[top.colour_index])
            return
        yield self.place("missed", top.presence, seen[0])
        yield self.place("colour", self._share(top, seen[0]), seen[0])
        if len(seen) > 1:
            probability = 0.0 if below is None else below.presence * self._share(below, seen[1])
            yield self.place("stack missed", probability, seen[1])
        elif below is not None:
            yield self.place("stack of one", 1 - below.presence, seen[0])

    def place(self, kind: str, probability: float, cube: int | None = None, colour: str = "") -> Place:
        """Build a place from the probability that the reader gave to the truth."""
        name = colour if cube is None else COLOURS[int(self.cubes[cube, 2])]
        black = f"{kind}, black"
        full_kind = black if black in KINDS and name == "black" else kind
        loss = min(_MOST, -log(max(_LEAST, probability)))
        return Place(self.file, full_kind, name, None if cube is None else self.visible_share(cube), loss)

    def _share(self, candidate: Candidate, cube: int) -> float:
        return candidate.shares[self.names.index(COLOURS[int(self.cubes[cube, 2])])]


def table(places: Iterable[Place], worst: int = 0) -> str:
    """Human-readable table: how many places of each kind were doubtful or wrong, and their log loss."""
    doubtful = [place for place in places if place.loss > _DOUBT]
    lines = [f"{'kind':<16}doubtful  wrong  log loss"]
    for kind, words in {**KINDS, "all": ""}.items():
        losses = [place.loss for place in doubtful if kind in (place.kind, "all")]
        wrong = sum(loss > _WRONG for loss in losses)
        lines.append(f"{kind:<16}{len(losses):>8}{wrong:>7}{sum(losses):>10.1f}  {words}".rstrip())
    for place in sorted(doubtful, key=lambda place: -place.loss)[:worst]:
        visibility = "" if place.visible is None else f", {place.visible:.0%} of it shows"
        lines.append(f"{place.file}: {place.kind}, {place.colour}{visibility}, {place.loss:.2f}")
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Read the folder and print the table; as slow as the reader."""
    parser = argparse.ArgumentParser(prog="python -m calibration.measuring.places", description=__doc__)
    parser.add_argument("folder", type=Path, help="labelled pictures, as of `tenshu synth`")
    parser.add_argument("--half", choices=("tune", "holdout"), help="of the fixed split")
    parser.add_argument("--worst", type=int, default=0, help="this many places, the dearest first")
    args = parser.parse_args(arguments)
    try:
        sys.stdout.write(_report(args.folder, entries_of(args.folder, args.half), args.worst))
    except VisionError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _report(folder: Path, entries: Sequence[Entry], worst: int) -> str:
    reader, places, without_tray = TrayReader(), list[Place](), 0
    for entry in entries:
        try:
            crop = next(crops_from_labels(folder, [entry]), None)
        except PictureError as error:
            sys.stderr.write(f"{error}\n")
            continue
        if crop is None:
            without_tray += 1
        else:
            places += places_of(crop, str(entry["file"]), reader)
    left_out = f"In {without_tray} of {len(entries)} pictures no tray is found; they are left out.\n"
    return table(places, worst) + (left_out if without_tray else "")


if __name__ == "__main__":
    sys.exit(main())
