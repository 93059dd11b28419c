"""Whole games weighed by the machine code: `python -m tests.firmware.counting [GAMES]`.

`calibration.evaluate_scale` plays the same with errors made up from figures; here the drops and their masses
are what the board's own program said of cubes that fell.
"""

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
import numpy.typing as npt

from calibration.evaluate_scale import SIZES, SPREAD, Throw, figures
from calibration.scale import CountOdds, CubeMass, learn
from firmware.link.wire import Kind
from firmware.proof.trials import CELL_1KG, CELL_500G, Cell, begin
from firmware.sim.chip import SimChip

Masses = npt.NDArray[np.float64]

STEP_SIGMA_MG = 16.0
"""Of a drop's mass, as `python -m firmware.proof` finds it."""
_BOX, _KNOWN_SET, _SINGLES, _THROWS = 330, 62, 10, 12
_GAP_S, _HELD_BACK, _HELD_S = 0.09, 0.2, 0.5
_DRIFT_G = 0.05
"""Of zero, within a throw's time: temperature."""


def fall(chip: SimChip, masses_mg: Masses, gaps_s: Masses, cell: Cell) -> list[float]:
    """Cubes fall; the masses of the drops that the board tells."""
    at_s = np.cumsum(gaps_s)
    for second, mass_mg in zip(at_s, masses_mg, strict=True):
        chip.do(f"+{second:.4f} cube {mass_mg / 1000:.5f}")
    said = chip.run(float(at_s[-1]) + cell.pause_s[0] + 0.5)
    return [float(one.line.number(1)) for one in said if one.line.kind is Kind.DROP]


def clear(chip: SimChip, cell: Cell) -> None:
    """A hand takes everything out."""
    chip.do(f"lay {-chip.load_g:.5f} 0.4")
    chip.run(2 * cell.pause_s[0])


def game(seed: int, cell: Cell = CELL_500G, sizes: tuple[int, int] = (1, 45)) -> list[Throw]:
    """One game with a box of cubes of its own, calibrated as a person would."""
    rng = np.random.default_rng(seed)
    unit = rng.uniform(320, 390)
    box = unit * (1 + SPREAD * rng.standard_normal(_BOX))
    with begin(cell, seed, f"wave {_DRIFT_G} 20") as chip:
        cube = _calibrated(chip, rng, cell, box)
        throws = []
        for _ in range(_THROWS):
            clear(chip, cell)
            number = int(rng.integers(sizes[0], sizes[1] + 1))
            gaps = rng.exponential(_GAP_S, number) + _HELD_S * (rng.random(number) < _HELD_BACK)
            steps = fall(chip, rng.choice(box, number, replace=False), gaps, cell)
            throws.append(_judged(number, steps, cube))
            cube = cube.taught(number, sum(steps), 3 * STEP_SIGMA_MG)
    return throws


def _calibrated(chip: SimChip, rng: np.random.Generator, cell: Cell, box: Masses) -> CubeMass:
    known = rng.choice(box, _KNOWN_SET, replace=False)
    singles = [
        step for mass in known[:_SINGLES] for step in fall(chip, np.array([mass]), np.array([0.1]), cell)
    ]
    clear(chip, cell)
    before = _settled(chip)
    chip.do(f"lay {known.sum() / 1000:.5f} 0.4")
    chip.run(2 * cell.pause_s[0])
    return learn(singles, _KNOWN_SET, _settled(chip) - before, STEP_SIGMA_MG)


def _settled(chip: SimChip) -> float:
    beats = [chip.until(lambda line: line.kind is Kind.BEAT).line.number(0) for _ in range(3)]
    return float(np.mean(beats))


def _judged(number: int, steps: Sequence[float], cube: CubeMass) -> Throw:
    counts = CountOdds(cube)
    for step in steps:
        counts.step(step, STEP_SIGMA_MG)
    odds = counts.odds()
    order = np.argsort(odds)[::-1]
    chosen = order[: int(np.searchsorted(np.cumsum(odds[order]), 0.9)) + 1]
    best = int(order[0])
    plain = round(sum(steps) / cube.unit_mg)
    return Throw(number, best, float(odds[best]), float(odds[chosen].sum()), number in chosen, plain)


def table(throws: Sequence[Throw]) -> str:
    """Markdown."""
    lines = [
        "| cubes | throws | exact | stated | 90 % set held | stated | summed weight alone |",
        "|---|---|---|---|---|---|---|",
    ]
    for low, high in (*SIZES, (1, 20), (1, 45)):
        own = figures([throw for throw in throws if low <= throw.cubes <= high])
        shares = (own.exact, own.stated, own.set_held, own.set_stated, own.plain)
        lines.append(
            f"| {low}-{high} | {own.throws} | " + " | ".join(f"{share:.2%}" for share in shares) + " |"
        )
    return "\n".join(lines)


def main() -> int:
    """Prints the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for cell in (CELL_500G, CELL_1KG):
            played = pool.map(partial(game, cell=cell), range(1, count + 1))
            throws = [throw for one in played for throw in one]
            sys.stdout.write(f"\n{count} games on the machine code, {cell.name}\n\n{table(throws)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
