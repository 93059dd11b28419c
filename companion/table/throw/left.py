"""What of the last throw may still lie in the tray: no more than the newest look since has surely seen."""

from collections.abc import Mapping

from companion.table.throw.looking import is_empty, no_more
from vision.reading import TrayReading


class Left:
    """Remembers looks that show no throw."""

    def __init__(self) -> None:
        self._seen: Mapping[str, int] | None = None
        """Counts of the newest such look; None if nobody has looked since cubes may have come."""

    def forget(self) -> None:
        """Forget the looks: cubes may have come."""
        self._seen = None

    def saw(self, reading: TrayReading) -> None:
        """Remember a look, unless it is in doubt, which tells nothing."""
        if reading.certain or is_empty(reading):
            self._seen = reading.counts

    def beyond(self, *lay: Mapping[str, int]) -> bool:
        """Whether more was seen than in any of `lay`: somebody put it there, and it may still lie there."""
        return self._seen is not None and not any(no_more(self._seen, one) for one in lay)

    def may_be(self, seen: Mapping[str, int], lay: Mapping[str, int]) -> bool:
        """Whether `seen` is no more than is left of `lay`, as in a tray that is just being cleared."""
        if self._seen is None:
            return no_more(seen, lay)
        return no_more(seen, {colour: min(n, self._seen.get(colour, 0)) for colour, n in lay.items()})

    def all_of(self, lay: Mapping[str, int], seen: Mapping[str, int]) -> bool:
        """Whether all of `lay` is seen and no look since has missed any: nobody has cleared the tray."""
        looks = [seen] if self._seen is None else [seen, self._seen]
        return any(lay.values()) and all(no_more(lay, look) for look in looks)
