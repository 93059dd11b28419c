"""The table after each command that still counts: what is new is worked out, what was undone dropped."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.protocol import Step, TowerShown
from companion.store.events import StoredEvent, effective
from companion.table.past.history import NOT_THE_GAMES, AnyGame, Json, batches
from companion.table.past.moments import moment_of

AnyStep = Step[Any, Any]


@dataclass(frozen=True, slots=True)
class _Kept:
    """What one command that counts left behind."""

    step: AnyStep
    after: Any
    moment: Json


class Timeline:
    """The past of one table; safe to call from any thread, with all events of its log each time."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._lock = threading.Lock()
        self._kept: list[_Kept] = []
        self._told: dict[int, list[Json]] = {}
        self._chapters: tuple[int, Json] = (-1, {})
        self.folded = 0
        """Commands that were worked out so far, for a test of the cache."""

    def moments(self, events: Sequence[StoredEvent]) -> list[Json]:
        """What was open to all after each command, for charts; oldest first."""
        with self._lock:
            return [kept.moment for kept in self._followed(events)]

    def moment(self, events: Sequence[StoredEvent], batch: int, tower: TowerShown) -> Json | None:
        """The view of the table as it was after a command; None when no such command counts."""
        with self._lock:
            found = next((kept for kept in self._followed(events) if kept.step.batch == batch), None)
            return None if found is None else dict(self._game.view(found.after, None, tower))

    def chapters(self, events: Sequence[StoredEvent]) -> Json:
        """What the game tells of its own past."""
        with self._lock:
            last = events[-1].seq if events else 0
            if self._chapters[0] != last:
                steps = [kept.step for kept in self._followed(events)]
                self._chapters = (last, self._game.chapters(steps))
            return self._chapters[1]

    def told(self, batch: Sequence[StoredEvent]) -> list[Json]:
        """What of a command's events is open to all; worked out once, for an event never changes."""
        number = batch[0].batch
        with self._lock:
            if number not in self._told:
                mine = [event for event in batch if event.kind not in NOT_THE_GAMES]
                self._told[number] = [self._game.told(self._game.decode_event(e.body)) for e in mine]
            return self._told[number]

    def _followed(self, events: Sequence[StoredEvent]) -> list[_Kept]:
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
        return self._kept

    def _fold(self, mine: Sequence[StoredEvent]) -> _Kept:
        before = self._kept[-1].after if self._kept else None
        decoded = [self._game.decode_event(event.body) for event in mine]
        state = before
        for event in decoded:
            state = self._game.evolve(state, event)
        self.folded += 1
        moment = moment_of(mine[-1], self._game.view(state, None))
        return _Kept(Step(mine[0].batch, before, decoded), state, moment)
