"""Who names a cube's colour best: `python -m calibration.evaluate_colours FOLDER`.

Each cube found in a labelled picture is named by the network alone, by the palette of cubes in general alone,
and by both, as a taught palette is used (`vision.candidates`). The reader lays the picture flat and
balances it; labels say only which cube it was.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.labels import entries_of
from calibration.training.crops import Crop, from_labels
from calibration.training.matching import matched
from vision.candidates import TAUGHT_WEIGHT, face
from vision.detector import COLOURS, decode, look
from vision.palette import SHOGUN

_FOUND = 0.5


@dataclass(frozen=True, slots=True)
class Named:
    """One cube that was found: its colour, and what each way calls it."""

    true: str
    said: Mapping[str, str]


def named(crop: Crop) -> Iterator[Named]:
    """Every cube that is found and of which enough can be seen."""
    order = [SHOGUN.colours.index(colour) for colour in COLOURS]
    for judged in matched(decode(look(crop.picture), _FOUND), crop):
        if not judged.there or judged.colour is None:
            continue
        x, y = (round(v) for v in judged.detection.centre_px)
        network = np.array(judged.detection.colour_shares)
        palette = SHOGUN.shares(face(crop.picture, x, y, judged.detection.edge_px))[order]
        ways = {"network": network, "palette": palette, "both": network * palette**TAUGHT_WEIGHT}
        yield Named(judged.colour, {way: COLOURS[int(shares.argmax())] for way, shares in ways.items()})


def table(cubes: Iterable[Named]) -> str:
    """For people: how many of how many are wrong, and what was taken for what."""
    every = list(cubes)
    lines = [f"{len(every)} cubes found", "way       wrong  most often"]
    for way in ("network", "palette", "both"):
        wrong = Counter((one.true, one.said[way]) for one in every if one.said[way] != one.true)
        most = ", ".join(f"{true} as {said} {n}" for (true, said), n in wrong.most_common(3))
        lines.append(f"{way:<8}{wrong.total():>7}  {most}")
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Reads the folder; as slow as the reader."""
    parser = argparse.ArgumentParser(prog="python -m calibration.evaluate_colours", description=__doc__)
    parser.add_argument("folder", type=Path, help="labelled pictures, as of `tenshu synth`")
    parser.add_argument("--half", choices=("tune", "holdout"), help="of the fixed split")
    args = parser.parse_args(arguments)
    chosen = entries_of(args.folder, args.half)
    sys.stdout.write(table(cube for crop in from_labels(args.folder, chosen) for cube in named(crop)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
