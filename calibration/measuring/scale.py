"""How well weight counts cubes, in simulated games: `python -m calibration.measuring.scale [GAMES]`.

The cell's errors were measured on simulated hardware (the standard deviation of a step is 14 mg at 80 samples
a second and 17 mg at 10; two cubes make two steps if they fall 175 ms, or 500 ms, apart).
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from calibration.scale import CountOdds, CubeMass, Odds, learn

Masses: TypeAlias = npt.NDArray[np.float64]

SPREAD = 0.05
DRIFT_MG = 50.0
"""Standard deviation of the zero point from throw to throw."""
_BOX = 330
"""Number of cubes in a game, from which throws are drawn."""
_KNOWN_SET, _SINGLES = 62, 10
_THROWS = 12
_MEAN_GAP_MS = 90.0
"""Mean time between cubes leaving the tower; every fifth time it holds one back for longer."""
_HELD_BACK, _HELD_MS = 0.2, 500.0
SIZES = ((1, 5), (6, 10), (11, 20), (21, 30), (31, 45))


@dataclass(frozen=True, slots=True)
class Cell:
    """A load cell with its amplifier."""

    name: str
    step_sigma_mg: float
    apart_ms: float
    """Cubes that fall closer together than this make one step."""
    total_sigma_mg: float


GOOD = Cell("500 g, 80 samples/s", 14.0, 175.0, 6.0)
CHEAP = Cell("1 kg, 10 samples/s", 17.0, 500.0, 4.0)
AT_ONCE = Cell("500 g, all in one step", 14.0, float("inf"), 6.0)
"""The worst case: all cubes fall at once, so that there is only one weight."""


@dataclass(frozen=True, slots=True)
class Throw:
    """One throw: how many cubes fell, and what the weight says."""

    cubes: int
    best: int
    stated: float
    """Stated probability that `best` is right."""
    set_stated: float
    """Stated probability of the smallest set of counts that holds at least 90 %."""
    set_holds: bool
    plain: int
    """Summed weight divided by the unit: the baseline that the odds improve on."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over the throws of one range of sizes."""

    throws: int
    exact: float
    stated: float
    set_held: float
    set_stated: float
    plain: float


def simulate_games(count: int, cell: Cell, sizes: tuple[int, int] = (1, 45), seed: int = 11) -> list[Throw]:
    """Simulate `count` games, each with its own box of cubes and a calibration as a person would do it."""
    rng = np.random.default_rng(seed)
    return [throw for _ in range(count) for throw in _simulate_game(rng, cell, sizes)]


def figures(throws: Sequence[Throw]) -> Figures:
    """Summarise throws."""
    return Figures(
        len(throws),
        float(np.mean([t.best == t.cubes for t in throws])),
        float(np.mean([t.stated for t in throws])),
        float(np.mean([t.set_holds for t in throws])),
        float(np.mean([t.set_stated for t in throws])),
        float(np.mean([t.plain == t.cubes for t in throws])),
    )


def simulate_odds(rng: np.random.Generator, cell: Cell, number: int) -> Odds:
    """Odds from a calibrated cell after `number` cubes of a fresh box have fallen."""
    box = _draw_box(rng)
    counts = CountOdds(_calibrate(rng, cell, box))
    for step in _weight_steps(rng, cell, rng.choice(box, number, replace=False)):
        counts.add_step(step + cell.step_sigma_mg * rng.standard_normal(), cell.step_sigma_mg)
    return counts.odds()


def _draw_box(rng: np.random.Generator) -> Masses:
    unit = rng.uniform(320, 390)
    return unit * (1 + SPREAD * rng.standard_normal(_BOX))


def _simulate_game(rng: np.random.Generator, cell: Cell, sizes: tuple[int, int]) -> Iterator[Throw]:
    box = _draw_box(rng)
    cube = _calibrate(rng, cell, box)
    for _ in range(_THROWS):
        number = int(rng.integers(sizes[0], sizes[1] + 1))
        masses = rng.choice(box, number, replace=False)
        counts = CountOdds(cube)
        measured_mg = 0.0
        for step in _weight_steps(rng, cell, masses):
            mass = step + cell.step_sigma_mg * rng.standard_normal()
            counts.add_step(mass, cell.step_sigma_mg)
            measured_mg += mass
        yield _judge_throw(number, counts, masses.sum() + DRIFT_MG * rng.standard_normal(), cube)
        # The players confirm the count, so the unit is known a little better.
        cube = cube.updated_with(number, measured_mg, cell.step_sigma_mg * 3)


def _calibrate(rng: np.random.Generator, cell: Cell, box: Masses) -> CubeMass:
    known = rng.choice(box, _KNOWN_SET, replace=False)
    singles = known[:_SINGLES] + cell.step_sigma_mg * rng.standard_normal(_SINGLES)
    total = known.sum() + cell.total_sigma_mg * rng.standard_normal()
    return learn(list(singles), _KNOWN_SET, float(total), cell.step_sigma_mg)


def _weight_steps(rng: np.random.Generator, cell: Cell, masses: Masses) -> Iterator[float]:
    """Yield the steps in weight: cubes close together in time make one step."""
    if not len(masses):
        return
    gaps = rng.exponential(_MEAN_GAP_MS, len(masses))
    gaps += _HELD_MS * (rng.random(len(masses)) < _HELD_BACK)
    step_mg = 0.0
    for index, mass in enumerate(masses):
        if index and gaps[index] > cell.apart_ms:
            yield step_mg
            step_mg = 0.0
        step_mg += float(mass)
    yield step_mg


def _judge_throw(number: int, counts: CountOdds, total_mg: float, cube: CubeMass) -> Throw:
    odds = counts.odds()
    order = np.argsort(odds)[::-1]
    needed = int(np.searchsorted(np.cumsum(odds[order]), 0.9)) + 1
    chosen = order[:needed]
    best = int(order[0])
    holds = number in chosen
    return Throw(
        number,
        best,
        float(odds[best]),
        float(odds[chosen].sum()),
        holds,
        round(total_mg / cube.unit_mg),
    )


def table(count: int) -> str:
    """Human-readable table."""
    lines = [
        f"{count} games of {_THROWS} throws; cubes differ by {SPREAD:.0%}, zero by {DRIFT_MG / 1000} g",
        f"{'cell':24}{'cubes':>8}{'throws':>8}{'exact':>9}{'stated':>9}"
        f"{'90 % set':>10}{'stated':>9}{'summed weight only':>20}",
    ]
    for cell in (GOOD, CHEAP, AT_ONCE):
        throws = simulate_games(count, cell)
        for low, high in (*SIZES, (1, 20), (1, 45)):
            group = figures([throw for throw in throws if low <= throw.cubes <= high])
            lines.append(
                f"{cell.name:24}{f'{low}-{high}':>8}{group.throws:>8}{group.exact:>9.2%}{group.stated:>9.2%}"
                f"{group.set_held:>10.2%}{group.set_stated:>9.2%}{group.plain:>20.2%}"
            )
    return "\n".join(lines)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m calibration.measuring.scale", description=__doc__)
    parser.add_argument("games", nargs="?", type=int, default=200, metavar="GAMES")
    sys.stdout.write(table(parser.parse_args().games) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
