"""The table after each command that still counts: new commands are added, undone ones dropped."""

import threading
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.protocol import Step, TowerShown
from companion.store.events import UNDONE, StoredEvent, effective
from companion.table.past.history import NOT_THE_GAMES, AnyGame, Json, batches
from companion.table.past.moments import moment_of

AnyStep = Step[Any, Any]
WHERE = ("year", "season", "phase")


@dataclass(slots=True)
class _Kept:
    """What one command that counts left behind."""

    step: AnyStep
    after: Any
    newest: StoredEvent
    moment: Json | None = None
    """Computed when somebody asks for it: of a long table most are never looked at."""


class Timeline:
    """The past of one table; thread-safe. Each call is given all events of its log."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._lock = threading.Lock()
        self._kept: list[_Kept] = []
        self._followed_to: tuple[int, StoredEvent] | None = None
        """How many events were folded, and the last of them."""
        self._told: dict[int, list[Json]] = {}
        self._chapters: tuple[int, Json] = (-1, {})
        self.folded = 0
        """Number of commands folded so far, for a test of the cache."""

    def moments(self, events: Sequence[StoredEvent]) -> list[Json]:
        """Return what was open to all after each command, for charts; oldest first."""
        with self._lock:
            return [self._moment(kept) for kept in self._followed(events)]

    def places(self, events: Sequence[StoredEvent], numbers: Sequence[int]) -> list[Json]:
        """Return where the game stood when each of these commands was given."""
        with self._lock:
            kept = self._followed(events)
            return [self._place(kept, batch) for batch in numbers]

    def moment(self, events: Sequence[StoredEvent], batch: int, tower: TowerShown) -> Json | None:
        """Return the view of the table as it was after a command; None if no such command counts."""
        with self._lock:
            found = next((kept for kept in self._followed(events) if kept.step.batch == batch), None)
            return None if found is None else dict(self._game.view(found.after, None, tower))

    def chapters(self, events: Sequence[StoredEvent]) -> Json:
        """Return what the game tells of its own past."""
        with self._lock:
            last = events[-1].seq if events else 0
            if self._chapters[0] != last:
                steps = [kept.step for kept in self._followed(events)]
                self._chapters = (last, self._game.chapters(steps))
            return self._chapters[1]

    def told(self, batch: Sequence[StoredEvent]) -> list[Json]:
        """Return what is open to all of a command's events; computed once, as an event never changes."""
        number = batch[0].batch
        with self._lock:
            if number not in self._told:
                mine = [event for event in batch if event.kind not in NOT_THE_GAMES]
                self._told[number] = [self._game.told(self._game.decode_event(e.body)) for e in mine]
            return self._told[number]

    def _moment(self, kept: _Kept) -> Json:
        if kept.moment is None:
            kept.moment = moment_of(kept.newest, self._game.view(kept.after, None))
        return kept.moment

    def _place(self, kept: Sequence[_Kept], batch: int) -> Json:
        """Return the place after the newest command before it; for the first that counts, its own."""
        number = bisect_left(kept, batch, key=lambda one: one.step.batch)
        if number == 0 and not (kept and kept[0].step.batch == batch):
            return dict.fromkeys(WHERE)
        at = self._moment(kept[max(number - 1, 0)])
        return {key: at[key] for key in WHERE}

    def _followed(self, events: Sequence[StoredEvent]) -> list[_Kept]:
        new = self._unseen(events)
        self._followed_to = None  # if folding fails, the next call starts anew
        if new is None:
            self._follow_anew(events)
        else:
            for batch in batches(new):
                if mine := [event for event in batch if event.kind not in NOT_THE_GAMES]:
                    self._kept.append(self._fold(mine))
        self._followed_to = (len(events), events[-1]) if events else None
        return self._kept

    def _unseen(self, events: Sequence[StoredEvent]) -> Sequence[StoredEvent] | None:
        """Return what was written since, if nothing was taken back; None if everything has to be compared."""
        if self._followed_to is None:
            return None
        number, last = self._followed_to
        if len(events) < number or events[number - 1] != last:
            return None
        new = events[number:]
        return None if any(event.kind == UNDONE for event in new) else new

    def _follow_anew(self, events: Sequence[StoredEvent]) -> None:
        counting = batches(effective(list(events)))
        games = [[event for event in batch if event.kind not in NOT_THE_GAMES] for batch in counting]
        wanted = [mine for mine in games if mine]
        same = 0
        for kept, mine in zip(self._kept, wanted, strict=False):
            if kept.step.batch != mine[0].batch:
                break
            same += 1
        del self._kept[same:]
        for mine in wanted[same:]:
            self._kept.append(self._fold(mine))

    def _fold(self, mine: Sequence[StoredEvent]) -> _Kept:
        before = self._kept[-1].after if self._kept else None
        decoded = [self._game.decode_event(event.body) for event in mine]
        state = before
        for event in decoded:
            state = self._game.evolve(state, event)
        self.folded += 1
        return _Kept(Step(mine[0].batch, before, decoded), state, mine[-1])
