"""One throw, and what it was put right to: in one table, or in several that go on from the same backup."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.store.events import StoredEvent, replaced_by
from companion.table.past.history import Json, batches

Key = tuple[int, int]
"""Number and time of the command that first settled a throw: copies of a table have it from one another."""


@dataclass(frozen=True, slots=True)
class Versions:
    """The throws of one table."""

    first: Mapping[int, Key]
    """Of which throw each version is, by the version's number."""
    newest_ms: Mapping[Key, int]
    """When each throw was settled, or put right last."""

    @classmethod
    def of(cls, events: Sequence[StoredEvent], told: Sequence[Json]) -> "Versions":
        """Of all throws of these events, oldest first."""
        first: dict[int, Key] = {}
        newest_ms: dict[Key, int] = {}
        by_number = {batch[0].batch: batch for batch in batches(events)}
        for one in told:
            corrected = replaced_by(by_number[one["batch"]], one["batch"]) & first.keys()
            key = first[min(corrected)] if corrected else (one["batch"], one["ts_ms"])
            first[one["batch"]], newest_ms[key] = key, one["ts_ms"]
        return cls(first, newest_ms)


def told_by(tables: Sequence[tuple[int, Versions]]) -> dict[Key, int]:
    """Which of the tables tells each throw, by its place: where it was put right last, or of those that have
    it alike the one that was played last. With each table when that was."""
    found: dict[Key, tuple[tuple[int, int], int]] = {}
    for place, (last_ms, versions) in enumerate(tables):
        for key, newest_ms in versions.newest_ms.items():
            when = (newest_ms, last_ms)
            if key not in found or when > found[key][0]:
                found[key] = (when, place)
    return {key: place for key, (_, place) in found.items()}
