"""Every game at a table: thrown, told, taken back and counted, however it names its events.

What the rules promise by themselves is tested in `tests/companion/games/test_registry.py`.
"""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.games.just_the_tower.events import CalledOff
from companion.games.just_the_tower.game import JustTheTower
from companion.games.protocol import Colour, Json, Seat, TowerShown
from companion.games.registry import find
from companion.store.events import NewEvent, StoredEvent
from companion.table.files.tables import Tables
from companion.table.log.throwlog import rows_of
from companion.table.log.towerstats import TowerLog, statistics_json
from companion.table.past.history import encode_events, entries
from companion.table.past.tellable import check_tellable
from companion.table.past.undoing import Wish
from tests.companion.games.test_registry import OPTIONS
from tests.companion.table.tables import Table


def _play_at_random(table: Table, name: str, commands: int) -> int:
    """Give that many random commands and settle every throw; return how many throws there were."""
    chance, session, n_throws = random.Random(name), table.session, 0
    for _ in range(commands):
        at_most = session.expected().at_most
        if at_most is not None:
            tray = {Colour(colour): chance.randint(0, limit) for colour, limit in at_most.items()}
            session.settle(tray, "anna", table.expected)
            n_throws += 1
            continue
        seats: list[Seat | None] = [*map(Seat, session.seats()), None]
        offers = [(seat, command) for seat in seats for command in session._book.legal(seat)]
        if not offers:  # the game is over
            break
        seat, command = chance.choice(offers)
        if seat is None:
            session.command(command, "anna", table.expected)
        else:
            session.seat_command(seat, command, "anna", table.expected)
    return n_throws


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_every_game_is_thrown_told_counted_and_taken_back_at_a_table(tmp_path: Path, name: str) -> None:
    """A game whose `settle` had no `insist` kept what its rules promise, but no throw could be settled."""
    table = Table(tmp_path / "tables", name, OPTIONS[name], "friday")
    n_throws = _play_at_random(table, name, 120)
    assert n_throws
    game_before = table.session.view()["game"]
    assert table.opened().view()["game"] == game_before
    check_tellable(find(name), table.session.events())
    assert all(entry["title"] for entry in table.session.view()["history"])
    newest = table.session.throws()[0]["batch"]
    table.session.undo(Wish(newest, "anna"), table.expected, agreed=["anna"])
    assert table.session.throws()[0]["undone"]
    table.close()
    log = rows_of(tmp_path / "tables")
    assert (len(log.rows), log.bad) == (n_throws, [])
    figures = statistics_json(TowerLog(Tables(tmp_path / "tables")).of_all(), "tower")
    assert figures["throws"] == n_throws - 1


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_what_lies_there_is_taken_from_a_person_who_insists(tmp_path: Path, name: str) -> None:
    """In every game the table is right, even if more came out than can be inside; how many more, from which
    what was inside follows, a table with a hidden tower tells nobody."""
    table = Table(tmp_path, name, OPTIONS[name])
    for _ in range(200):
        at_most = table.session.expected().at_most
        if at_most is not None:
            break
        _play_at_random(table, name, 1)
    assert at_most is not None
    table.session.show_tower(TowerShown.HIDDEN, "anna", table.expected)
    colour, most = next(iter(at_most.items()))
    more = 9  # a number that nothing else in this throw has
    lies = {Colour(colour): most + more}
    assert (table.session.preview(lies, table.expected)["beyond"] or {}).get("overrulable")
    table.session.settle(lies, "anna", table.expected, insist=True)
    assert table.session.throws()[0]["accepted"] == lies
    told = table.session.past.history()[0]["told"]
    assert {colour: more} not in [value for event in told for value in event.values()]
    table.close()


@dataclass(frozen=True, slots=True)
class _Secret:
    """An event of this game, of a kind that another game tells in full."""

    kind: str
    bid: int = 7


class _Silent(JustTheTower):
    """Tells nothing of its events but their kind."""

    def decode_event(self, body: Json) -> Any:
        return _Secret(body["kind"])

    def encode_event(self, event: Any) -> Json:
        return {"kind": event.kind, "bid": event.bid}

    def told(self, event: Any) -> Json:
        return {"kind": event.kind, "shown": False}

    def title(self, event: Any) -> str:
        return "Somebody bids"


@pytest.mark.parametrize("kind", ["declared", "decided", "called_off", "seat_ready", "skipped", "bid"])
def test_devices_get_of_an_event_what_its_game_tells_whatever_it_is_called(kind: str) -> None:
    """A dozen kinds of events were sent in full: a game that called its secret bids `declared` revealed
    them."""
    stored = StoredEvent("friday", 2, 2, kind, "anna", 0, {"kind": kind, "bid": 7})
    [entry] = entries(_Silent(), [stored])
    assert entry.body == {"kind": kind, "shown": False}


def test_a_game_cannot_call_an_event_as_the_table_calls_its_own(tmp_path: Path) -> None:
    """`throw` was stored like the record of a real throw, and never folded: the command did nothing."""

    class Throwing(JustTheTower):
        name = "throwing"

        def encode_event(self, event: Any) -> Json:
            return {**super().encode_event(event), "kind": "throw"}

    with pytest.raises(ValueError, match="throwing calls an event 'throw'"):
        encode_events(Throwing(), [CalledOff()])
    assert encode_events(JustTheTower(), [CalledOff()]) == [NewEvent("called_off", {"kind": "called_off"})]
