"""Two games that differ only in one seat's plan: every other device gets the same bytes (C-6, P-7)."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flask.testing import FlaskClient
from hypothesis import Phase as Doing
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.registry import find
from companion.games.shogun import commands as c
from companion.games.shogun.deciding.planning import to_place
from companion.games.shogun.game import GAME as SHOGUN
from companion.games.shogun.state import State, acting_seat, hand
from companion.games.shogun.words import BLUE, RED, Phase, Space
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from companion.web.app import create_app
from tests.companion.games.shogun import bots
from tests.companion.table.tables import FILL, GAME

OWN, OTHER = "/api/v1/seats/blue", "/api/v1/seats/red"
READS = (
    *("table", "legal", "history", "history?last=3", "chapters", "moments", "throws", "seats", "undo/2"),
    *("statistics", "throwlog.csv", "throwlog.json", "keepsake.json", "host", "sensor", "join", "camera"),
)
KEY = {"blue": "b" * 30, "red": "r" * 30}


class World:
    """A table with its site; blue's plan is the secret."""

    def __init__(self, folder: Path) -> None:
        spec = TableSpec("friday", folder, SensorSpec("none", "none", profiles=str(folder / "p")), GAME)
        self.runtime = Runtime(spec, find("shogun"), wall_ms=lambda: 1_790_000_000_000)
        self._passed_s = 0.0
        self._client: FlaskClient = create_app(self.runtime, clock=self._leap_ahead).test_client(
            use_cookies=False
        )
        for seat, key in KEY.items():
            self.request("host", "POST", f"/api/v1/seats/{seat}/take", {"expected": 0, "key": key})

    @property
    def state(self) -> State:
        state: State = self.runtime.session._book._state
        return state

    @property
    def expected(self) -> int:
        return int(self.runtime.session.view()["expected"])

    def request(self, device: str, method: str, address: str, body: Any = None) -> tuple[int, str]:
        """Send a request; return status and text without what is random at each start."""
        headers = {"X-Seat": device, "X-Seat-Key": KEY[device]} if device in KEY else {}
        environ = {"REMOTE_ADDR": "127.0.0.1" if device == "host" else "192.168.1.7"}
        answer = self._client.open(address, method=method, json=body, headers=headers, environ_base=environ)
        text, random_texts = (
            answer.get_data(as_text=True),
            (self.runtime.session.start, self.runtime.access.code()),
        )
        for random_text in random_texts:
            text = text.replace(random_text, "made up")
        return answer.status_code, text

    def command_as(self, device: str, command: c.Command) -> tuple[int, str]:
        body = {"expected": self.expected, "command": SHOGUN.encode_command(command)}
        return self.request(
            device, "POST", f"/api/v1/seats/{device}/commands" if device in KEY else "/api/v1/commands", body
        )

    def _leap_ahead(self) -> float:
        """A clock that jumps far ahead at each call, so that the rate limits play no role."""
        self._passed_s += 1000
        return self._passed_s


@contextmanager
def _worlds() -> Iterator[tuple[World, World]]:
    with TemporaryDirectory() as first, TemporaryDirectory() as second:
        worlds = World(Path(first)), World(Path(second))
        try:
            yield worlds
        finally:
            for world in worlds:
                world.runtime.stop()


def _assert_same_answer(
    worlds: tuple[World, World], device: str, method: str, address: str, body: Any = None
) -> None:
    first, second = (world.request(device, method, address, body) for world in worlds)
    assert first == second, (device, method, address)


def _assert_worlds_look_alike(worlds: tuple[World, World], chance: random.Random) -> None:
    """What red, a spectator and the host can request, and what red is refused."""
    state, expected = worlds[0].state, worlds[0].expected
    for device in ("red", "watching", "host"):
        for name in (*READS, f"moments/{expected}", f"undo/{expected}"):
            _assert_same_answer(worlds, device, "GET", f"/api/v1/{name}")
        _assert_same_answer(worlds, device, "GET", OTHER if device == "red" else OWN)
    province = chance.choice([*state.provinces])
    card = chance.choice([*hand(state, BLUE), *state.players[BLUE].plan.values()])
    refused_commands: list[c.Command] = [
        c.Ready(BLUE),
        c.Ready(BLUE, by_cards=True),
        c.TurnUp(BLUE, province),
        c.Place(BLUE, Space.RICE, province),
        c.Correct(c.Fact.CARD, f"blue.{chance.choice([*Space])}", card),
        c.Correct(c.Fact.CARD, f"blue.{chance.choice([*Space])}", None),
    ]
    if acting_seat(state) != BLUE:
        refused_commands.append(c.Act(BLUE, province, 99))
    for command in refused_commands:
        body = {"expected": expected, "command": SHOGUN.encode_command(command)}
        for address in ("/api/v1/commands", f"{OWN}/commands", f"{OTHER}/commands"):
            _assert_same_answer(worlds, "red", "POST", address, body)
    assert worlds[0].expected == expected


def _two_plans(state: State, chance: random.Random) -> tuple[list[c.Place], list[c.Place]]:
    """Two plans that differ in the cards of the last two actions, and in the order of placing."""
    spaces = chance.sample([*Space], len(Space))
    cards = chance.sample([card for card in hand(state, BLUE) if card != "chest_4"], to_place(state, BLUE))
    plan = dict(zip(spaces, cards, strict=False))
    last_spaces = [space for space in state.row[-2:] if space is not None]
    swapped_plan = {**plan, last_spaces[0]: plan[last_spaces[1]], last_spaces[1]: plan[last_spaces[0]]}
    placings = [c.Place(BLUE, space, card) for space, card in plan.items()]
    return placings, [
        c.Place(BLUE, space, swapped_plan[space]) for space in chance.sample(spaces, len(spaces))
    ]


@settings(max_examples=2, phases=[Doing.generate])  # shrinking a seed makes no sense
@given(seed=st.integers(0, 1000))
def test_C6_P7_T1_whoever_else_asks_gets_the_same_bytes_whatever_a_seat_has_planned(seed: int) -> None:
    """Each board listed its cards in the order of placing, which revealed what was planned last."""
    chance = random.Random(seed)  # seeded, so that a game can be repeated
    with _worlds() as worlds:
        for world in worlds:
            world.runtime.session.settle(FILL, "anna", world.expected)
        halfway = chance.randint(1, len(Space) - 1)
        for places in zip(*_two_plans(worlds[0].state, chance), strict=True):
            done = [world.command_as("blue", place) for world, place in zip(worlds, places, strict=True)]
            assert [status for status, _ in done] == [200, 200]
            if len(worlds[0].state.players[BLUE].plan) == halfway:
                _assert_worlds_look_alike(worlds, chance)
        assert {world.command_as("blue", c.Ready(BLUE))[0] for world in worlds} == {200}
        while worlds[0].state.phase is Phase.PLANNING:
            _send_next_command(worlds, chance)
        _assert_worlds_look_alike(worlds, chance)
        while worlds[0].state.done < 1 and worlds[0].state.throw is None:
            _send_next_command(worlds, chance)
        _assert_worlds_look_alike(worlds, chance)


def _send_next_command(worlds: tuple[World, World], chance: random.Random) -> None:
    """Send the same command in both worlds."""
    command = bots.next_command(worlds[0].state, chance)
    for world in worlds:
        body = SHOGUN.encode_command(command)
        world.runtime.session.seat_command(getattr(command, "seat", RED), body, "anna", world.expected)
