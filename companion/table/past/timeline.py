"""The table after each command that still counts: new commands are added, undone ones dropped."""

import threading
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.protocol import Step, TowerShown
from companion.store.events import UNDONE, StoredEvent, effective_events
from companion.table.past.history import NOT_THE_GAMES, AnyGame, Json, events_by_batch
from companion.table.past.moments import moment_of

AnyStep = Step[Any, Any]
WHERE = ("year", "season", "phase")


@dataclass(slots=True)
class _Snapshot:
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
        self._snapshots: list[_Snapshot] = []
        self._followed_to: tuple[int, StoredEvent] | None = None
        """How many events were folded, and the last of them."""
        self._facts: dict[int, list[Json]] = {}
        self._chapters: tuple[int, Json] = (-1, {})
        self.folded = 0
        """Number of commands folded so far, for a test of the cache."""

    def moments(self, events: Sequence[StoredEvent]) -> list[Json]:
        """Return what was open to all after each command, for charts; oldest first."""
        with self._lock:
            return [self._moment(snapshot) for snapshot in self._catch_up(events)]

    def places(self, events: Sequence[StoredEvent], numbers: Sequence[int]) -> list[Json]:
        """Return where the game stood when each of these commands was given."""
        with self._lock:
            snapshots = self._catch_up(events)
            return [self._place_before(snapshots, batch) for batch in numbers]

    def moment(self, events: Sequence[StoredEvent], batch: int, tower: TowerShown) -> Json | None:
        """Return the view of the table as it was after a command; None if no such command counts."""
        with self._lock:
            found = next(
                (snapshot for snapshot in self._catch_up(events) if snapshot.step.batch == batch), None
            )
            return None if found is None else dict(self._game.view(found.after, None, tower))

    def chapters(self, events: Sequence[StoredEvent]) -> Json:
        """Return what the game tells of its own past."""
        with self._lock:
            last = events[-1].seq if events else 0
            if self._chapters[0] != last:
                steps = [snapshot.step for snapshot in self._catch_up(events)]
                self._chapters = (last, self._game.chapters(steps))
            return self._chapters[1]

    def facts_told(self, batch: Sequence[StoredEvent]) -> list[Json]:
        """Return what is open to all of a command's events; computed once, as an event never changes."""
        number = batch[0].batch
        with self._lock:
            if number not in self._facts:
                game_events = [event for event in batch if event.kind not in NOT_THE_GAMES]
                self._facts[number] = [self._game.told(self._game.decode_event(e.body)) for e in game_events]
            return self._facts[number]

    def _moment(self, snapshot: _Snapshot) -> Json:
        if snapshot.moment is None:
            snapshot.moment = moment_of(snapshot.newest, self._game.view(snapshot.after, None))
        return snapshot.moment

    def _place_before(self, snapshots: Sequence[_Snapshot], batch: int) -> Json:
        """Return the place after the newest command before it; for the first that counts, its own."""
        number = bisect_left(snapshots, batch, key=lambda snapshot: snapshot.step.batch)
        if number == 0 and not (snapshots and snapshots[0].step.batch == batch):
            return dict.fromkeys(WHERE)
        moment = self._moment(snapshots[max(number - 1, 0)])
        return {key: moment[key] for key in WHERE}

    def _catch_up(self, events: Sequence[StoredEvent]) -> list[_Snapshot]:
        new = self._find_new_events(events)
        self._followed_to = None  # if folding fails, the next call starts anew
        if new is None:
            self._follow_anew(events)
        else:
            for batch in events_by_batch(new):
                if game_events := [event for event in batch if event.kind not in NOT_THE_GAMES]:
                    self._snapshots.append(self._fold(game_events))
        self._followed_to = (len(events), events[-1]) if events else None
        return self._snapshots

    def _find_new_events(self, events: Sequence[StoredEvent]) -> Sequence[StoredEvent] | None:
        """Return what was written since, if nothing was taken back; None if everything has to be compared."""
        if self._followed_to is None:
            return None
        number, last = self._followed_to
        if len(events) < number or events[number - 1] != last:
            return None
        new = events[number:]
        return None if any(event.kind == UNDONE for event in new) else new

    def _follow_anew(self, events: Sequence[StoredEvent]) -> None:
        counting = events_by_batch(effective_events(list(events)))
        games = [[event for event in batch if event.kind not in NOT_THE_GAMES] for batch in counting]
        wanted = [game_events for game_events in games if game_events]
        unchanged = 0
        for snapshot, game_events in zip(self._snapshots, wanted, strict=False):
            if snapshot.step.batch != game_events[0].batch:
                break
            unchanged += 1
        del self._snapshots[unchanged:]
        for game_events in wanted[unchanged:]:
            self._snapshots.append(self._fold(game_events))

    def _fold(self, game_events: Sequence[StoredEvent]) -> _Snapshot:
        before = self._snapshots[-1].after if self._snapshots else None
        decoded = [self._game.decode_event(event.body) for event in game_events]
        state = before
        for event in decoded:
            state = self._game.evolve(state, event)
        self.folded += 1
        return _Snapshot(Step(game_events[0].batch, before, decoded), state, game_events[-1])
