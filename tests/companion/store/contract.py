"""Contract tests of an event store, inherited by every back end."""

import pytest

from companion.store.contract import EventStore
from companion.store.errors import Stale
from companion.store.events import NewEvent


class StoreContract:
    """Subclasses provide the fixture `store`."""

    def test_numbers_begin_at_one_and_have_no_gaps(self, store: EventStore) -> None:
        store.append("g", 0, [NewEvent("a", {}), NewEvent("b", {"x": [1]})], "red", 5)
        store.append("g", 2, [NewEvent("c", {})], "blue", 6)
        assert [(e.seq, e.batch, e.kind, e.author, e.ts_ms) for e in store.read("g")] == [
            (1, 1, "a", "red", 5),
            (2, 1, "b", "red", 5),
            (3, 3, "c", "blue", 6),
        ]
        assert store.read("g")[1].body == {"x": [1]}

    def test_a_stale_write_is_refused_and_leaves_nothing(self, store: EventStore) -> None:
        store.append("g", 0, [NewEvent("a", {})], "red", 1)
        with pytest.raises(Stale) as refused:
            store.append("g", 0, [NewEvent("b", {})], "blue", 1)
        assert (refused.value.expected, refused.value.present) == (0, 1)
        assert store.last("g") == 1

    def test_games_do_not_see_each_other(self, store: EventStore) -> None:
        store.append("g", 0, [NewEvent("a", {})], "red", 1)
        store.append("h", 0, [NewEvent("b", {})], "red", 2)
        assert [e.kind for e in store.read("h")] == ["b"]
        assert store.games() == ["g", "h"]
        assert store.last("nobody") == 0

    def test_read_goes_on_after_a_number(self, store: EventStore) -> None:
        store.append("g", 0, [NewEvent(str(n), {}) for n in range(5)], "red", 1)
        assert [e.seq for e in store.read("g", after=3)] == [4, 5]
