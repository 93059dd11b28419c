"""Whole games of Shogun: each throw is rendered, read with the tower's ledger, and settled or asked about.

Three to five players decide at random, and so does the tower within its limits. The cubes of each throw fall
onto the game's own table (light, tray, camera), a person answers what is asked, and what is left is seen
before the next throw. Other games: `python -m tests.bench.bench_games -n 6 --seed 100`; also `--without-mat`
and `--calibrated`.
"""

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from calibration.profiles.learn import learn
from calibration.profiles.taught import reader_of
from calibration.synth import Options
from calibration.synth.staged import StagedTable
from calibration.synth.throws import THROWS
from companion.games.protocol import Colour
from companion.games.shogun import commands as c
from companion.games.shogun.decide import decide
from companion.games.shogun.evolve import evolve
from companion.games.shogun.game import GAME
from companion.games.shogun.state import State
from companion.games.shogun.words import Phase
from companion.table.messages import Looked, Moving
from companion.table.throw.live import Phase as Light
from tests.bench.rows import Row, table
from tests.companion.games.shogun.bots import next_command
from tests.companion.table.tables import JPEG, Table
from vision.reader import TrayReader
from vision.scene.rectify import rectify

_SEED, _GAMES, _SHOWN = 100, 1, 5
_PLAYERS = ("blue", "yellow", "red", "black", "purple")
_MOST_STEPS = 6000


@dataclass(frozen=True, slots=True)
class ThrowResult:
    """The result of one throw."""

    exact: bool
    accepted: bool
    """Settled without a person."""
    doubts: tuple[str, ...]


class Game:
    """One game at one table."""

    def __init__(self, seed: int, folder: Path, *, mat: bool, calibrated: bool) -> None:
        players = _PLAYERS[: 3 + seed % 3]
        options = {"players": list(players), "side": "sun", "start": "predetermined", "seed": seed}
        self._seed = seed
        self._chance = random.Random(seed)  # seeded, so that the game is the same each time
        self._table = Table(folder, "shogun", options)
        self._staged = StagedTable(seed, Options((960, 720), mat=mat, throws=THROWS))
        self._reader = _calibrated_reader(self._staged, (*players, "green")) if calibrated else TrayReader()
        self._pictures = 1000 * seed
        self._state: State | None = None
        for event in GAME.new(options):
            self._state = evolve(self._state, event)

    def throws(self) -> Iterator[ThrowResult]:
        """Play to the end of the game, yielding each throw."""
        for _ in range(_MOST_STEPS):
            state = self._state
            assert state is not None
            if state.phase is Phase.OVER:
                return
            command = next_command(state, self._chance)
            if isinstance(command, c.Settle):
                command, result = self._settle_throw(command)
                yield result
            else:
                self._give_command(command)
            for event in decide(state, command):
                self._state = evolve(self._state, event)
            if isinstance(command, c.Settle):
                self._show_tray(self._table.session.view()["game"]["cubes"]["tray"])

    def _settle_throw(self, command: c.Settle) -> tuple[c.Settle, ThrowResult]:
        """Let a throw fall and settle it; what did not fit the tray counts as stayed inside the tower."""
        session = self._table.session
        fell, exact = self._show_tray(command.tray, session.fall_order().possible)
        look = session.view()["look"]
        doubts = tuple(doubt["key"] for doubt in look["doubts"]) if look else ()
        result = ThrowResult(exact, self._table.phase == Light.COUNTDOWN, doubts)
        session.settle(fell, "a person", session.table_legal()["expected"])
        return replace(command, tray=fell), result

    def _show_tray(
        self, in_tray: Mapping[Any, int], possible: Mapping[Any, int] | None = None
    ) -> tuple[dict[Colour, int], bool]:
        """Show what lies in the tray; return its visible counts and whether they were read exactly."""
        self._pictures += 1
        wanted = {str(colour): number for colour, number in in_tray.items()}
        picture, label = self._staged.render_thrown(wanted, self._pictures)
        seen = label["visible_counts"]
        assert isinstance(seen, dict)
        at_most = possible and {str(colour): number for colour, number in possible.items()}
        reading = self._reader.read(picture, at_most)
        session = self._table.session
        session.hear(Moving())
        session.hear(Looked(reading, JPEG, 30.0, 100.0, at_most))
        exact = all(reading.counts.get(colour, 0) == number for colour, number in seen.items())
        return {Colour(colour): number for colour, number in seen.items() if number}, exact

    def _give_command(self, command: c.Command) -> None:
        session, body = self._table.session, GAME.encode_command(command)
        expected = session.table_legal()["expected"]
        if isinstance(command, c.Place):
            session.seat_command(command.seat, body, "seat", expected)
        else:
            session.command(body, "table", expected)


def _calibrated_reader(staged: StagedTable, colours: tuple[str, ...]) -> TrayReader:
    """Calibrate a reader with the empty tray and five cubes per colour; a plain one if no tray is found."""
    flat = rectify(empty := staged.render_empty())
    if flat is None:
        return TrayReader()
    cubes = {colour: [staged.render_apart(colour, _SHOWN)[0]] for colour in colours}
    return reader_of(learn(empty, flat.tray, cubes, name="home", made="", cube_mm=staged.scene.cube_mm))


def run(
    seed: int = _SEED, games: int = _GAMES, *, mat: bool = True, calibrated: bool = False
) -> Iterator[Row]:
    """Play `games` games and summarise their throws."""
    results: list[ThrowResult] = []
    for game_seed in range(seed, seed + games):
        with tempfile.TemporaryDirectory() as folder:
            results += Game(game_seed, Path(folder), mat=mat, calibrated=calibrated).throws()
    silent = sum(result.accepted and not result.exact for result in results)
    figures = {
        "throws read right": sum(result.exact for result in results),
        "settled without a person": sum(result.accepted for result in results),
        "wrong in silence": silent,
    }
    yield from (Row("games", what, f"{number} of {len(results)}", None) for what, number in figures.items())
    asked = Counter(result.doubts[0] for result in results if result.doubts and not result.accepted)
    yield from (Row("games", f"asked first: {doubt}", str(n), None) for doubt, n in asked.most_common())


def main() -> int:
    """Print the rows of the requested games."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_games", description=__doc__)
    parser.add_argument("-n", "--games", type=int, default=_GAMES)
    parser.add_argument("--seed", type=int, default=_SEED, help="of the first; the next follow")
    parser.add_argument("--without-mat", action="store_true")
    parser.add_argument("--calibrated", action="store_true", help="five cubes of each colour shown before")
    args = parser.parse_args()
    rows = run(args.seed, args.games, mat=not args.without_mat, calibrated=args.calibrated)
    sys.stdout.write(table(rows) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
