"""What ledger and scale add to a picture: simulated ones over real pictures, read as they are.

`python -m calibration.evaluate_evidence FOLDER` prints exact trays by the picture alone, with the ledger,
with the scale, and with both.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.labels import load_labels
from vision.odds import Odds, belief
from vision.pictures import load_picture
from vision.reader import TrayReader

SCALE_SPREAD = 0.25
"""Cubes: one of 8 mm weighs 0.35 g give or take 5 %, the cell is good for 0.05 g; twenty of them together."""
_RETAINED_MEAN = 1.0
"""Cubes of each colour that stay in the tower, over what came out: what the ledger cannot exclude."""
_SEED = 3


@dataclass(frozen=True, slots=True)
class Known:
    """One picture's odds and its truth."""

    odds: Odds
    counts: Mapping[str, int]


def exact_shares(known: Iterable[Known]) -> dict[str, float]:
    """Share of trays whose most probable counts are the true ones, by the evidence used."""
    rng = np.random.default_rng(_SEED)
    hits: dict[str, list[bool]] = {"picture": [], "ledger": [], "scale": [], "ledger and scale": []}
    for one in known:
        at_most = {c: n + int(rng.poisson(_RETAINED_MEAN)) for c, n in one.counts.items()}
        total = (sum(one.counts.values()) + float(rng.normal(0, SCALE_SPREAD)), SCALE_SPREAD)
        beliefs = {
            "picture": belief(one.odds),
            "ledger": belief(one.odds, at_most=at_most),
            "scale": belief(one.odds, total=total),
            "ledger and scale": belief(one.odds, at_most=at_most, total=total),
        }
        for name, believed in beliefs.items():
            hits[name].append(all(believed.counts.get(c, 0) == n for c, n in one.counts.items()))
    return {name: sum(found) / max(1, len(found)) for name, found in hits.items()}


def read_folder(folder: Path) -> Iterator[Known]:
    """Each labelled picture that a tray is found in, read once."""
    reader = TrayReader()
    for labelled in load_labels(folder).pictures:
        reading = reader.read(load_picture(folder / labelled.file))
        if reading.odds:
            yield Known(reading.odds, labelled.truth.counts)


def main() -> int:
    """Prints the table."""
    for name, share in exact_shares(read_folder(Path(sys.argv[1]))).items():
        sys.stdout.write(f"{name:18}{100 * share:6.1f} % exact\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
