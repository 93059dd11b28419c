"""What ledger and scale add to a picture: both are simulated, the pictures are read for real.

`python -m calibration.measuring.evidence FOLDER` prints, for all pictures and for those that leave a doubt,
the shares of trays whose most probable counts are wrong, that need no person, and that are wrong without
asking; by the picture alone, with the ledger, with the scale, and with both. Then it prints what the reader
answers, including its doubts about the whole picture, alone and with such a ledger.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from calibration.measuring.evaluate import Outcome
from calibration.measuring.labels import LabelledPicture, load_labels
from calibration.measuring.scale import CHEAP, GOOD, Cell, simulate_odds
from vision.counting.odds import CERTAIN_AT_LEAST, Belief, belief
from vision.counting.possible import colours_certainty, count_with_ledger
from vision.errors import VisionError
from vision.finding.candidates import Candidate
from vision.palette import SHOGUN
from vision.pictures import load_picture
from vision.reader import TrayReader
from vision.reading import TrayReading

DRAWS: Final = 10
"""Number of simulated ledgers and weighings for each picture."""
_RETAINED_MEAN = 1.0
"""Mean number of cubes of each colour in the tower besides those that came out, which the ledger allows."""
_SEED = 3
SOURCES: Final = ("picture", "ledger", "scale", "cheap scale", "ledger and scale")


@dataclass(frozen=True, slots=True)
class Answer:
    """One reading against the truth."""

    exact: bool
    answered: bool


@dataclass(frozen=True, slots=True)
class Known:
    """What one picture shows, and the truth."""

    found: Sequence[Candidate]
    counts: Mapping[str, int]
    alone: Answer
    with_ledger: Answer
    """The reader's answer when given a ledger."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Number of trays, and shares of them."""

    trays: int
    wrong: float
    """The most probable counts are not the true ones."""
    sure: float
    """Going by the odds alone, no person would be asked."""
    sure_but_wrong: float


@dataclass(frozen=True, slots=True)
class _Trial:
    doubted: bool
    """Whether the picture alone leaves a doubt."""
    right: dict[str, bool]
    sure: dict[str, bool]


def figures(known: Iterable[Known], *, doubted_only: bool = False) -> dict[str, Figures]:
    """Return the figures for each source of evidence."""
    rng = np.random.default_rng(_SEED)
    tries = [_simulate(rng, picture) for picture in known for _ in range(DRAWS)]
    chosen = [trial for trial in tries if trial.doubted or not doubted_only]
    return {source: _figures(chosen, source) for source in SOURCES}


def _figures(tries: list[_Trial], source: str) -> Figures:
    number = max(1, len(tries))
    return Figures(
        len(tries) // DRAWS,
        sum(not trial.right[source] for trial in tries) / number,
        sum(trial.sure[source] for trial in tries) / number,
        sum(trial.sure[source] and not trial.right[source] for trial in tries) / number,
    )


def _simulate(rng: np.random.Generator, known: Known) -> _Trial:
    at_most = _draw_ledger(rng, known.counts)
    total = _draw_total_odds(rng, GOOD, known)
    _, seen = count_with_ledger(known.found, SHOGUN)
    held, possible = count_with_ledger(known.found, SHOGUN, at_most)
    beliefs = {
        "picture": belief(seen),
        "ledger": belief(possible),
        "scale": belief(seen, total_odds=total, named=colours_certainty(known.found)),
        "cheap scale": belief(
            seen, total_odds=_draw_total_odds(rng, CHEAP, known), named=colours_certainty(known.found)
        ),
        "ledger and scale": belief(possible, at_most, total_odds=total, named=colours_certainty(held)),
    }
    sure = {source: believed.probability >= CERTAIN_AT_LEAST for source, believed in beliefs.items()}
    return _Trial(not sure["picture"], {source: _is_right(known, b) for source, b in beliefs.items()}, sure)


def _draw_ledger(rng: np.random.Generator, counts: Mapping[str, int]) -> dict[str, int]:
    """Draw an upper bound of each colour's count."""
    return {c: n + int(rng.poisson(_RETAINED_MEAN)) for c, n in counts.items()}


def _draw_total_odds(rng: np.random.Generator, cell: Cell, known: Known) -> tuple[float, ...]:
    return tuple(map(float, simulate_odds(rng, cell, sum(known.counts.values()))))


def _is_right(known: Known, believed: Belief) -> bool:
    return all(believed.counts.get(c, 0) == n for c, n in known.counts.items())


def read_folder(folder: Path) -> Iterator[Known]:
    """Yield each labelled picture in which a tray is found."""
    reader, rng = TrayReader(), np.random.default_rng(_SEED)
    for labelled in load_labels(folder).pictures:
        picture, counts = load_picture(folder / labelled.file), labelled.truth.counts
        found, at_most = reader.find(picture), _draw_ledger(rng, counts)
        if found is not None:
            alone, with_ledger = (_answer(labelled, reader.read(picture, most)) for most in (None, at_most))
            yield Known(found.candidates, counts, alone, with_ledger)


def _answer(labelled: LabelledPicture, reading: TrayReading) -> Answer:
    return Answer(Outcome(labelled.file, labelled.truth, reading, 0.0).exact, reading.certain)


def table(known: list[Known]) -> str:
    """Human-readable table."""
    lines = []
    for title, doubted_only in (("all trays", False), ("trays that the picture alone leaves in doubt", True)):
        found = figures(known, doubted_only=doubted_only)
        lines.append(f"{title}: {found['picture'].trays}")
        lines.append(f"  {'':18}{'wrong':>9}{'asks nobody':>14}{'of all: sure but wrong':>25}")
        for source, shares in found.items():
            lines.append(
                f"  {source:18}{shares.wrong:>9.1%}{shares.sure:>14.1%}{shares.sure_but_wrong:>25.2%}"
            )
    lines.append("what the reader says")
    lines.append(f"  {'':18}{'exact':>9}{'answered':>14}{'wrong in silence':>25}")
    for way, answers in (
        ("alone", [o.alone for o in known]),
        ("beside a ledger", [o.with_ledger for o in known]),
    ):
        answered = [answer.exact for answer in answers if answer.answered]
        exact, silent = sum(answer.exact for answer in answers), len(answered) - sum(answered)
        lines.append(f"  {way:18}{exact:>9}{len(answered):>14}{silent:>25}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m calibration.measuring.evidence", description=__doc__)
    parser.add_argument("folder", type=Path, help="labelled pictures, as of `tenshu synth`")
    try:
        sys.stdout.write(table(list(read_folder(parser.parse_args(arguments).folder))) + "\n")
    except VisionError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
