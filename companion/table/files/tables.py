"""The tables of one folder: which there are, which was played last, and names that are still free."""

import os
import re
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.games.registry import games
from companion.store.errors import StoreError
from companion.store.events import UNDONE, StoredEvent, effective_events
from companion.store.keyfile import keep_private, read_private
from companion.store.readonly import ReadOnlyStore
from companion.table.errors import TableRefusal
from companion.table.past.history import NOT_THE_GAMES, THROW, AnyGame, fold, throws
from companion.table.past.records import check_record, check_undo
from companion.table.people.seats import owner_of, stored_owner
from companion.table.settings import settings_of

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""A table's name becomes a file's name."""
DEMO = re.compile(r"demo(-[0-9]+)?")
"""Tables of `tenshu demo`, which may be in the same folder."""
BROKEN = (ValueError, KeyError, TypeError, AttributeError, IndexError, ArithmeticError, RecursionError)
"""What folding raises on events that no game ever wrote."""


class UnknownEvents(TableRefusal):
    """Events that no game here understands."""

    def __init__(self) -> None:
        super().__init__(
            "unknown_events", "This table was written by another game, or by a newer Tenshu. Update Tenshu."
        )


@dataclass(frozen=True, slots=True)
class TableCard:
    """One table in the list."""

    name: str
    game: str
    """Empty if no game here knows its events."""
    seats: tuple[str, ...]
    began_ms: int
    last_ms: int
    events: int
    year: int | None
    season: str | None
    phase: str | None

    def as_json(self) -> dict[str, Any]:
        """Return the card for the host's page."""
        return {
            "name": self.name,
            "game": self.game,
            "seats": list(self.seats),
            "began_ms": self.began_ms,
            "last_ms": self.last_ms,
            "events": self.events,
            "year": self.year,
            "season": self.season,
            "phase": self.phase,
        }


class Tables:
    """A folder with one SQLite file per table."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.naming = threading.Lock()
        """Held from the choice of a new table's name until its file is there."""
        self._cards: dict[str, tuple[tuple[int, int], TableCard]] = {}

    def path(self, name: str) -> Path:
        """Return the table's file. Raises `TableRefusal` for an invalid name."""
        if not NAME.fullmatch(name):
            raise TableRefusal(
                "bad_name", "A table's name has up to 40 lower-case letters, digits and hyphens."
            )
        return self.folder / f"{name}.sqlite3"

    def seats_path(self, name: str) -> Path:
        """Return where the seats of a table are kept."""
        return self.path(name).with_suffix(".seats.json")

    def hand_seats_on(self, of: str, to: str, events: Sequence[StoredEvent]) -> None:
        """Give a copy of a table the same seats: otherwise anybody could take a seat there, and with it the
        plan that was made in secret. `events` are the copy's. Seats of another game that were left over under
        its name are removed. Raises OSError, `StoreError`."""
        content, owner = read_private(self.seats_path(of)), owner_of(events)
        seats_owner = stored_owner(content)
        if content and not seats_owner and self.exists(of):  # a table that cannot be read is trusted
            seats_owner = owner_of(self.events(of)) or owner
        if seats_owner != owner:
            self.forget_seats(to)
        elif to != of:
            keep_private(self.seats_path(to), content)

    def forget_seats(self, name: str) -> None:
        """Remove the seats that are left of a table whose file somebody removed."""
        with suppress(OSError):
            self.seats_path(name).unlink(missing_ok=True)

    def exists(self, name: str) -> bool:
        """Whether there is such a table."""
        return self.path(name).exists()

    def is_taken(self, name: str) -> bool:
        """Whether there is such a table, or just its journal, which would be taken for a new table's."""
        return self.exists(name) or sqlite_side_file(self.path(name), "-wal").exists()

    def free_name(self, wanted: str) -> str:
        """Return the name itself, or with the next free number: nothing is ever overwritten."""
        name, number = wanted, 2
        while self.is_taken(name):
            tail = f"-{number}"
            name, number = wanted[: 40 - len(tail)] + tail, number + 1
        return name

    def names(self) -> list[str]:
        """Return the names of all tables."""
        stems = [path.stem for path in self.folder.glob("*.sqlite3")] if self.folder.is_dir() else []
        return sorted(stem for stem in stems if NAME.fullmatch(stem))

    def real_tower_names(self) -> list[str]:
        """Return all tables whose cubes fell in a real tower; the demo's only if there is nothing else."""
        names = self.names()
        return [name for name in names if not DEMO.fullmatch(name)] or names

    def cards(self) -> list[TableCard]:
        """Return all tables, the one played last first."""
        return sorted((self._card(name) for name in self.names()), key=lambda card: -card.last_ms)

    def events(self, name: str) -> list[StoredEvent]:
        """Return what can be read of a table; nothing is written beside it."""
        store = ReadOnlyStore(self.path(name), traceless=True)
        found = store.games()
        return store.read(own_game_name(name, found)) if found else []

    @property
    def current(self) -> str | None:
        """The table that was remembered as played last, if more than its name is left."""
        name = None
        with suppress(StoreError):  # a newer Tenshu's: it holds only a name, and is rewritten at each start
            name = read_private(self.folder / "current.json").get("table")
        return name if isinstance(name, str) and NAME.fullmatch(name) and self.is_taken(name) else None

    @property
    def last(self) -> str | None:
        """The table to resume: if none was remembered, the one written last, leaving out the demo's."""
        played = [name for name in self.names() if not DEMO.fullmatch(name)]
        return self.current or max(played, key=lambda name: _written_ns(self.path(name)), default=None)

    def set_current(self, name: str) -> None:
        """Remember it for the next start. Raises OSError."""
        keep_private(self.folder / "current.json", {"table": name})

    def _card(self, name: str) -> TableCard:
        current_stamp = stamp(self.path(name))
        cached = self._cards.get(name)
        if cached is None or cached[0] != current_stamp:
            cached = (current_stamp, card_of(name, self.events(name)))
            self._cards[name] = cached
        return cached[1]


def own_game_name(name: str, found: Sequence[str]) -> str:
    """Return which of the games in a table's file is its own: the one of its name, else the last written."""
    return name if name in found or not found else found[-1]


def card_of(name: str, events: Sequence[StoredEvent]) -> TableCard:
    """Return a table in a few words, from its events."""
    view: dict[str, Any] = {}
    game = game_of(events)
    if game is not None:
        try:
            view = game.view(fold(game, events), None, settings_of(events).tower)
        except BROKEN:
            game = None
    return TableCard(
        name=name,
        game=game.name if game else "",
        seats=tuple(view.get("seats", ())),
        began_ms=events[0].ts_ms if events else 0,
        last_ms=events[-1].ts_ms if events else 0,
        events=len(events),
        year=view.get("year"),
        season=view.get("season"),
        phase=view.get("phase"),
    )


def game_of(events: Sequence[StoredEvent]) -> AnyGame | None:
    """Return the game that the first event belongs to; None if no game here knows it."""
    first = next((event for event in events if event.kind not in NOT_THE_GAMES), None)
    if first is None:
        return None
    for game in games().values():
        try:
            game.decode_event(first.body)
        except BROKEN:
            continue
        return game
    return None


def checked_game(events: Sequence[StoredEvent]) -> AnyGame:
    """Return the game of these events, all of which it understands. Raises `UnknownEvents`."""
    game = game_of(events)
    if game is None:
        raise UnknownEvents
    try:
        for event in events:
            if event.kind == THROW:
                check_record(event.body)
            if event.kind == UNDONE:
                check_undo(event.body, event.batch)
            if event.kind not in NOT_THE_GAMES:
                game.decode_event(event.body)
        state = fold(game, events)
        if state is None or not effective_events(list(events)):
            raise UnknownEvents
        game.view(state, None)
        settings_of(events)
        throws(events)
    except BROKEN:
        raise UnknownEvents from None
    return game


def sqlite_side_file(path: Path, ending: str) -> Path:
    """Return one of the files that SQLite keeps beside a table's: `-wal`, its journal, or `-shm`."""
    return path.with_name(path.name + ending)


def _written_ns(path: Path) -> int:
    """Return when it was written, in nanoseconds."""
    return max((stat.st_mtime_ns for stat in _stats(path)), default=0)


def stamp(path: Path) -> tuple[int, int]:
    """Return a value that changes with each write, the journal's included."""
    stamps = _stats(path)
    return sum(stat.st_mtime_ns for stat in stamps), sum(stat.st_size for stat in stamps)


def _stats(path: Path) -> list[os.stat_result]:
    """Return the stats of the file and its journal, if they exist: closing a table removes its journal."""
    found: list[os.stat_result] = []
    for part in (path, sqlite_side_file(path, "-wal")):
        with suppress(OSError):  # one that a bad disk cannot stat must not fail the whole list
            found.append(part.stat())
    return found
