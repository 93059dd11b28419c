from companion.store.events import UNDONE, StoredEvent, effective, undo_body


def _event(seq: int, kind: str, batch: int | None = None, **body: object) -> StoredEvent:
    return StoredEvent("g", seq, batch or seq, kind, "red", 0, dict(body))


def test_an_undo_takes_back_what_one_command_did() -> None:
    events = [_event(1, "a"), _event(2, "b"), _event(3, "c", batch=2), _event(4, UNDONE, batches=[2])]
    assert [e.kind for e in effective(events)] == ["a"]


def test_an_undo_can_be_undone() -> None:
    events = [_event(1, "a"), _event(2, UNDONE, batches=[1]), _event(3, UNDONE, batches=[2])]
    assert [e.kind for e in effective(events)] == ["a"]


def test_undoing_in_the_middle_takes_what_was_built_on_it() -> None:
    events = [_event(1, "a"), _event(2, "b"), _event(3, "c")]
    assert undo_body(events, 2) == {"batches": [2, 3]}


def test_what_was_undone_cannot_be_undone_again() -> None:
    events = [_event(1, "a"), _event(2, UNDONE, batches=[1])]
    assert undo_body(events, 1) is None
    assert undo_body(events, 2) == {"batches": [2]}
