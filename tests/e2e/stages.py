"""Tables at a moment of the game, served for a browser: for journeys, checks and pictures of pages."""

import json
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flask import Flask

import companion.demo
from companion.demo.table import FIRST
from companion.demo.table import OPTIONS as DEMO
from companion.games.shogun import commands as c
from companion.games.shogun.decide import decide
from companion.games.shogun.evolve import evolve
from companion.games.shogun.game import GAME
from companion.games.shogun.state import State
from companion.games.shogun.words import Phase, Space
from companion.table.messages import CameraSays, LetFall, Looked, Moving, Order, SensorSpec
from companion.table.runtime import Runtime, TableSpec
from companion.web.app import create_app
from companion.web.server import make_server
from tests.companion.games.shogun.bots import next_command
from tests.companion.table.tables import tell
from tests.e2e.place import Demo
from vision.pictures import load_picture
from vision.reader import TrayReader

SEATS = ("blue", "red", "yellow")
SPACES = tuple(space.value for space in Space)
WHOLE: dict[str, Any] = {"players": list(SEATS), "side": "sun", "start": "predetermined", "seed": 8123}
FIVE: dict[str, Any] = {**WHOLE, "players": ["red", "blue", "yellow", "black", "purple"]}
PATIENT_S = 3600.0
"""Seconds of a countdown that does not end during a test."""


@contextmanager
def served(runtime: Runtime, folder: Path, port: int = 0) -> Iterator[tuple[Demo, Flask]]:
    """The site of a table, on a free port if none is given; the runtime is stopped at the end."""
    app = create_app(runtime)
    server = make_server(app, "127.0.0.1", port)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield Demo(f"http://127.0.0.1:{server.bind_addr[1]}", folder), app
    finally:
        runtime.stop()
        server.stop()
        thread.join(10)


def fresh(
    folder: Path, camera: str = "none", countdown_s: float = PATIENT_S, options: dict[str, Any] = WHOLE
) -> Runtime:
    """A whole game that has just begun."""
    sensors = SensorSpec(camera, camera, profiles=str(folder / "profiles"))
    return Runtime(TableSpec("game", folder, sensors, options, None, countdown_s), GAME)


def battle(folder: Path) -> Runtime:
    """The demo: a battle, and a camera that sees pictures."""
    sensors = SensorSpec("demo", "demo", profiles=str(folder / "profiles"))
    return Runtime(TableSpec("demo", folder, sensors, DEMO, FIRST, PATIENT_S), GAME)


def acted(folder: Path) -> Runtime:
    """The demo without its sensor process, for what follows the throw: the first throw falls at once."""
    runtime = battle(folder)
    session = runtime.session

    def take_order(order: Order) -> bool:
        if isinstance(order, LetFall):
            session.hear(Moving())
            session.hear(_first_throw())
        return True

    runtime._host.order = take_order  # type: ignore[method-assign] # the end of the pipe
    session.hear(CameraSays("embedded pictures"))
    return runtime


@cache
def _first_throw() -> Looked:
    """The first throw as the demo's process reads it."""
    picture = Path(companion.demo.__file__).parent / "pictures" / "throw-01.jpg"
    return Looked(TrayReader().read(load_picture(picture)), picture.read_bytes(), 30.0, 200.0)


def battle_of_three(folder: Path) -> Runtime:
    """The demo's battle in a game in which black and purple do not play."""
    players = ["red", "blue", "yellow"]
    cubes_inside = {colour: n for colour, n in DEMO["tower"].items() if colour in (*players, "green")}
    options = {**DEMO, "players": players, "tower": cubes_inside}
    sensors = SensorSpec("none", "none", profiles=str(folder / "profiles"))
    return Runtime(TableSpec("demo", folder, sensors, options, FIRST, PATIENT_S), GAME)


def played(
    folder: Path, until: Callable[[State], bool], seed: int = 3, options: dict[str, Any] = WHOLE
) -> Runtime:
    """A game played at random up to a moment; played once and cached, and resumed as after a restart."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.sqlite3").write_bytes(_played_file(until, seed, json.dumps(options)))
    return fresh(folder)


@lru_cache(maxsize=8)
def _played_file(until: Callable[[State], bool], seed: int, options_json: str) -> bytes:
    """Its file; all commands went through the session."""
    chance = random.Random(seed)  # seeded: the same game each time
    state: State | None = None
    options = json.loads(options_json)
    for event in GAME.new(options):
        state = evolve(state, event)
    assert state is not None
    with TemporaryDirectory() as folder:
        runtime = fresh(Path(folder), options=options)
        while not until(state) and state.phase is not Phase.OVER:
            command = next_command(state, chance)
            _give_command(runtime, command, runtime.session.table_legal()["expected"])
            for event in decide(state, command):
                state = evolve(state, event)
        runtime.stop()
        return (Path(folder) / "game.sqlite3").read_bytes()


def _give_command(runtime: Runtime, command: c.Command, expected: int) -> None:
    if isinstance(command, c.Settle):
        runtime.session.settle(command.tray, "table", expected)
    elif isinstance(command, c.Place):
        runtime.session.seat_command(command.seat, GAME.encode_command(command), "seat", expected)
    else:
        runtime.session.command(GAME.encode_command(command), "table", expected)


def give_at_table(runtime: Runtime, **command: Any) -> None:
    """Give a command at the table's own page."""
    tell(runtime.session, command, "table")


def ready_by_cards(runtime: Runtime, *seats: str) -> None:
    """Have these seats say that they have planned with the real cards."""
    for seat in seats:
        give_at_table(runtime, kind="ready", seat=seat, by_cards=True)


def winter_revolts(state: State) -> bool:
    """Winter, with revolts drawn and still to fight."""
    return state.phase is Phase.HUNGER and any(state.revolts.values())


def second_year(state: State) -> bool:
    """Planning in the second year, with a past behind it."""
    return state.phase is Phase.PLANNING and state.year == 2


def over(state: State) -> bool:
    """The end of the game."""
    return state.phase is Phase.OVER
