"""The past of a table, for pages: moments, history in words, chapters, what an undo would take back."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from companion.store.events import StoredEvent, set_apart
from companion.table.past.chronicle import Page, chronicle
from companion.table.past.history import AnyGame, Json
from companion.table.past.timeline import Timeline
from companion.table.past.undoing import check, what_goes
from companion.table.settings import APART, settings_of


class Past:
    """Asks for the log each time and remembers what it has worked out; safe to call from any thread.

    `guard` is held as another table is turned to: what is remembered of one is never told of the other.
    """

    def __init__(
        self,
        game: AnyGame,
        events: Callable[[], Sequence[StoredEvent]],
        guard: AbstractContextManager[object],
    ) -> None:
        self._game = game
        self._events = events
        self._guard = guard
        self.timeline = Timeline(game)

    def turn_to(self, game: AnyGame) -> None:
        """Another table's past from now on."""
        self._game = game
        self.timeline = Timeline(game)

    def _of_one(self) -> tuple[Sequence[StoredEvent], Timeline, AnyGame]:
        """Of the same table, whichever is turned to meanwhile."""
        with self._guard:
            return self._events(), self.timeline, self._game

    def moments(self) -> list[Json]:
        """What was open to all after each command, for charts; oldest first."""
        events, timeline, _ = self._of_one()
        return timeline.moments(events)

    def moment(self, batch: int) -> Json | None:
        """The view of the table as it was after a command; None when no such command counts."""
        events, timeline, _ = self._of_one()
        return timeline.moment(events, batch, settings_of(events).tower)

    def chapters(self) -> Json:
        """What the game tells of its own past: for Shogun its winters, points by source, battles."""
        events, timeline, _ = self._of_one()
        return timeline.chapters(events)

    def history(self) -> list[Json]:
        """Every command with what it did, open to all; newest first."""
        return self.page().entries

    def page(self, last: int | None = None, before: int | None = None) -> Page:
        """The newest `last` of these, or of those before the command `before`."""
        events, timeline, game = self._of_one()
        return chronicle(game, events, timeline, last, before)

    def what_goes(self, batch: int) -> Json:
        """What an undo to before a command would take back."""
        events, timeline, _ = self._of_one()
        return what_goes(events, batch, timeline)

    def is_setting(self, batch: int) -> bool:
        """Whether a command set the table instead of playing at it, or took such a thing back."""
        events, _, _ = self._of_one()
        return batch in set_apart(list(events), APART)

    def check_undo(self, batch: int) -> None:
        """Raises `NeedsTable` where the whole table has to agree."""
        events, timeline, _ = self._of_one()
        check(events, batch, timeline)
