"""Which step names a cube's colour best: `python -m calibration.measuring.colours FOLDER`.

Each cube found in a labelled picture is named by the detector alone, by the closer look alone, by both as the
reader combines them, by the general palette alone, and by all of them with the weight that a taught palette
has (`vision.finding.candidates`). The reader rectifies and balances the picture; the labels say only which
cube it was.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.measuring.labels import entries_of
from calibration.training.crops import Crop, crops_from_labels
from calibration.training.matching import match_detections
from vision.errors import VisionError
from vision.finding.candidates import TAUGHT_WEIGHT, face
from vision.finding.closer import MOST, look_at_places
from vision.finding.detector import COLOURS, compute_cells, decode, softmax
from vision.palette import SHOGUN

_FOUND = 0.5
_WAYS = ("detector", "closer look", "both looks", "palette", "all")
_LEAST = 1e-5
"""Floor of a share in the log loss."""


@dataclass(frozen=True, slots=True)
class Named:
    """One cube that was found: its true colour, and the probability each way gives to each of `COLOURS`."""

    true: str
    shares: Mapping[str, Sequence[float]]

    def likeliest_colour(self, way: str) -> str:
        """Return the likeliest colour of one way."""
        return COLOURS[int(np.argmax(self.shares[way]))]


def name_cubes(crop: Crop) -> Iterator[Named]:
    """Yield every cube that is found and sufficiently visible."""
    order = [SHOGUN.colours.index(colour) for colour in COLOURS]
    peaks = decode(compute_cells(crop.picture), _FOUND)
    if not peaks:
        return
    places = look_at_places(crop.picture, peaks)
    closer_shares = softmax(places.logits[:, MOST : MOST + len(COLOURS)].T).T
    index_of_centre = {peak.centre_px: n for n, peak in enumerate(peaks)}
    combined_shares = [peak.colour_shares for peak in places.judged_peaks()]
    for judged in match_detections(peaks, crop):
        if not judged.is_cube or judged.colour is None:
            continue
        n = index_of_centre[judged.detection.centre_px]
        x, y = (round(v) for v in judged.detection.centre_px)
        palette = SHOGUN.shares(face(crop.picture, x, y, judged.detection.edge_px))[order]
        product = np.array(combined_shares[n]) * palette**TAUGHT_WEIGHT
        shares = (
            judged.detection.colour_shares,
            closer_shares[n],
            combined_shares[n],
            palette,
            product / product.sum(),
        )
        yield Named(judged.colour, {way: tuple(share) for way, share in zip(_WAYS, shares, strict=True)})


def table(cubes: Iterable[Named]) -> str:
    """Human-readable table: errors, the commonest confusions and the log loss of each way."""
    found = list(cubes)
    lines = [f"{len(found)} cubes found", f"{'way':<14} wrong   log loss  most often"]
    for way in _WAYS:
        wrong = Counter(
            (cube.true, cube.likeliest_colour(way))
            for cube in found
            if cube.likeliest_colour(way) != cube.true
        )
        confusions = ", ".join(f"{true} as {said} {n}" for (true, said), n in wrong.most_common(3))
        loss = sum(-float(np.log(max(_LEAST, cube.shares[way][COLOURS.index(cube.true)]))) for cube in found)
        lines.append(f"{way:<14}{wrong.total():>6}{loss / max(1, len(found)):>11.4f}  {confusions}".rstrip())
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Read the folder and print the table; as slow as the reader."""
    parser = argparse.ArgumentParser(prog="python -m calibration.measuring.colours", description=__doc__)
    parser.add_argument("folder", type=Path, help="labelled pictures, as of `tenshu synth`")
    parser.add_argument("--half", choices=("tune", "holdout"), help="of the fixed split")
    args = parser.parse_args(arguments)
    try:
        chosen = entries_of(args.folder, args.half)
        sys.stdout.write(
            table(cube for crop in crops_from_labels(args.folder, chosen) for cube in name_cubes(crop))
        )
    except VisionError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
