"""A throw and its corrections: in one table, or in several that continue from the same backup."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.store.events import StoredEvent, batches_replaced_by
from companion.table.past.history import Json, events_by_batch

Key = tuple[int, int]
"""Number and time of the command that first settled a throw: the same in every copy of a table."""


@dataclass(frozen=True, slots=True)
class Versions:
    """The throws of one table."""

    first: Mapping[int, Key]
    """Which throw each version belongs to, by the version's number."""
    newest_ms: Mapping[Key, int]
    """When each throw was settled, or last corrected: a correction is later than what it corrects."""

    @classmethod
    def of(cls, events: Sequence[StoredEvent], told: Sequence[Json]) -> "Versions":
        """Return the versions of all throws of these events, given oldest first."""
        first: dict[int, Key] = {}
        newest_ms: dict[Key, int] = {}
        by_number = {batch[0].batch: batch for batch in events_by_batch(events)}
        for record in told:
            corrected = batches_replaced_by(by_number[record["batch"]], record["batch"]) & first.keys()
            key = first[min(corrected)] if corrected else (record["batch"], record["ts_ms"])
            after_ms = newest_ms[key] + 1 if key in newest_ms else 0  # clocks are set back
            first[record["batch"]], newest_ms[key] = key, max(after_ms, record["ts_ms"])
        return cls(first, newest_ms)


def tables_by_throw(tables: Sequence[tuple[int, Versions]]) -> dict[Key, int]:
    """Return by which table, as an index, each throw is told: where it was corrected last or, if equal, the
    table played last. Tables are given as pairs of that time and their versions."""
    found: dict[Key, tuple[tuple[int, int], int]] = {}
    for place, (last_ms, versions) in enumerate(tables):
        for key, newest_ms in versions.newest_ms.items():
            when = (newest_ms, last_ms)
            if key not in found or when > found[key][0]:
                found[key] = (when, place)
    return {key: place for key, (_, place) in found.items()}
