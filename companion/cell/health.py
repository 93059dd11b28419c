"""Checks for the doctor: is a load cell there, does it answer, is it good enough to count cubes."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from calibration.scale import ScaleError, load
from companion.findings import Finding, Level
from firmware.link.errors import BoardError
from firmware.link.program import version_to_flash
from firmware.link.talk import Board, Steady, connect
from firmware.link.troubles import UNCALIBRATED

_NOISY_MG: Final = 60.0
"""Noise limit of one reading, a sixth of a cube; by the datasheet a 500 g cell has 21 mg."""
_RATE_OFF: Final = 0.8
"""Lowest accepted share of the nominal rate: the HX711's own clock is accurate to a tenth."""


def check_load_cell(
    ports: Sequence[str], data: Path, opener: Callable[[str], Board] = connect
) -> Iterator[Finding]:
    """Check each port for a board. The load cell is optional, so problems are only notes, never faults."""
    for port in ports:
        try:
            board = opener(port)
        except BoardError as error:
            yield Finding("load cell", Level.NOTE, error.sentence, error.remedy)
            continue
        with board:
            yield _check_program(board)
            try:
                yield from _check_readings(board)
            except BoardError as error:
                yield Finding("load cell", Level.NOTE, error.sentence, error.remedy)
            yield from _check_cube_mass(board, data)


def _check_program(board: Board) -> Finding:
    sentence = f"Load cell on {board.port}, program {board.version}."
    if (newer_version := version_to_flash(board.version)) is None:
        return Finding("load cell", Level.OK, sentence)
    remedy = "Flash it: `tenshu firmware flash`. CHANGELOG.md says what it does better."
    return Finding("load cell", Level.NOTE, f"{sentence} Tenshu comes with {newer_version}.", remedy)


def _check_readings(board: Board) -> Iterator[Finding]:
    steady = board.measure_steady()
    sentence = f"{steady.samples_per_s} readings a second, each good to {steady.noise_mg:.0f} mg."
    for fault in board.faults.values():
        if fault.name != UNCALIBRATED:  # reported by `_check_cube_mass`
            yield Finding("load cell", Level.NOTE, fault.sentence, fault.remedy)
    yield Finding("load cell", *_judge_readings(steady, board.settings.rate, sentence))


def _judge_readings(steady: Steady, rate: int, sentence: str) -> tuple[Level, str, str]:
    if steady.samples_per_s < _RATE_OFF * rate:
        return (
            Level.NOTE,
            f"{sentence} {rate} were asked for.",
            "Connect the RATE pin of the HX711 to D6 (docs/load-cell.md), or ask for what it gives: "
            "`tenshu firmware rate 10`.",
        )
    if steady.noise_mg > _NOISY_MG:
        return (
            Level.NOTE,
            f"{sentence} That is more than a single cube allows.",
            "Shorten the cell's wires, keep them away from mains cables, and make sure that nothing "
            "touches the tray.",
        )
    return Level.OK, sentence, ""


def _check_cube_mass(board: Board, data: Path) -> Iterator[Finding]:
    weigh = "Weigh known cubes: `tenshu firmware calibrate`."
    if not board.settings.calibrated:
        yield Finding("load cell", Level.NOTE, "The load cell was never calibrated.", weigh)
        return
    try:
        cube = load(data)
    except ScaleError as error:
        yield Finding("load cell", Level.NOTE, error.sentence, error.remedy)
        return
    if not cube.cubes:
        yield Finding("load cell", Level.NOTE, "The weight of a cube is not known here.", weigh)
        return
    spread = cube.spread_mg / cube.unit_mg
    sentence = f"A cube weighs {cube.unit_mg:.0f} mg, learned from {cube.cubes}; they differ by {spread:.1%}."
    yield Finding("load cell", Level.OK, sentence)
