"""Games with corrections, undos and settings: after a restart the same is told."""

import json
import random
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase as Doing
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.protocol import Colour, Json, TowerShown
from companion.games.shogun import commands as c
from companion.games.shogun.game import GAME
from companion.games.shogun.state import State
from companion.games.shogun.words import Phase
from companion.store.events import StoredEvent, effective_events
from companion.store.sqlite import SqliteStore
from companion.table.errors import TableRefusal
from companion.table.log.towerstats import statistics_json, table_throws, told_rows
from companion.table.past.history import THROW
from companion.table.past.undoing import Wish
from companion.table.runtime import Runtime
from companion.tower.ledger import Place
from companion.tower.piles import plus
from tests.companion.games.shogun import bots
from tests.companion.games.shogun.test_unruly import KINDS
from tests.companion.table.tables import running

STEPS, FAR = 30, 50
OF_A_START = ("start", "rev", "health")
OF_THE_LOG = ("expected", "history", "undo", "look", "tower_shown")
"""Parts of the table's view that differ after an undo and its undo, because the log is longer."""


def _told_of_game(runtime: Runtime) -> Json:
    """What everybody is told of the game, what each seat is told of its own, and the past that counts."""
    session = runtime.session
    views = {str(seat): session.seat_view(seat) for seat in session.seats()} | {"table": session.view()}
    lasting_views = {
        who: {k: v for k, v in view.items() if k not in OF_A_START} for who, view in views.items()
    }
    past = {"moments": session.past.moments(), "chapters": session.past.chapters()}
    return (
        lasting_views
        | past
        | {"statistics": statistics_json([table_throws("friday", session.events())], "game")}
    )


def _told_of_everything(runtime: Runtime) -> Json:
    session = runtime.session
    log = {"history": session.past.history(), "throws": session.throws(), "rows": told_rows(session.events())}
    goes = {event.batch: session.past.what_goes(event.batch) for event in session.events()[-8:]}
    everything: Json = json.loads(json.dumps(_told_of_game(runtime) | log | {"goes": goes}))
    return everything


def _without_log(game: Json) -> Json:
    views = {who: view for who, view in game.items() if isinstance(view, dict)}
    bare_views = {who: {k: v for k, v in view.items() if k not in OF_THE_LOG} for who, view in views.items()}
    return {**game, **bare_views}


def _state(runtime: Runtime) -> State:
    state: State = runtime.session._book._state
    return state


def _play_on(runtime: Runtime, chance: random.Random) -> None:
    """Give a legal command of the game; a throw is counted by hand."""
    session, state = runtime.session, _state(runtime)
    expected = session.view()["expected"]
    command = bots.next_command(state, chance)
    if isinstance(command, c.Settle):
        session.settle(command.tray, "anna", expected, insist=True)
    elif isinstance(command, c.Place):
        session.seat_command(command.seat, GAME.encode_command(command), "anna", expected)
    else:
        session.command(GAME.encode_command(command), "anna", expected)


def _take_random_step(runtime: Runtime, chance: random.Random) -> None:
    """Do something that a table does; what is refused changes nothing. Raises `TableRefusal`."""
    session, choice = runtime.session, chance.random()
    expected = session.view()["expected"]
    if choice < 0.15:
        session.command(GAME.encode_command(chance.choice(KINDS)(_state(runtime), chance)), "ben", expected)
    elif choice < 0.25:
        newest: Json = next(
            (throw for throw in session.throws() if not throw["undone"]), {"batch": 1, "accepted": {}}
        )
        fewer = {Colour(colour): max(0, n - 1) for colour, n in newest["accepted"].items()}
        session.correct(newest["batch"], fewer, "counted again", "ben", expected)
    elif choice < 0.4:
        _undo_and_bring_back(runtime, chance)
    elif choice < 0.45:
        session.show_tower(chance.choice([*TowerShown]), "host", expected)
    elif _state(runtime).phase is not Phase.OVER:
        _play_on(runtime, chance)


def _undo_and_bring_back(runtime: Runtime, chance: random.Random) -> None:
    session, game_before = runtime.session, _told_of_game(runtime)
    expected = session.view()["expected"]
    batch = chance.choice([event.batch for event in session.events()[-12:]])
    session.undo(Wish(batch, "carl"), expected, ["carl"])
    if chance.random() < 0.6:
        undo_batch = session.view()["expected"]
        session.undo(Wish(undo_batch, "carl"), undo_batch, ["carl"])
        assert _without_log(_told_of_game(runtime)) == _without_log(game_before)


def _assert_consistent(runtime: Runtime) -> None:
    """Cubes are conserved (X-1), and log and statistics tell each throw of the events once."""
    ledger, events = _state(runtime).ledger, list(runtime.session.events())
    assert plus(*(ledger.at(place) for place in Place)) == plus(ledger.box)
    counted_batches = [event.batch for event in effective_events(events) if event.kind == THROW]
    assert [throw.batch for throw in table_throws("friday", events).counting] == counted_batches
    assert [row["throw"] for row in told_rows(events) if not row["undone"]] == counted_batches


@settings(max_examples=3, phases=[Doing.generate])
@given(seed=st.integers(0, 1000))
def test_a_restart_tells_everybody_what_was_told_and_an_undo_that_is_undone_is_nothing(seed: int) -> None:
    chance = random.Random(seed)  # seeded, so that a game can be replayed
    with TemporaryDirectory() as folder:
        told_before: Json = {}
        for _ in range(3):
            with running(Path(folder), options=bots.options(seed)) as runtime:
                assert not told_before or _told_of_everything(runtime) == told_before
                for _ in range(chance.choice([0, FAR])):
                    if _state(runtime).phase is not Phase.OVER:
                        _play_on(runtime, chance)
                for _ in range(STEPS):
                    with suppress(TableRefusal):
                        _take_random_step(runtime, chance)
                    _assert_consistent(runtime)
                told_before = _told_of_everything(runtime)


def test_a_start_reads_a_long_past_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was read and folded three times; after years of evenings that took a small computer a minute."""
    with running(tmp_path) as runtime:
        game_before = runtime.session.view()["game"]
    games_read: list[str] = []
    read_store = SqliteStore.read

    def note_read(store: SqliteStore, game: str, after: int = 0) -> list[StoredEvent]:
        games_read.append(game)
        return read_store(store, game, after)

    monkeypatch.setattr(SqliteStore, "read", note_read)
    with running(tmp_path) as runtime:
        assert (runtime.session.view()["game"], games_read) == (game_before, ["friday"])
