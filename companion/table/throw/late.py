"""More lies in the tray than was counted: a cube fell after its throw had been accepted."""

from collections.abc import Mapping
from typing import Final

from companion.table.messages import Looked
from companion.table.past.history import Json
from companion.table.throw.live import Look
from companion.table.throw.looking import is_empty, is_within, look_json
from companion.table.throw.weigher import Weighed

_SURE: Final = 0.9
"""How sure of its number the weight must be if nothing else tells."""
_FEW: Final = 3
"""More extra cubes than this at once are a hand resting on the tray."""


class LateCubes:
    """Watches for late cubes while no throw is awaited, by looks, or by weight if no camera looks; compares
    them with the record of the newest throw that counts."""

    def __init__(self) -> None:
        self._look: Look | None = None
        self._has_ended = False
        """Hands have been in the tray: what lies there need not belong to the throw."""
        self._weight_agreed = self._felt_fall = False
        """Whether the weight agreed with what was counted, and whether something was felt falling since."""
        self._weighed_cubes: int | None = None
        """Cubes in the tray by weight alone, while that is more than was counted."""

    @property
    def has_extra(self) -> bool:
        """Whether there may be something to tell."""
        return self._look is not None or self._weighed_cubes is not None

    @property
    def may_use_weight(self) -> bool:
        """Whether the weight can show that more lies there now."""
        return self._weight_agreed and self._felt_fall and not self._has_ended

    @property
    def look(self) -> Look | None:
        """The look that shows more."""
        return self._look

    def begin(self, weighed: Weighed | None, record: Json | None) -> None:
        """Begin to watch: a throw was settled."""
        self._look, self._weighed_cubes, self._has_ended, self._felt_fall = None, None, False, False
        self._weight_agreed = record is not None and _sure_count(weighed) == sum(record["accepted"].values())

    def end(self) -> None:
        """Stop watching: what lies there is no longer the throw."""
        self._look, self._weighed_cubes, self._has_ended = None, None, True

    def note_drop(self, mass_mg: int) -> None:
        """Note that the load cell felt something arrive or leave."""
        self._felt_fall = self._felt_fall or mass_mg > 0

    def take_weight(self, weighed: Weighed | None, record: Json | None) -> bool:
        """Take the weight at rest, if no camera looks; return whether it changes what is told."""
        before, cubes = self._weighed_cubes, _sure_count(weighed)
        if not self.may_use_weight or record is None or cubes is None:
            return False
        counted = sum(record["accepted"].values())
        if cubes < counted:
            self.end()
        else:
            self._weighed_cubes = cubes if counted < cubes <= counted + _FEW else None
        return self._weighed_cubes != before

    def take_look(self, number: int, looked: Looked, record: Json | None) -> bool:
        """Judge a look; return whether it changes what is told. One in doubt tells nothing."""
        reading, before = looked.reading, self._look
        if record is None or self._has_ended or not (reading.certain or is_empty(reading)):
            return False
        if reading.total < sum(_smaller_counts(record).values()):
            self.end()
        else:
            more = _corrected_counts(record, reading.counts) is not None
            self._look = Look(number, looked, ()) if more else None
            self._weighed_cubes = None  # a picture says more than a weight
        return self._look is not before

    def as_json(self, record: Json | None) -> Json | None:
        """Return for the page what lies there, what was counted, and the right counts; None if nothing
        came."""
        if record is None:
            return None
        counted = dict(record["accepted"])
        if self._look is None:  # no weight tells the colour
            more = self._weighed_cubes is not None and self._weighed_cubes > sum(counted.values())
            return (
                {"look": None, "lies": self._weighed_cubes, "counted": counted, "counts": counted}
                if more
                else None
            )
        seen = self._look.looked.reading
        counts = _corrected_counts(record, seen.counts)
        if counts is None:
            return None
        return {"look": look_json(self._look), "lies": seen.total, "counted": counted, "counts": counts}


def _sure_count(weighed: Weighed | None) -> int | None:
    """Return how many cubes lie there, if the weight is sure."""
    return weighed.cubes if weighed is not None and weighed.whole and weighed.sure >= _SURE else None


def _smaller_counts(record: Json) -> Mapping[str, int]:
    """Return what was accepted, or what the look read if less: a corrected misreading still looks the
    same."""
    accepted, read = _accepted_and_read(record)
    return min(accepted, read, key=lambda counts: sum(counts.values()))


def _corrected_counts(record: Json, seen: Mapping[str, int]) -> dict[str, int] | None:
    """Return what was accepted plus what came since; None if nothing surely came: all that is seen was read
    or counted before, some of what was read is gone, or the tower cannot have let it fall."""
    accepted, read = _accepted_and_read(record)
    most = max(sum(accepted.values()), sum(read.values()))
    if sum(seen.values()) <= most or not is_within(read, seen):
        return None
    possible: Mapping[str, int] = record["possible"]
    larger_counts = {c: max(accepted.get(c, 0), read.get(c, 0)) for c in {*accepted, *read, *seen}}
    if any(number > max(larger_counts[c], possible.get(c, 0)) for c, number in seen.items()):
        return None  # the tower cannot have let it fall: read without its ledger, a shadow may be a cube
    return {c: accepted.get(c, 0) + max(0, seen.get(c, 0) - larger_counts[c]) for c in sorted(larger_counts)}


def _accepted_and_read(record: Json) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Return what was accepted and what was read; the same twice if it was counted by hand."""
    accepted: Mapping[str, int] = record["accepted"]
    return accepted, accepted if record.get("seen") is None else record["seen"]
