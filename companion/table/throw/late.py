"""More lies in the tray than was counted: a cube that fell when its throw was accepted already."""

from collections.abc import Mapping

from companion.table.messages import Looked
from companion.table.past.history import Json
from companion.table.throw.live import Look
from companion.table.throw.looking import is_empty, look_json, no_more


class Late:
    """By looks while no throw is awaited, held beside the record of the newest throw that counts."""

    def __init__(self) -> None:
        self._look: Look | None = None
        self._over = False
        """Hands have been in the tray: what lies there need not be of the throw."""

    @property
    def look(self) -> Look | None:
        """The one that shows more."""
        return self._look

    def begin(self) -> None:
        """A throw was settled."""
        self._look, self._over = None, False

    def end(self) -> None:
        """What lies there is no longer the throw."""
        self._look, self._over = None, True

    def hear(self, number: int, looked: Looked, record: Json | None) -> bool:
        """Whether what is told changes with this look; one that asks tells nothing."""
        reading, before = looked.reading, self._look
        if record is None or self._over or not (reading.certain or is_empty(reading)):
            return False
        if reading.total < sum(_fewest(record).values()):
            self.end()
        else:
            more = _put_right(record, reading.counts) is not None
            self._look = Look(number, looked, ()) if more else None
        return self._look is not before

    def as_json(self, record: Json | None) -> Json | None:
        """For the page: what lies there, what was counted, and the counts that would be right."""
        counts = _put_right(record, self._look.looked.reading.counts) if self._look and record else None
        if self._look is None or record is None or counts is None:
            return None
        return {"look": look_json(self._look), "counted": dict(record["accepted"]), "counts": counts}


def _fewest(record: Json) -> Mapping[str, int]:
    """What was accepted, or what the look read where that is less: a corrected misreading looks so still."""
    accepted, read = _both(record)
    return min(accepted, read, key=lambda counts: sum(counts.values()))


def _put_right(record: Json, seen: Mapping[str, int]) -> dict[str, int] | None:
    """What was accepted and what came since; None where all that is seen was read, or counted, then."""
    accepted, read = _both(record)
    most = max(sum(accepted.values()), sum(read.values()))
    if sum(seen.values()) <= most or not no_more(read, seen):
        return None
    possible: Mapping[str, int] = record["possible"]
    then = {c: max(accepted.get(c, 0), read.get(c, 0)) for c in {*accepted, *read, *seen}}
    if any(number > max(then[c], possible.get(c, 0)) for c, number in seen.items()):
        return None  # the tower cannot have let it fall: read without its ledger, a shadow may be a cube
    return {c: accepted.get(c, 0) + max(0, seen.get(c, 0) - then[c]) for c in sorted(then)}


def _both(record: Json) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """What was accepted, and what was read; the same where it was counted by hand."""
    accepted: Mapping[str, int] = record["accepted"]
    return accepted, accepted if record.get("seen") is None else record["seen"]
