"""What of the last throw may still lie in the tray: no more than the newest look since has surely seen."""

from collections.abc import Mapping

from companion.table.throw.looking import is_empty, is_within
from vision.reading import TrayReading


class Leftovers:
    """Remembers looks that show no throw."""

    def __init__(self) -> None:
        self._seen_counts: Mapping[str, int] | None = None
        """Counts of the newest such look; None if nobody has looked since cubes may have come."""

    def forget(self) -> None:
        """Forget the looks: cubes may have come."""
        self._seen_counts = None

    def remember(self, reading: TrayReading) -> None:
        """Remember a look, unless it is in doubt, which tells nothing."""
        if reading.certain or is_empty(reading):
            self._seen_counts = reading.counts

    def exceeds(self, *lay: Mapping[str, int]) -> bool:
        """Whether more was seen than in any of `lay`: somebody put it there, and it may still lie there."""
        return self._seen_counts is not None and not any(
            is_within(self._seen_counts, counts) for counts in lay
        )

    def may_be_rest_of(self, seen: Mapping[str, int], lay: Mapping[str, int]) -> bool:
        """Whether `seen` is no more than is left of `lay`, as in a tray that is just being cleared."""
        if self._seen_counts is None:
            return is_within(seen, lay)
        return is_within(
            seen, {colour: min(n, self._seen_counts.get(colour, 0)) for colour, n in lay.items()}
        )

    def is_all_there(self, lay: Mapping[str, int], seen: Mapping[str, int]) -> bool:
        """Whether all of `lay` is seen and no look since has missed any: nobody has cleared the tray."""
        looks = [seen] if self._seen_counts is None else [seen, self._seen_counts]
        return any(lay.values()) and all(is_within(lay, look) for look in looks)
