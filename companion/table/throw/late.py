"""More lies in the tray than was counted: a cube fell after its throw had been accepted."""

from collections.abc import Mapping
from typing import Final

from companion.table.messages import Looked
from companion.table.past.history import Json
from companion.table.throw.live import Look
from companion.table.throw.looking import is_empty, look_json, no_more
from companion.table.throw.weigher import Weighed

_SURE: Final = 0.9
"""How sure of its number the weight must be if nothing else tells."""
_FEW: Final = 3
"""More extra cubes than this at once are a hand resting on the tray."""


class Late:
    """Watches for late cubes while no throw is awaited, by looks, or by weight if no camera looks; compares
    them with the record of the newest throw that counts."""

    def __init__(self) -> None:
        self._look: Look | None = None
        self._over = False
        """Hands have been in the tray: what lies there need not belong to the throw."""
        self._weighed = self._fell = False
        """Whether the weight agreed with what was counted, and whether something was felt falling since."""
        self._lies: int | None = None
        """Cubes in the tray by weight alone, while that is more than was counted."""

    @property
    def tells(self) -> bool:
        """Whether there may be something to tell."""
        return self._look is not None or self._lies is not None

    @property
    def hears(self) -> bool:
        """Whether the weight can show that more lies there now."""
        return self._weighed and self._fell and not self._over

    @property
    def look(self) -> Look | None:
        """The look that shows more."""
        return self._look

    def begin(self, weighed: Weighed | None, record: Json | None) -> None:
        """Begin to watch: a throw was settled."""
        self._look, self._lies, self._over, self._fell = None, None, False, False
        self._weighed = record is not None and _surely(weighed) == sum(record["accepted"].values())

    def end(self) -> None:
        """Stop watching: what lies there is no longer the throw."""
        self._look, self._lies, self._over = None, None, True

    def felt(self, mass_mg: int) -> None:
        """Note that the load cell felt something arrive or leave."""
        self._fell = self._fell or mass_mg > 0

    def weighs(self, weighed: Weighed | None, record: Json | None) -> bool:
        """Take the weight at rest, if no camera looks; return whether it changes what is told."""
        before, lies = self._lies, _surely(weighed)
        if not self.hears or record is None or lies is None:
            return False
        counted = sum(record["accepted"].values())
        if lies < counted:
            self.end()
        else:
            self._lies = lies if counted < lies <= counted + _FEW else None
        return self._lies != before

    def hear(self, number: int, looked: Looked, record: Json | None) -> bool:
        """Judge a look; return whether it changes what is told. One in doubt tells nothing."""
        reading, before = looked.reading, self._look
        if record is None or self._over or not (reading.certain or is_empty(reading)):
            return False
        if reading.total < sum(_fewest(record).values()):
            self.end()
        else:
            more = _put_right(record, reading.counts) is not None
            self._look = Look(number, looked, ()) if more else None
            self._lies = None  # a picture says more than a weight
        return self._look is not before

    def as_json(self, record: Json | None) -> Json | None:
        """Return for the page what lies there, what was counted, and the right counts; None if nothing
        came."""
        if record is None:
            return None
        counted = dict(record["accepted"])
        if self._look is None:  # no weight tells the colour
            more = self._lies is not None and self._lies > sum(counted.values())
            return {"look": None, "lies": self._lies, "counted": counted, "counts": counted} if more else None
        seen = self._look.looked.reading
        counts = _put_right(record, seen.counts)
        if counts is None:
            return None
        return {"look": look_json(self._look), "lies": seen.total, "counted": counted, "counts": counts}


def _surely(weighed: Weighed | None) -> int | None:
    """Return how many cubes lie there, if the weight is sure."""
    return weighed.cubes if weighed is not None and weighed.whole and weighed.sure >= _SURE else None


def _fewest(record: Json) -> Mapping[str, int]:
    """Return what was accepted, or what the look read if less: a corrected misreading still looks the
    same."""
    accepted, read = _both(record)
    return min(accepted, read, key=lambda counts: sum(counts.values()))


def _put_right(record: Json, seen: Mapping[str, int]) -> dict[str, int] | None:
    """Return what was accepted plus what came since; None if nothing surely came: all that is seen was read
    or counted before, some of what was read is gone, or the tower cannot have let it fall."""
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
    """Return what was accepted and what was read; the same twice if it was counted by hand."""
    accepted: Mapping[str, int] = record["accepted"]
    return accepted, accepted if record.get("seen") is None else record["seen"]
