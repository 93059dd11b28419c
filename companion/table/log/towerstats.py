"""The throws of one table, or of all in a folder, as the tower's statistics; only what a table tells of them.

How much of the tower's content a table tells is its own setting until its game is over. If it does not tell
all, sums per colour would reveal it, so such a table contributes its number of cubes, or only its number of
throws.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from companion.games.codec import to_json
from companion.games.protocol import Colour, Json, TowerShown
from companion.store.errors import StoreError
from companion.store.events import StoredEvent, effective_events
from companion.table.files.tables import BROKEN, Tables, stamp
from companion.table.log.throwlog import (
    COLOURS,
    Read,
    Row,
    batches_in_doubt,
    exceeds_possible,
    part_of,
    rows,
    unsure_batches,
    with_table_name,
    without_repeats,
)
from companion.table.log.versions import Key, Versions, tables_by_throw
from companion.table.past.history import throws as throws_of
from companion.table.settings import settings_of, throw_as_told
from companion.tower import odds, statistics
from companion.tower.piles import minus, plus, without_zeros
from companion.tower.statistics import Sides, Thrown

OVER = "game_ended"
MOST_UPSETS = 5
_FARMERS = "green"


@dataclass(frozen=True, slots=True)
class Told:
    """A throw that counts, and what may be told of it."""

    batch: int
    ts_ms: int
    table: str
    thrown: Thrown
    inside: int | None
    """Cubes in the tower after it; None if unknown."""
    by: str
    corrected: bool
    battle: Json
    """Province, attacker and defender."""


@dataclass(frozen=True, slots=True)
class TableThrows:
    """What one table contributes to the statistics."""

    table: str
    last_ms: int
    """When it was played last."""
    shown: TowerShown
    counting: tuple[Told, ...]
    taken_back: frozenset[Key]
    """Throws of which no version counts: one that was corrected is not taken back."""
    versions: Versions


class TowerLog:
    """Reads tables, and keeps what it read until a table's file changes. Thread-safe.

    All devices that show figures ask again after every command: they are computed once for all of them.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._cached: dict[str, tuple[tuple[int, int], TableThrows]] = {}
        self._played, self._whole = _FiguresCache("game"), _FiguresCache("all")

    def figures(self, table: str, events: Sequence[StoredEvent]) -> Json:
        """Return the figures of the table that is played, as the statistics page shows them."""
        return self._played.of((table, len(events), *events[-1:]), lambda: [table_throws(table, events)])

    def figures_of_all(self) -> Json:
        """Return the same of every table."""
        return self._whole.of(self._stamps(), self.of_all)

    def of_all(self) -> list[TableThrows]:
        """Return every table that can be read: a damaged one does not affect the others."""
        found = [
            table for name in self._tables.real_tower_names() if (table := self._read_table(name)) is not None
        ]
        return [table for table in _without_repeats(found) if table.counting or table.taken_back]

    def rows_of_all(self) -> list[Row]:
        """Return the log of every table that can be read, oldest first within a table."""
        found: list[Read] = []
        for name in self._tables.real_tower_names():
            try:
                events = self._tables.events(name)
                found += [with_table_name(_read_events(events), name)] if events else []
            except (StoreError, *BROKEN):
                continue
        return without_repeats(found)

    def _stamps(self) -> list[object]:
        """Return values that change with each write to any of the tables."""
        return [(name, stamp(self._tables.path(name))) for name in self._tables.real_tower_names()]

    def _read_table(self, name: str) -> TableThrows | None:
        try:
            current_stamp = stamp(self._tables.path(name))
            cached = self._cached.get(name)
            if cached is None or cached[0] != current_stamp:
                cached = (current_stamp, table_throws(name, self._tables.events(name)))
                self._cached[name] = cached
        except (StoreError, OSError, *BROKEN):
            return None
        return cached[1]


class _FiguresCache:
    """Caches figures until others are asked for; whoever comes while they are computed waits for them."""

    def __init__(self, of: str) -> None:
        self._of = of
        self._lock = threading.Lock()
        self._key: object = None
        self._figures: Json = {}

    def of(self, key: object, tables: Callable[[], Sequence[TableThrows]]) -> Json:
        with self._lock:
            if key != self._key:
                self._figures, self._key = statistics_json(tables(), self._of), key
            return self._figures


def table_throws(table: str, events: Sequence[StoredEvent]) -> TableThrows:
    """Return the throws of a table's log that still count, oldest first."""
    in_doubt = unsure_batches(events)
    records = throws_of(events)[::-1]
    counting = [
        _told_throw(table, record, record["batch"] not in in_doubt)
        for record in records
        if not record["undone"]
    ]
    versions = Versions.of(events, records)
    taken_back = versions.newest_ms.keys() - {versions.first[throw.batch] for throw in counting}
    last_ms = events[-1].ts_ms if events else 0
    return TableThrows(table, last_ms, tower_shown(events), tuple(counting), frozenset(taken_back), versions)


def _without_repeats(tables: Sequence[TableThrows]) -> list[TableThrows]:
    """Leave each throw to one table: a table restored from another's backup has that one's throws too."""
    telling_table = tables_by_throw([(table.last_ms, table.versions) for table in tables])
    found: list[TableThrows] = []
    for place, table in enumerate(tables):
        counting = tuple(
            throw for throw in table.counting if telling_table[table.versions.first[throw.batch]] == place
        )
        taken_back = frozenset(key for key in table.taken_back if telling_table[key] == place)
        found.append(replace(table, counting=counting, taken_back=taken_back))
    return found


def tower_shown(events: Sequence[StoredEvent]) -> TowerShown:
    """Return how much a table tells now: everything once its game is over."""
    over = any(event.kind == OVER for event in effective_events(list(events)))
    return TowerShown.ALL if over else settings_of(events).tower


def told_rows(events: Sequence[StoredEvent]) -> list[Row]:
    """Return the table's log of throws, oldest first, as far as it is told."""
    return _read_events(events).rows


def _read_events(events: Sequence[StoredEvent]) -> Read:
    level, records = tower_shown(events), throws_of(events)[::-1]
    shown_rows = rows([throw_as_told(throw, level) for throw in records], batches_in_doubt(events, records))
    return Read(events[-1].ts_ms if events else 0, shown_rows, Versions.of(events, records))


def statistics_json(tables: Sequence[TableThrows], of: str) -> Json:
    """Return everything that the statistics page shows."""
    numbered = [throw for table in tables if table.shown is not TowerShown.HIDDEN for throw in table.counting]
    shown_throws = [throw for table in tables if table.shown is TowerShown.ALL for throw in table.counting]
    counting = [throw for table in tables for throw in table.counting]
    thrown = [throw.thrown for throw in shown_throws]
    return {
        "of": of,
        "tables": len(tables),
        "throws": len(counting),
        "undone": sum(len(table.taken_back) for table in tables),
        "colours": to_json(statistics.per_colour(thrown, [Colour(c) for c in _colours(thrown)])),
        "coloured": len(shown_throws),
        "known": sum(throw.stuck is not None for throw in thrown),
        "numbered": len(numbered),
        "kept": to_json(statistics.kept([throw.thrown for throw in numbered])),
        "inside": [_inside_json(throw) for throw in numbered if throw.inside is not None]
        if of == "game"
        else [],
        "odds": to_json(odds.PUBLISHED),
        "fit": to_json(statistics.fit(thrown)),
        "fewest": statistics.FEWEST,
        "battles": to_json(statistics.battles(thrown)),
        "upsets": _upsets_json(shown_throws),
        "read": {
            "by_hand": sum(throw.by == "hand" for throw in counting),
            "corrected": sum(throw.corrected for throw in counting),
        },
    }


def _colours(thrown: Iterable[Thrown]) -> list[str]:
    """Return colours in the order of every page, followed by those that only another game has."""
    present = {str(colour) for throw in thrown for colour in plus(throw.went_in, throw.came_out)}
    return [*COLOURS, *sorted(present - set(COLOURS))]


def _told_throw(table: str, record: Json, known: bool) -> Told:
    went_in = plus(record["from_table"], record["from_tray"])
    battle = part_of(record["result"], "throw")
    battle_facts = {key: battle.get(key) for key in ("province", "attacker", "defender")}
    came_out, possible = without_zeros(record["accepted"]), record["possible"]
    stuck = without_zeros(minus(possible, went_in)) if known and not exceeds_possible(record) else None
    remaining = sum(max(0, number - came_out.get(colour, 0)) for colour, number in possible.items())
    return Told(
        record["batch"],
        record["ts_ms"],
        table,
        Thrown(went_in, stuck, came_out, _sides(battle)),
        remaining if known else None,
        record["by"],
        bool(record["corrected"]),
        battle_facts,
    )


def _sides(battle: Json) -> Sides | None:
    """Return the sides of a battle, or None; farmers stand for a neutral province, and for a revolt."""
    if battle.get("fight") == "fill" or not (battle.get("attacker") or battle.get("defender")):
        return None
    attacker, defender = (battle.get(key) or _FARMERS for key in ("attacker", "defender"))
    return Sides(Colour(attacker), Colour(defender))


def _inside_json(throw: Told) -> Json:
    """Return the content after the throw."""
    return {"batch": throw.batch, "cubes": throw.inside}


def _upsets_json(throws: Sequence[Told]) -> list[Json]:
    """Return the results that the odds were most against."""
    found = [
        (chance, throw)
        for throw in throws
        if (chance := statistics.chance_of_result(throw.thrown)) is not None
    ]
    unlikeliest = sorted(found, key=lambda pair: pair[0])[:MOST_UPSETS]
    return [
        {"chance": round(chance, 4), "batch": throw.batch, "table": throw.table, **throw.battle}
        for chance, throw in unlikeliest
    ]
