"""An undo put to the vote: every seat that a device holds is asked, and one no ends it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.table.errors import TableRefusal
from companion.table.past.history import Json
from companion.table.past.undoing import Wish


@dataclass(frozen=True, slots=True)
class Poll:
    """Who asks for what, who has to answer, and who has agreed so far. It lasts until the table goes on."""

    wish: Wish
    shown: tuple[str, ...]
    asked: tuple[str, ...]
    agreed: tuple[str, ...] = ()

    @property
    def is_carried(self) -> bool:
        """Whether everybody agreed."""
        return set(self.asked) <= set(self.agreed)

    def with_agreement(self, seat: str) -> "Poll":
        """Return the poll with one more seat that agrees. Raises `TableRefusal` if it was not asked."""
        if seat not in self.asked:
            raise TableRefusal("not_asked", "This seat was not asked.")
        return replace(self, agreed=tuple(dict.fromkeys((*self.agreed, seat))))

    def without(self, seat: str) -> "Poll | None":
        """Return the poll after a seat was left, whose answer nobody can give; None if no other is asked."""
        asked = tuple(other for other in self.asked if other != seat)
        return replace(self, asked=asked) if asked else None

    def as_json(self) -> Json:
        """Return the poll for the pages."""
        return {
            "batch": self.wish.batch,
            "author": self.wish.author,
            "reason": self.wish.reason,
            "shown": [*self.shown],
            "asked": [*self.asked],
            "agreed": [*self.agreed],
        }


def open_poll(wish: Wish, shown: Sequence[str], asked: Sequence[str], own: str | None) -> Poll:
    """Return a poll in which the asking seat has agreed already."""
    poll = Poll(wish, tuple(shown), tuple(asked))
    return poll.with_agreement(own) if own is not None and own in asked else poll
