"""Single trials: a seed and a scene in, what the board made of it out; deterministic for a given seed."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from firmware.link.wire import Command, Kind
from firmware.sim.chip import Said, SimChip

CUBE_MG: Final = 360.0
SPREAD: Final = 0.05
READY_S: Final = 3.0
ONSET_MS, DROP_MS = 60.0, 200.0
"""Promised at 80 samples a second, from the impact to the line on the wire."""
_ALIKE = 0.45
"""Largest deviation of a drop's mass from the cube's, as a share of a cube; beyond it the drop is wrong."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A load cell and its table; `script` uses the words of docs/firmware.md."""

    name: str
    rate: int
    script: tuple[str, ...] = ()

    @property
    def pause_s(self) -> tuple[float, float]:
        """Shortest and longest pause after which two cubes are to be told apart."""
        return (1.2, 2.5) if self.rate == 80 else (2.5, 4.0)


CELL_500G: Final = Cell("500 g, 80 samples/s", 80, ("creep 0.0005 60", "drift 0.02"))
CELL_1KG: Final = Cell("1 kg, 10 samples/s", 10, ("creep 0.001 60", "drift 0.05"))


@dataclass
class Singles:
    """Results for cubes that fell one by one."""

    fallen: int = 0
    detected: int = 0
    """Cubes reported by a drop of about their mass."""
    missed: int = 0
    """Cubes that caused at most a motion; the settled mass still includes them."""
    wrong: int = 0
    """Drops without a cube, or with a wrong mass."""
    onset_ms: list[float] = field(default_factory=list)
    drop_ms: list[float] = field(default_factory=list)
    error_mg: list[float] = field(default_factory=list)
    named: int = 0
    """Cubes that fell while the board was reporting that the tray does not come to rest."""
    settled_error_mg: list[float] = field(default_factory=list)

    def add(self, other: "Singles") -> None:
        """Add another trial's results."""
        self.fallen += other.fallen
        self.detected += other.detected
        self.missed += other.missed
        self.wrong += other.wrong
        self.onset_ms += other.onset_ms
        self.drop_ms += other.drop_ms
        self.error_mg += other.error_mg
        self.settled_error_mg += other.settled_error_mg
        self.named += other.named


@dataclass
class Quiet:
    """Results for time in which nothing fell."""

    minutes: float = 0.0
    hands: int = 0
    bumps: int = 0
    doors: int = 0
    shakes: int = 0
    moves: int = 0
    false: list[str] = field(default_factory=list)
    """False drops: what had just happened, and the mass."""
    residual_mg: list[float] = field(default_factory=list)
    """Settled mass minus what lies there and has drifted."""

    def add(self, other: "Quiet") -> None:
        """Add another trial's results."""
        self.minutes += other.minutes
        self.hands += other.hands
        self.bumps += other.bumps
        self.doors += other.doors
        self.shakes += other.shakes
        self.moves += other.moves
        self.false += other.false
        self.residual_mg += other.residual_mg


def make_settled_chip(cell: Cell, seed: int, *script: str) -> SimChip:
    """Return a board that has settled on an empty tray at the cell's rate, tared."""
    chip = SimChip(*cell.script, seed=seed)
    chip.run(0.1)
    if cell.rate != 80:
        chip.ask(Command.RATE, cell.rate)
    chip.run(READY_S if cell.rate == 80 else 3 * READY_S)
    chip.ask(Command.TARE)
    for line in script:
        chip.do(line)
    return chip


def singles(cell: Cell, count: int, seed: int, *script: str, warm_s: float = 0.0) -> Singles:
    """Drop `count` cubes one by one; `script` goes on meanwhile, for `warm_s` before the first cube."""
    rng, found = random.Random(seed), Singles()
    with make_settled_chip(cell, seed, *script) as chip:
        shaking = _reports_shaking(chip.run(warm_s), before=False)
        for _ in range(count):
            mass_mg = rng.gauss(CUBE_MG, SPREAD * CUBE_MG)
            chip.do(f"cube {mass_mg / 1000:.5f} {rng.uniform(20, 80):.1f}")
            fell_s = chip.now_s
            said = chip.run(rng.uniform(*cell.pause_s))
            _judge_drop(found, said, fell_s, mass_mg)
            shaking = _reports_shaking(said, before=shaking)
            found.named += shaking
    return found


def _judge_drop(found: Singles, said: Sequence[Said], fell_s: float, mass_mg: float) -> None:
    found.fallen += 1
    moves = [one for one in said if one.line.kind is Kind.MOVE]
    drops = [one for one in said if one.line.kind is Kind.DROP]
    correct = [one for one in drops if abs(one.line.number(1) - mass_mg) < _ALIKE * CUBE_MG]
    found.detected += bool(correct)
    found.missed += not drops
    found.wrong += len(drops) - bool(correct)
    if correct and moves:
        found.onset_ms.append((moves[0].at_s - fell_s) * 1000)
        found.drop_ms.append((correct[0].at_s - fell_s) * 1000)
        found.error_mg.append(correct[0].line.number(1) - mass_mg)


def _reports_shaking(said: Sequence[Said], *, before: bool) -> bool:
    """Whether the board currently reports that the tray does not come to rest."""
    states = [
        one.line.fields[1]
        for one in said
        if one.line.kind is Kind.FAULT and one.line.fields[0] == "vibration"
    ]
    return bool(states[-1]) if states else before


Happening = Callable[[random.Random, SimChip, Quiet], tuple[str, float]]
"""Makes something happen; returns what, and how many seconds it takes."""


def _move_hand(rng: random.Random, chip: SimChip, found: Quiet) -> tuple[str, float]:
    found.hands += 1
    grams, seconds = rng.choice([2, 8, 30, 120, 400]) * rng.uniform(0.7, 1.3), rng.uniform(0.4, 4)
    chip.do(f"hand {grams:.2f} {seconds:.3f}")
    return f"hand {grams:.1f} g {seconds:.2f} s", seconds


def _lean_on_table(rng: random.Random, chip: SimChip, found: Quiet) -> tuple[str, float]:
    """Lean on the table: the tray tilts a little."""
    found.hands += 1
    grams, seconds = rng.uniform(0.2, 3), rng.uniform(2, 8)
    chip.do(f"hand {grams:.2f} {seconds:.3f}")
    return f"lean {grams:.2f} g {seconds:.2f} s", seconds


def _bump_table(rng: random.Random, chip: SimChip, found: Quiet) -> tuple[str, float]:
    found.bumps += 1
    grams, seconds = rng.choice([1, 4, 15, 60, 300]) * rng.uniform(0.7, 1.3), rng.uniform(0.02, 0.2)
    chip.do(f"bump {grams:.2f} {seconds:.3f}")
    return f"bump {grams:.1f} g {seconds:.3f} s", seconds


def _slam_door(rng: random.Random, chip: SimChip, found: Quiet) -> tuple[str, float]:
    found.doors += 1
    grams = rng.uniform(0.3, 6)
    chip.do(f"slam {grams:.2f}")
    return f"slam {grams:.2f} g", 1.0


def _knock_tower(rng: random.Random, chip: SimChip, found: Quiet) -> tuple[str, float]:
    """Knock against the tower: two blows, and a table that swings."""
    found.bumps += 1
    grams = rng.uniform(5, 100)
    chip.do(f"bump {grams:.2f} 0.05")
    chip.do(f"+0.15 bump {grams / 3:.2f} 0.04")
    chip.do(f"slam {grams / 20:.2f}")
    return f"tower {grams:.1f} g", 1.0


def _tap_foot(rng: random.Random, chip: SimChip, found: Quiet) -> tuple[str, float]:
    """Tap a foot."""
    found.shakes += 1
    grams, hz, seconds = rng.uniform(0.02, 0.4), rng.uniform(2, 30), rng.uniform(0.5, 4)
    chip.do(f"shake {grams:.3f} {hz:.2f} {seconds:.2f}")
    return f"shake {grams:.2f} g {hz:.1f} Hz {seconds:.1f} s", seconds


HAPPENINGS: Final[tuple[Happening, ...]] = (
    _move_hand,
    _lean_on_table,
    _bump_table,
    _slam_door,
    _knock_tower,
    _tap_foot,
)


def quiet(cell: Cell, minutes: float, seed: int) -> Quiet:
    """Drift, creep under load and passing disturbances; nothing falls."""
    rng, found = random.Random(seed), Quiet(minutes=minutes)
    weather = (f"wave {rng.uniform(0.3, 1.0):.2f} {rng.uniform(400, 900):.0f}", "creep 0.002 60", "lay 15 1")
    with make_settled_chip(cell, seed, *weather) as chip:
        chip.run(4)
        previous, end_s = "drift", chip.now_s + 60 * minutes
        while chip.now_s < end_s:
            happening, seconds = rng.choice(HAPPENINGS)(rng, chip, found)
            said = chip.run(seconds + rng.uniform(1.5, 6))
            found.moves += sum(one.line.kind is Kind.MOVE for one in said)
            for one in said:
                if one.line.kind is Kind.DROP:
                    found.false.append(f"{one.line.number(1)} mg after {happening} ({previous} before)")
            previous = happening
    return found


@dataclass
class Handfuls:
    """Results for several cubes at a time, as a tower releases them."""

    handfuls: int = 0
    cubes: int = 0
    motion: int = 0
    """Handfuls felt as motion."""
    exact: int = 0
    """Handfuls whose settled mass, divided by the true mean cube, rounds to the right number."""
    sum_exact: int = 0
    """Handfuls whose drops add up to the change of the settled mass, to within half a cube."""
    error_mg: list[float] = field(default_factory=list)
    """Settled change minus true change."""

    def add(self, other: "Handfuls") -> None:
        """Add another trial's results."""
        self.handfuls += other.handfuls
        self.cubes += other.cubes
        self.motion += other.motion
        self.exact += other.exact
        self.sum_exact += other.sum_exact
        self.error_mg += other.error_mg


def handfuls(cell: Cell, count: int, seed: int) -> Handfuls:
    """Throw `count` handfuls of 2 to 20 cubes, 20 to 300 ms apart."""
    rng, found = random.Random(seed), Handfuls()
    with make_settled_chip(cell, seed) as chip:
        before_mg = 0.0
        for _ in range(count):
            masses = [rng.gauss(CUBE_MG, SPREAD * CUBE_MG) for _ in range(rng.randint(2, 20))]
            at_s = 0.0
            for mass_mg in masses:
                chip.do(f"+{at_s:.3f} cube {mass_mg / 1000:.5f} {rng.uniform(20, 80):.1f}")
                at_s += rng.uniform(0.02, 0.3)
            said = chip.run(at_s + cell.pause_s[1])
            settled = [one.line.number(0) for one in said if one.line.kind is Kind.SETTLED]
            dropped = sum(one.line.number(1) for one in said if one.line.kind is Kind.DROP)
            found.handfuls += 1
            found.cubes += len(masses)
            found.motion += any(one.line.kind is Kind.MOVE for one in said)
            if settled:
                change_mg, before_mg = settled[-1] - before_mg, float(settled[-1])
                found.error_mg.append(change_mg - sum(masses))
                found.exact += round(change_mg / CUBE_MG) == len(masses)
                found.sum_exact += abs(dropped - change_mg) < CUBE_MG / 2
    return found
