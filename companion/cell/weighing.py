"""Weighing known cubes step by step: the board's scale, the mass of a cube, how much cubes differ."""

import math
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from calibration.scale import STEP_SIGMA_MG, USUAL_SPREAD, CountOdds, CubeMass, check_singles, learn
from firmware.link.errors import BoardError, Refused
from firmware.link.events import Drop, Settled
from firmware.link.talk import Board
from firmware.link.wire import CUBE_MG, Command

USUAL_SET: Final = 62
"""Number of cubes of one colour in Shogun's box."""
USUAL_SINGLES: Final = 10
_LEAST_FELT_MG: Final = 0.7 * CUBE_MG
"""Least weight of a cube that a board whose milligrams are true feels falling alone: its thresholds are
shares of `CUBE_MG`, and cubes differ."""
_A_CUBE_S: Final = 60.0
_SINGLE: Final = (0.6, 1.5)
"""Range of a single cube's mass, relative to the mean."""
_PATIENCE, _PAUSE_S = 15, 1.0
_MOST_OUTLIERS: Final = 5
"""After this many drops that are no single cube (and over twice those that are), the masses are compared."""
_SURE_OF: Final = (5, 10, 20, 45)


class Person(Protocol):
    """The person who lays cubes on the tray."""

    def say(self, text: str) -> None:
        """Tell the person something."""

    def ready(self, text: str) -> None:
        """Ask the person to do something and wait until it is done."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How to do the weighing."""

    cubes: int = USUAL_SET
    mass_mg: int | None = None
    """Mass of a known weight, if any: it makes the milligrams true, which counting cubes does not need."""
    singles: int = USUAL_SINGLES


def tare(board: Board) -> int:
    """Make the present load the permanent zero; return its raw counts. Raise `BoardError`."""
    counts = _ask_patiently(board, Command.TARE)
    board.ask(Command.SAVE)
    return counts


def rate(board: Board, readings_a_second: int) -> None:
    """Set the HX711's readings per second permanently. Raise `BoardError`."""
    board.ask(Command.RATE, readings_a_second)
    board.ask(Command.SAVE)


def weigh(board: Board, person: Person, wish: Wish) -> CubeMass:
    """Lead a person through weighing and save the scale; on failure the board keeps the old one.

    Raise `BoardError` or `ScaleError`."""
    try:
        cube = _lead_person(board, person, wish)
        board.ask(Command.SAVE)
    except BaseException:  # including Ctrl-C
        board.discard_unsaved()
        raise
    return cube


def _lead_person(board: Board, person: Person, wish: Wish) -> CubeMass:
    person.ready("Empty the tray and take your hands off.")
    _ask_patiently(board, Command.TARE)
    if wish.mass_mg is not None:
        person.ready(f"Lay the weight of {wish.mass_mg / 1000:g} g on the tray.")
        _ask_patiently(board, Command.CALIBRATE, "mass", wish.mass_mg)
        person.ready("Take the weight off again.")
        _ask_patiently(board, Command.TARE)
    person.ready(f"Lay {wish.cubes} cubes on the tray, all at once.")
    if wish.mass_mg is None:
        _ask_patiently(board, Command.CALIBRATE, "cubes", wish.cubes)
    whole = board.measure_steady()
    whole_set = learn((), wish.cubes, whole.mass_mg, STEP_SIGMA_MG)
    person.say(
        f"{wish.cubes} cubes weigh {whole.mass_mg / 1000:.2f} g: {whole_set.unit_mg:.0f} mg each. "
        f"One reading is good to {whole.noise_mg:.0f} mg, {whole.samples_per_s} a second."
    )
    if wish.mass_mg is not None and whole_set.unit_mg < _LEAST_FELT_MG:
        raise BoardError(
            "light_cubes",
            f"With true milligrams the board may not feel a cube of less than {_LEAST_FELT_MG:.0f} mg.",
            "Check the weight that you gave as --mass; if it is right, leave it out: the board then goes by "
            "your cubes.",
        )
    singles: list[float] = []
    if wish.singles > 1:
        person.ready("Take all cubes off again.")
        singles = _weigh_singles(board, person, wish, whole_set.unit_mg)
    return learn(singles, wish.cubes, whole.mass_mg, STEP_SIGMA_MG)


def verdict(cube: CubeMass, *, true_mg: bool) -> str:
    """Describe what was learned and how far it carries; without a known weight a cube is set to 360 mg."""
    known = "" if true_mg else f" (taken for {CUBE_MG} mg: no known weight was laid on)"
    lines = [
        f"A cube weighs {cube.unit_mg:.1f} ± {cube.unit_sigma_mg:.1f} mg{known}; "
        f"cubes differ by {cube.spread_mg / cube.unit_mg:.1%}.",
        "If all fall in one step, this is how sure the weight alone is of the number:",
    ]
    lines += [f"  {number:3} cubes  {_expected_certainty(cube, number):.1%}" for number in _SURE_OF]
    return "\n".join(lines)


def _expected_certainty(cube: CubeMass, number: int) -> float:
    """Return the expected certainty, averaged over what this many cubes may weigh."""
    deviations = np.linspace(-2.5, 2.5, 11)
    weights = np.exp(-0.5 * deviations**2)
    spread = math.sqrt(number * cube.spread_mg**2 + (number * cube.unit_sigma_mg) ** 2 + STEP_SIGMA_MG**2)
    certainties = []
    for deviation in deviations:
        odds = CountOdds(cube)
        odds.add_step(number * cube.unit_mg + deviation * spread, STEP_SIGMA_MG)
        certainties.append(float(np.max(odds.odds())))
    return float(np.average(certainties, weights=weights))


def _ask_patiently(board: Board, command: Command, *arguments: int | str) -> int:
    """Send a command, waiting while the tray still moves. Raise `Refused`."""
    for _ in range(_PATIENCE):
        try:
            return board.ask(command, *arguments)
        except Refused as refused:
            if refused.name != "moving":
                raise
        for _ in board.listen(_PAUSE_S):
            pass
    return board.ask(command, *arguments)


def _weigh_singles(board: Board, person: Person, wish: Wish, usual_mg: float) -> list[float]:
    person.say(f"Now drop {wish.singles} cubes onto the tray, one at a time; wait for each number.")
    board.discard_heard()
    singles: list[float] = []
    outliers: list[float] = []
    low, high = (share * usual_mg for share in _SINGLE)
    for event in board.listen(_A_CUBE_S * wish.singles):
        if isinstance(event, Drop) and event.mass_mg > 0:
            if low <= event.mass_mg <= high:
                singles.append(float(event.mass_mg))
                person.say(f"{len(singles):3}: {event.mass_mg} mg")
            else:
                outliers.append(float(event.mass_mg))
                person.say(f"   : {event.mass_mg} mg is no single cube; it does not count.")
        if len(outliers) >= max(_MOST_OUTLIERS, 2 * len(singles) + 1):
            check_singles(outliers, usual_mg, math.hypot(USUAL_SPREAD * usual_mg, STEP_SIGMA_MG))
        if isinstance(event, Settled) and len(singles) >= wish.singles:
            return singles
    raise BoardError(
        "no_cubes",
        f"Only {len(singles)} cubes were felt one by one.",
        "Drop them from a hand's height, two seconds apart; or leave this step out: --singles 0.",
    )
