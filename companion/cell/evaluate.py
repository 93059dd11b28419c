"""Evaluate counting by weight on the real machine code: `python -m companion.cell.evaluate [GAMES]`.

Games run on the simulated chip: cubes of unequal weight fall onto the modelled cell with the gaps of a real
tower, the board's lines become events, and the table's `Weigher` says how many cubes lie there. The cell is
calibrated over the wire, as a person would do it. Between throws a hand empties the tray or leaves some
cubes; the zero drifts, and the cell creeps.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from calibration.scale import STEP_SIGMA_MG, CubeMass, learn
from companion.table.throw.weigher import Weigher
from firmware.link.events import Drop, LinkUp
from firmware.link.link import to_events
from firmware.link.wire import Command, Kind
from firmware.sim.chip import SimChip

Masses: TypeAlias = npt.NDArray[np.float64]

SPREAD: Final = 0.05
THROWS: Final = 12
SEED: Final = 21
_BOX, _KNOWN, _SINGLES = 330, 62, 10
_GAP_S, _HELD_S, _HELD_BACK = 0.09, 0.5, 0.2
_HAND_S: Final = 0.6
SIZES: Final = ((1, 10), (11, 20), (21, 30), (31, 45), (1, 20), (1, 45))


@dataclass(frozen=True, slots=True)
class Cell:
    """A load cell, described by simulator commands."""

    name: str
    script: tuple[str, ...]
    rest_s: float
    """Seconds after which a throw has surely settled."""


GOOD: Final = Cell("500 g, 80 readings/s", ("drift 0.02", "creep 0.0005 60"), 2.5)
CHEAP: Final = Cell("1 kg, 10 readings/s", ("strap 10", "drift 0.04", "creep 0.0005 60", "gain 2147"), 6.0)


@dataclass(frozen=True, slots=True)
class Throw:
    """The number of cubes on the tray and what the weight says about it."""

    cubes: int
    best: int | None
    """None: the weight gave no answer."""
    stated: float
    whole: bool


class _Table:
    """One chip with its weigher; all times are the chip's."""

    def __init__(self, chip: SimChip) -> None:
        self._chip = chip
        self.weigher = Weigher(CubeMass())
        self.drops: list[int] = []

    def begin(self, cube: CubeMass) -> None:
        self.weigher = Weigher(cube)
        self.weigher.hear(LinkUp("simulated", "1"))

    def run(self, seconds: float) -> None:
        for said in self._chip.run(seconds):
            for event in to_events(said.line):
                self.weigher.hear(event)
                if isinstance(event, Drop):
                    self.drops.append(event.mass_mg)

    def rest(self, seconds: float, most: int = 20) -> None:
        """Run until the board reports that everything is at rest."""
        for _ in range(most):
            self.run(seconds)
            if not self.weigher.moving:
                return

    def mass_mg(self) -> float:
        """Return the mean over a few heartbeats."""
        beats = [said.line.number(0) for said in self._chip.run(4.0) if said.line.kind is Kind.BEAT]
        return float(np.mean(beats))


def games(
    count: int, cell: Cell = GOOD, seed: int = SEED, throws: int = THROWS, stays: float = 0.0
) -> Iterator[list[Throw]]:
    """Yield the throws of each game; every game has its own box of cubes and chip. Raise `BuildError`.

    `stays`: share of throws after which only some of the cubes are taken from the tray.
    """
    for number in range(count):
        yield play(seed + number, cell, throws, stays)


def play(seed: int, cell: Cell = GOOD, throws: int = THROWS, stays: float = 0.0) -> list[Throw]:
    """Play one game. Raise `BuildError`."""
    with SimChip(*cell.script, seed=seed) as chip:
        return list(_game(chip, cell, np.random.default_rng(seed), throws, stays))


def table(cell: Cell, throws: Sequence[Throw]) -> str:
    """Return the results as a table for people."""
    lines = [f"{'cell':24}{'cubes':>8}{'throws':>8}{'exact':>9}{'stated':>9}{'steps whole':>13}"]
    for low, high in SIZES:
        in_range = [throw for throw in throws if low <= throw.cubes <= high]
        if not in_range:
            continue
        exact = float(np.mean([throw.best == throw.cubes for throw in in_range]))
        stated = float(np.mean([throw.stated for throw in in_range]))
        whole = float(np.mean([throw.whole for throw in in_range]))
        size = f"{low}-{high}"
        lines.append(f"{cell.name:24}{size:>8}{len(in_range):>8}{exact:>9.2%}{stated:>9.2%}{whole:>13.1%}")
    return "\n".join(lines)


def _game(chip: SimChip, cell: Cell, rng: np.random.Generator, throws: int, stays: float) -> Iterator[Throw]:
    box = rng.uniform(320, 390) * (1 + SPREAD * rng.standard_normal(_BOX))
    desk = _Table(chip)
    desk.run(4.0)
    desk.begin(_calibrate(chip, desk, cell, rng.choice(box, _KNOWN, replace=False)))
    desk.rest(2.5)
    lying_count, masses = 0, np.zeros(0)
    for _ in range(throws):
        lying = masses[:lying_count]
        number = int(rng.integers(lying_count + 1, 46))
        fresh = rng.choice(box, number - lying_count, replace=False)
        masses = np.concatenate([lying, fresh])
        _drop_cubes(chip, desk, fresh, rng)
        desk.rest(cell.rest_s)
        weighed = desk.weigher.weighed()
        yield (
            Throw(number, weighed.cubes, weighed.sure, weighed.whole)
            if weighed
            else Throw(number, None, 0.0, whole=False)
        )
        desk.weigher.confirm(number)
        taken = masses[int(rng.integers(0, number)) :] if rng.random() < stays else masses
        chip.do(f"lay {-taken.sum() / 1000:.4f} {_HAND_S}")
        lying_count = number - len(taken)
        desk.rest(cell.rest_s + _HAND_S)


def _drop_cubes(chip: SimChip, desk: _Table, masses: Masses, rng: np.random.Generator) -> None:
    for mass_mg in masses:
        chip.do(f"cube {mass_mg / 1000:.4f}")
        gap = rng.exponential(_GAP_S) + _HELD_S * (rng.random() < _HELD_BACK)
        desk.run(float(gap))


def _calibrate(chip: SimChip, desk: _Table, cell: Cell, known: Masses) -> CubeMass:
    """Calibrate as `tenshu firmware calibrate` does."""
    chip.ask(Command.TARE)
    chip.do(f"lay {known.sum() / 1000:.4f} 0.5")
    desk.rest(cell.rest_s)
    chip.ask(Command.CALIBRATE, "cubes", _KNOWN)
    desk.run(2.0)
    whole_mg = desk.mass_mg()
    chip.do(f"lay {-known.sum() / 1000:.4f} 0.5")
    desk.rest(cell.rest_s)
    singles: list[float] = []
    for mass_mg in known[:_SINGLES]:
        desk.drops.clear()
        chip.do(f"cube {mass_mg / 1000:.4f}")
        desk.rest(cell.rest_s)
        singles += [float(drop) for drop in desk.drops]
    chip.do(f"lay {-known[:_SINGLES].sum() / 1000:.4f} 0.5")
    desk.rest(cell.rest_s)
    chip.ask(Command.TARE)
    return learn(singles, _KNOWN, whole_mg, STEP_SIGMA_MG)


def main() -> int:
    """Play the games on all cores (about 25 s of one core per game) and print each table when it is ready."""
    parser = argparse.ArgumentParser(prog="python -m companion.cell.evaluate", description=__doc__)
    parser.add_argument("games", nargs="?", type=int, default=200, metavar="GAMES")
    count = parser.parse_args().games
    SimChip().close()  # build once, before the workers start
    with ProcessPoolExecutor() as pool:
        for cell, stays in ((GOOD, 0.0), (CHEAP, 0.0), (GOOD, 0.3)):
            played = pool.map(partial(play, cell=cell, stays=stays), range(SEED, SEED + count))
            throws = [throw for game in played for throw in game]
            sys.stdout.write(f"{count} games; after {stays:.0%} of throws some cubes stay in the tray\n")
            sys.stdout.write(table(cell, throws) + "\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
