"""The past of a table, for pages: moments, history in words, chapters, what an undo would take back."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from companion.store.events import StoredEvent, batches_apart
from companion.table.past.chronicle import Page, chronicle
from companion.table.past.history import AnyGame, Json
from companion.table.past.timeline import Timeline
from companion.table.past.undoing import check_agreed, what_goes
from companion.table.settings import KINDS_KEPT_BY_UNDO, settings_of


class Past:
    """Asks for the log each time and remembers what it has computed; thread-safe.

    `guard` is also held when turning to another table, so that what is remembered of one is never told of the
    other.
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
        """Tell another table's past from now on."""
        self._game = game
        self.timeline = Timeline(game)

    def _snapshot(self) -> tuple[Sequence[StoredEvent], Timeline, AnyGame]:
        """Return log, timeline and game of one and the same table, even if another is turned to meanwhile."""
        with self._guard:
            return self._events(), self.timeline, self._game

    def moments(self) -> list[Json]:
        """Return what was open to all after each command, for charts; oldest first."""
        events, timeline, _ = self._snapshot()
        return timeline.moments(events)

    def moment(self, batch: int) -> Json | None:
        """Return the view of the table as it was after a command; None if no such command counts."""
        events, timeline, _ = self._snapshot()
        return timeline.moment(events, batch, settings_of(events).tower)

    def chapters(self) -> Json:
        """Return what the game tells of its own past: for Shogun its winters, points by source, battles."""
        events, timeline, _ = self._snapshot()
        return timeline.chapters(events)

    def history(self) -> list[Json]:
        """Return every command and what it did that is open to all; newest first."""
        return self.page().entries

    def page(self, last: int | None = None, before: int | None = None) -> Page:
        """Return the newest `last` of these, or of those before the command `before`."""
        events, timeline, game = self._snapshot()
        return chronicle(game, events, timeline, last, before, tower=settings_of(events).tower)

    def what_goes(self, batch: int) -> Json:
        """Return what an undo to before a command would take back."""
        events, timeline, _ = self._snapshot()
        return what_goes(events, batch, timeline)

    def is_setting(self, batch: int) -> bool:
        """Whether a command changed a setting of the table instead of playing, or took such a change back."""
        events, _, _ = self._snapshot()
        return batch in batches_apart(list(events), KINDS_KEPT_BY_UNDO)

    def check_undo(self, batch: int) -> None:
        """Raise `NeedsTable` if the whole table has to agree."""
        events, timeline, _ = self._snapshot()
        check_agreed(events, batch, timeline)
