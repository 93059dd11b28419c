"""The state of a table in play: always what all of its events make, without folding all of them."""

from collections.abc import Callable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from companion.games.just_the_tower.events import Event
from companion.games.just_the_tower.game import JustTheTower, State
from companion.games.protocol import Colour
from companion.store.events import UNDONE, NewEvent, StoredEvent, undo_body
from companion.store.sqlite import SqliteStore
from companion.table.past.book import Book
from companion.table.past.history import THROW, encode_events, fold
from companion.table.past.standing import KEPT, Standing

BOX = {"box": {"red": 10, "blue": 10}}
THROWN = {"kind": "throw", "cubes": {"red": 1}}
CALLED_OFF = {"kind": "call_off"}


class Counting(JustTheTower):
    """Counts the events that are folded."""

    evolved = 0

    def evolve(self, state: State | None, event: Event) -> State:
        self.evolved += 1
        return super().evolve(state, event)


def _append_events(events: list[StoredEvent], new: list[NewEvent]) -> None:
    first_seq = len(events) + 1
    events += [
        StoredEvent("t", n, first_seq, event.kind, "a", 0, event.body)
        for n, event in enumerate(new, first_seq)
    ]


def _undo_events(events: list[StoredEvent], batch: int) -> list[NewEvent]:
    body = undo_body(events, batch) if batch > 1 else None
    return [] if body is None else [NewEvent(UNDONE, body)]


def _command_events(game: JustTheTower, state: State) -> list[NewEvent]:
    command = game.decode_command(CALLED_OFF if state.awaited else THROWN)
    return encode_events(game, game.decide(state, command))


@given(st.lists(st.one_of(st.just(0), st.integers(1, 30)), max_size=40))
def test_whatever_is_taken_back_it_stands_as_all_events_make_it(steps: list[int]) -> None:
    """A step is a command (0), or how many events back to undo; to undo an undo brings back what it took."""
    game, events = JustTheTower(), list[StoredEvent]()
    _append_events(events, encode_events(game, game.new(BOX)))
    standing = Standing(game, events)
    for step in steps:
        new = _undo_events(events, len(events) + 1 - step) if step else _command_events(game, standing.state)
        length_before = len(events)
        _append_events(events, new)
        if new:
            assert standing.with_more(events, len(events) - length_before) == fold(game, events)
            standing.follow(events, len(events) - length_before)
        assert standing.state == fold(game, events)


def _long_table(folder: Path, commands: int) -> tuple[Counting, Book]:
    game = Counting()
    book = Book(game, SqliteStore(folder / "long.sqlite3"), "long", lambda: 0)
    book.append(encode_events(game, game.new(BOX)), "host")
    for number in range(commands):
        book.append(book.decide(CALLED_OFF if number % 2 else THROWN), "anna")
    settled = book.decide({"kind": "settle", "tray": {"red": 1}, "insist": ""})
    book.append([NewEvent(THROW, {}), *settled], "anna")
    game.evolved = 0
    return game, book


def test_an_undo_and_each_tap_of_a_correction_ask_for_no_whole_past(tmp_path: Path) -> None:
    """At a table with two years of evenings each took half a second, and several on a small computer."""
    game, book = _long_table(tmp_path, 2 * KEPT + 1)
    last_batch = book.events[-1].batch
    steps: list[Callable[[], object]] = [
        lambda: book.preview({Colour("red"): 0}, last_batch),
        lambda: book.append(book.correction_events(last_batch, {Colour("red"): 0}, "seen"), "anna"),
        lambda: book.append(book.undo_events(book.events[-1].batch), "anna"),
        lambda: book.append(book.undo_events(book.events[-1].batch), "anna"),
    ]
    for step in steps:
        step()
        assert game.evolved < 10
        game.evolved = 0
    assert book.view(None) == game.view(fold(game, book.events), None)
