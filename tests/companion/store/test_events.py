from hypothesis import given
from hypothesis import strategies as st

from companion.store.events import UNDONE, StoredEvent, effective_events, undo_body


def _event(seq: int, kind: str, batch: int | None = None, **body: object) -> StoredEvent:
    return StoredEvent("g", seq, batch or seq, kind, "red", 0, dict(body))


def test_an_undo_takes_back_what_one_command_did() -> None:
    events = [_event(1, "a"), _event(2, "b"), _event(3, "c", batch=2), _event(4, UNDONE, batches=[2])]
    assert [e.kind for e in effective_events(events)] == ["a"]


def test_an_undo_can_be_undone() -> None:
    events = [_event(1, "a"), _event(2, UNDONE, batches=[1]), _event(3, UNDONE, batches=[2])]
    assert [e.kind for e in effective_events(events)] == ["a"]


def test_undoing_in_the_middle_takes_what_was_built_on_it() -> None:
    events = [_event(1, "a"), _event(2, "b"), _event(3, "c")]
    assert undo_body(events, 2) == {"batches": [2, 3]}


def test_what_was_undone_cannot_be_undone_again() -> None:
    events = [_event(1, "a"), _event(2, UNDONE, batches=[1])]
    assert undo_body(events, 1) is None
    assert undo_body(events, 2) == {"batches": [2]}


def test_two_undos_one_after_the_other_take_two_steps_back() -> None:
    """The second undo took the first back too, so what the first had undone came back."""
    events = [_event(1, "a"), _event(2, "b"), _event(3, "c"), _event(4, UNDONE, batches=[3])]
    body = undo_body(events, 2)
    assert body == {"batches": [2], "also": [3, 4]}
    events.append(_event(5, UNDONE, **body))
    assert [e.kind for e in effective_events(events)] == ["a"]


def test_what_lies_apart_stays_when_something_before_it_goes() -> None:
    events = [
        _event(1, "a"),
        _event(2, "b"),
        _event(3, "apart"),
        _event(4, "c"),
        _event(5, UNDONE, batches=[3]),
    ]
    assert undo_body(events, 2, frozenset({"apart"})) == {"batches": [2, 4]}
    assert undo_body(events, 5, frozenset({"apart"})) == {"batches": [5]}


@given(steps=st.lists(st.integers(0, 8), max_size=14))
def test_after_an_undo_all_is_as_it_was_before_what_was_taken_back(steps: list[int]) -> None:
    """Commands, undos and undos of undos; a step adds a command or undoes the nth batch that can be."""
    events = [_event(1, "a")]
    for step in steps:
        number, bodies = len(events) + 1, [undo_body(events, event.batch) for event in events]
        undoable = [event.batch for event, body in zip(events, bodies, strict=True) if body is not None]
        batch = undoable[step] if 0 < step < len(undoable) else 0
        if not batch:
            events.append(_event(number, "a"))
            continue
        body = undo_body(events, batch)
        assert body is not None
        events.append(_event(number, UNDONE, **body))
        assert effective_events(events) == effective_events(
            [event for event in events if event.batch < batch]
        )
