"""The past is computed once, in words open to all; one person alone cannot take back what was shown."""

import json
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from companion.games.shogun.events import PhaseBegun, Warned
from companion.games.shogun.game import GAME, Shogun
from companion.games.shogun.words import Phase
from companion.store.events import StoredEvent
from companion.table.errors import Outdated, TableRefusal
from companion.table.past.history import History, encode_events, entries
from companion.table.past.pages import Past
from companion.table.past.timeline import Timeline
from companion.table.past.undoing import NeedsTable, Wish
from companion.table.runtime import Runtime
from tests.companion.table.tables import Table, running
from tests.companion.table.test_moments import OPTIONS, correct_armies


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    with running(tmp_path, "past", OPTIONS) as made:
        yield made


def test_a_notice_says_more_than_the_step_that_it_allowed() -> None:
    """After a round played without an event, the newest line said "Next: bids"."""
    facts = (Warned("T-5", "No event card lies open."), PhaseBegun(Phase.BIDS))
    events = [
        StoredEvent("t", place, 1, new.kind, "anna", 0, new.body)
        for place, new in enumerate(encode_events(GAME, facts), 1)
    ]
    [entry] = entries(GAME, events)
    assert (entry.kind, entry.title) == ("warned", "No event card lies open. (T-5)")


def test_only_what_is_new_is_worked_out(runtime: Runtime) -> None:
    past = runtime.session.past
    for number in (4, 7, 9):
        correct_armies(runtime.session, number)
    past.moments()
    assert past.timeline.folded == 4
    past.moments()
    past.history()
    past.chapters()
    correct_armies(runtime.session, 2)
    past.moments()
    assert past.timeline.folded == 5


def test_after_an_undo_the_cache_tells_the_same_as_a_fresh_replay(runtime: Runtime) -> None:
    session = runtime.session
    for number in (4, 7, 9):
        correct_armies(runtime.session, number)
    batch = session.past.moments()[2]["batch"]
    session.undo(Wish(batch, "anna"), session.view()["expected"])
    correct_armies(runtime.session, 3)
    undone = next(entry for entry in session.past.history() if entry["kind"] == "undone")
    session.undo(Wish(undone["batch"], "ben"), session.view()["expected"])
    events = session._book.events
    assert session.past.moments() == Timeline(GAME).moments(events)
    assert session.past.chapters() == Timeline(GAME).chapters(events)
    assert session.past.moment(session.past.moments()[-1]["batch"]) == session.view()["game"]


def test_each_view_works_out_only_what_is_new(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twentieth view of an evening costs no more than the first: no event is decoded twice for it."""
    session = runtime.session
    decoded: list[dict[str, Any]] = []
    decode_event = Shogun.decode_event

    def count_decoding(game: Shogun, body: dict[str, Any]) -> Any:
        decoded.append(body)
        return decode_event(game, body)

    monkeypatch.setattr(Shogun, "decode_event", count_decoding)
    for number in (4, 7, 9):
        correct_armies(runtime.session, number)
        session.view()
    decoded.clear()
    for _ in range(5):
        session.view()
    assert decoded == []


def test_the_history_that_grew_is_that_of_all_events(runtime: Runtime) -> None:
    """After commands, an undo, and an undo of that, each view tells what a fresh look at the file tells."""
    session = runtime.session
    grown = History(GAME)

    def assert_same() -> None:
        events = session._book.events
        assert grown.entries(events) == entries(GAME, events)
        assert session.view()["history"][0] == entries(GAME, events)[-1].as_json()

    for number in (4, 7, 9):
        correct_armies(runtime.session, number)
        assert_same()
    batch = session.past.moments()[2]["batch"]
    session.undo(Wish(batch, "anna"), session.view()["expected"])
    assert_same()
    assert [entry.undone for entry in grown.entries(session._book.events)].count(True) == 2
    undone = next(entry for entry in session.past.history() if entry["kind"] == "undone")
    session.undo(Wish(undone["batch"], "ben"), session.view()["expected"])
    assert_same()


def test_a_long_history_is_had_page_by_page(runtime: Runtime) -> None:
    """Pages in a row tell what the whole tells, across an undo and its undo, whatever page came first."""
    session, past = runtime.session, runtime.session.past
    for number in (4, 7, 9, 2, 5):
        correct_armies(runtime.session, number)
    past.page(2)
    session.undo(Wish(past.history()[1]["batch"], "anna"), session.view()["expected"])
    past.page(1)
    session.undo(Wish(past.history()[0]["batch"], "ben"), session.view()["expected"])
    correct_armies(runtime.session, 8)
    entries, before, n_older = list[dict[str, Any]](), None, [len(past.history())]
    while n_older[-1]:
        page = past.page(2, before)
        entries, before = entries + page.entries, page.entries[-1]["batch"]
        n_older.append(page.older)
    assert n_older == [9, 7, 5, 3, 1, 0]
    assert entries == past.history() == Past(GAME, session.events, nullcontext()).history()


def test_a_page_of_the_history_costs_what_it_shows(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a table of 10,000 throws the page took 5.6 s: all commands were put into words each time."""
    worded: list[str] = []

    def count_calls(name: str) -> None:
        method = getattr(Shogun, name)

        def call_counted(*arguments: Any) -> Any:
            worded.append(name)
            return method(*arguments)

        monkeypatch.setattr(Shogun, name, call_counted)

    for name in ("told", "title", "view"):
        count_calls(name)
    for number in (4, 7) * 20:
        correct_armies(runtime.session, number)
    worded.clear()
    assert len(runtime.session.past.page(2).entries) == 2
    twice = ["told"] * 4  # as a line of its own, and with everything that the command did
    assert sorted(worded) == ["title", "title", *twice, "view", "view"]


def test_the_history_says_where_in_the_game_and_why(runtime: Runtime) -> None:
    session = runtime.session
    correct_armies(runtime.session, 4)
    newest, oldest = session.past.history()
    assert (newest["year"], newest["season"], newest["phase"]) == (1, "summer", "planning")
    (correction,) = [event for event in newest["told"] if event["kind"] == "corrected"]
    assert (correction["fact"], correction["where"], correction["value"], correction["reason"]) == (
        "armies",
        "mino",
        4,
        "seen",
    )
    assert oldest["told"][0]["kind"] == "table_set"
    session.undo(Wish(newest["batch"], "ben", "one fell off"), session.view()["expected"])
    undo, undone_entry, _ = session.past.history()
    assert (undo["reason"], undone_entry["undone"]) == ("one fell off", True)
    assert undo["told"][0]["first"] == undone_entry["told"]


def test_C6_the_history_keeps_the_secrets_of_plans(runtime: Runtime) -> None:
    session = runtime.session
    plan = {"kind": "place", "seat": "blue", "space": "taxes", "card": "chest_3"}
    session.seat_command("blue", plan, "anna", 0)
    history = session.past.history()
    assert history[0]["told"] == [{"kind": "card_placed", "seat": "blue", "shown": False}]
    assert "chest_3" not in json.dumps(history)
    newest = session.view()["history"][0]
    assert newest["body"] == {"kind": "card_placed", "seat": "blue", "shown": False}
    assert "chest_3" not in json.dumps(session.view()["history"])
    assert "seed" not in json.dumps(history)


def test_R7_what_was_shown_is_taken_back_by_the_whole_table_only(table: Table) -> None:
    table.attack()
    declared = table.session.view()["undo"]["batch"]
    table.falls(red=4, blue=1)
    table.pass_s(5)
    with pytest.raises(NeedsTable) as refused:
        table.session.undo(Wish(declared, "anna"), table.expected)
    assert refused.value.params == {"shown": ["throw_settled"], "count": 2}
    assert table.province() == ("red", 3)
    table.session.undo(Wish(declared, "anna"), table.expected, agreed=["anna", "ben"])
    assert table.province() == ("blue", 4)
    assert table.session._book.events[-1].body["agreed"] == ["anna", "ben"]


def test_R7_what_was_brought_back_is_as_seen_as_before(table: Table) -> None:
    """One person alone could take back a throw that all had taken back before and that had been restored."""
    table.attack()
    table.falls(red=4, blue=1)
    table.pass_s(5)
    thrown = table.session.view()["undo"]["batch"]
    table.session.undo(Wish(thrown, "anna"), table.expected, agreed=["anna", "ben"])
    [undone, *_] = table.session.view()["history"]
    table.session.undo(Wish(undone["batch"], "anna"), table.expected)
    [redone, *_] = table.session.view()["history"]
    assert table.session.past.what_goes(redone["batch"])["shown"] == ["throw_settled"]
    with pytest.raises(NeedsTable):
        table.session.undo(Wish(redone["batch"], "anna"), table.expected)
    assert table.province() == ("red", 3)


def test_two_steps_are_taken_back_one_after_the_other(table: Table) -> None:
    """The attack, undone after its throw, left a throw without a battle."""
    table.attack()
    declared = table.session.view()["undo"]["batch"]
    table.falls(red=4, blue=1)
    table.pass_s(5)
    for phase, expected in (("waiting", declared), ("idle", None)):
        newest = table.session.view()["undo"]["batch"]
        table.session.undo(Wish(newest, "anna"), table.expected, agreed=["anna"])
        undo_offer = table.session.view()["undo"]
        assert (table.phase, undo_offer and undo_offer["batch"]) == (phase, expected)
    assert table.province() == ("blue", 4)
    assert table.session.throws()[0]["undone"]
    undone_batches = [
        entry["body"]["batches"] for entry in table.session.view()["history"] if entry["kind"] == "undone"
    ]
    assert [len(batches) for batches in undone_batches] == [1, 1]


def test_a_poll_needs_every_seat_that_was_asked(table: Table) -> None:
    table.attack()
    table.falls(red=4, blue=1)
    table.pass_s(5)
    thrown = table.session.view()["undo"]["batch"]
    session, seats = table.session, ["blue", "red"]
    session.ask_undo(Wish(thrown, "anna", "wrong target"), table.expected, seats, "red")
    assert session.view()["poll"] == {
        "batch": thrown, "author": "anna", "reason": "wrong target", "shown": ["throw_settled"],
        "asked": seats, "agreed": ["red"],
    }  # fmt: skip
    with pytest.raises(TableRefusal):
        session.answer_undo("yellow", thrown, True, table.expected)
    with pytest.raises(Outdated):
        session.answer_undo("blue", thrown, True, table.expected - 1)
    session.answer_undo("blue", thrown, True, table.expected)
    assert (session.view()["poll"], table.phase) == (None, "waiting")


def test_a_yes_counts_for_the_undo_that_was_seen_alone(table: Table) -> None:
    """Somebody asked for a larger undo just before the tap, and a yes to one throw took back all of them."""
    table.attack()
    declared = table.expected
    table.falls(red=4, blue=1)
    table.pass_s(5)
    thrown = table.session.view()["undo"]["batch"]
    session = table.session
    session.ask_undo(Wish(thrown, "anna"), table.expected, ["blue"], None)
    session.ask_undo(Wish(declared, "ben"), table.expected, ["blue"], None)
    with pytest.raises(Outdated):
        session.answer_undo("blue", thrown, True, table.expected)
    assert (session.view()["poll"]["batch"], table.phase) == (declared, "idle")
    session.answer_undo("blue", declared, True, table.expected)
    assert (session.view()["poll"], table.phase) == (None, "idle")


def test_one_no_ends_a_poll_and_so_does_the_game_going_on(table: Table) -> None:
    table.attack()
    table.falls(red=4, blue=1)
    table.pass_s(5)
    thrown = table.session.view()["undo"]["batch"]
    session = table.session
    for _ in range(2):
        session.ask_undo(Wish(thrown, "anna"), table.expected, ["blue"], None)
        assert session.view()["poll"] is not None
        session.answer_undo("blue", thrown, False, table.expected)
        assert (session.view()["poll"], table.phase) == (None, "idle")
    session.ask_undo(Wish(thrown, "anna"), table.expected, ["blue"], None)
    table.attack("ise")
    assert session.view()["poll"] is None


def test_a_poll_goes_on_without_those_who_left_and_ends_without_anybody(table: Table) -> None:
    table.attack()
    table.falls(red=4, blue=1)
    table.pass_s(5)
    thrown = table.session.view()["undo"]["batch"]
    session = table.session
    session.ask_undo(Wish(thrown, "anna"), table.expected, ["blue", "red", "yellow"], "red")
    session.note_left("red")
    assert (session.view()["poll"]["asked"], table.phase) == (["blue", "yellow"], "idle")
    session.note_left("blue")
    session.note_left("yellow")
    assert (session.view()["poll"], table.phase) == (None, "idle"), "nobody is left who could agree"
    session.ask_undo(Wish(thrown, "anna"), table.expected, ["blue", "red"], "red")
    session.note_left("blue")
    assert (session.view()["poll"], table.phase) == (None, "waiting")


def test_what_showed_nothing_is_not_put_to_anybody(table: Table) -> None:
    table.attack()
    declared = table.session.view()["undo"]["batch"]
    table.session.ask_undo(Wish(declared, "anna"), table.expected, ["blue"], None)
    assert (table.session.view()["poll"], table.phase) == (None, "idle")
