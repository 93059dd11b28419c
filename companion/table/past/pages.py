"""The past of a table, for pages: moments, history in words, chapters, what an undo would take back."""

from collections.abc import Callable, Sequence

from companion.store.events import StoredEvent
from companion.table.past.chronicle import Page, chronicle
from companion.table.past.history import AnyGame, Json
from companion.table.past.timeline import Timeline
from companion.table.past.undoing import check, what_goes
from companion.table.settings import settings_of


class Past:
    """Asks for the log each time and remembers what it has worked out; safe to call from any thread."""

    def __init__(self, game: AnyGame, events: Callable[[], Sequence[StoredEvent]]) -> None:
        self._game = game
        self._events = events
        self.timeline = Timeline(game)

    def turn_to(self, game: AnyGame) -> None:
        """Another table's past from now on."""
        self._game = game
        self.timeline = Timeline(game)

    def moments(self) -> list[Json]:
        """What was open to all after each command, for charts; oldest first."""
        return self.timeline.moments(self._events())

    def moment(self, batch: int) -> Json | None:
        """The view of the table as it was after a command; None when no such command counts."""
        events = self._events()
        return self.timeline.moment(events, batch, settings_of(events).tower)

    def chapters(self) -> Json:
        """What the game tells of its own past: for Shogun its winters, points by source, battles."""
        return self.timeline.chapters(self._events())

    def history(self) -> list[Json]:
        """Every command with what it did, open to all; newest first."""
        return self.page().entries

    def page(self, last: int | None = None, before: int | None = None) -> Page:
        """The newest `last` of these, or of those before the command `before`."""
        return chronicle(self._game, self._events(), self.timeline, last, before)

    def what_goes(self, batch: int) -> Json:
        """What an undo to before a command would take back."""
        return what_goes(self._events(), batch, self.timeline)

    def check_undo(self, batch: int) -> None:
        """Raises `NeedsTable` where the whole table has to agree."""
        check(self._events(), batch, self.timeline)
