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
from companion.store.events import StoredEvent, effective
from companion.table.files.tables import BROKEN, Tables, stamp
from companion.table.log.throwlog import COLOURS, Read, Row, beyond, named, once, part_of, rows, unsure
from companion.table.log.versions import Key, Versions, told_by
from companion.table.past.history import throws as throws_of
from companion.table.settings import settings_of, told_throw
from companion.tower import odds, statistics
from companion.tower.piles import minus, plus, some
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
        self._kept: dict[str, tuple[tuple[int, int], TableThrows]] = {}
        self._played, self._whole = _Reckoned("game"), _Reckoned("all")

    def figures(self, table: str, events: Sequence[StoredEvent]) -> Json:
        """Return the figures of the table that is played, as the statistics page shows them."""
        return self._played.of((table, len(events), *events[-1:]), lambda: [of_table(table, events)])

    def figures_of_all(self) -> Json:
        """Return the same of every table."""
        return self._whole.of(self._stamps(), self.of_all)

    def of_all(self) -> list[TableThrows]:
        """Return every table that can be read: a damaged one does not affect the others."""
        found = [one for name in self._tables.of_a_tower() if (one := self._of(name)) is not None]
        return [one for one in _once(found) if one.counting or one.taken_back]

    def rows_of_all(self) -> list[Row]:
        """Return the log of every table that can be read, oldest first within a table."""
        found: list[Read] = []
        for name in self._tables.of_a_tower():
            try:
                events = self._tables.events(name)
                found += [named(_read(events), name)] if events else []
            except (StoreError, *BROKEN):
                continue
        return once(found)

    def _stamps(self) -> list[object]:
        """Return values that change with each write to any of the tables."""
        return [(name, stamp(self._tables.path(name))) for name in self._tables.of_a_tower()]

    def _of(self, name: str) -> TableThrows | None:
        try:
            now = stamp(self._tables.path(name))
            known = self._kept.get(name)
            if known is None or known[0] != now:
                known = (now, of_table(name, self._tables.events(name)))
                self._kept[name] = known
        except (StoreError, OSError, *BROKEN):
            return None
        return known[1]


class _Reckoned:
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


def of_table(table: str, events: Sequence[StoredEvent]) -> TableThrows:
    """Return the throws of a table's log that still count, oldest first."""
    in_doubt = unsure(events)
    told = throws_of(events)[::-1]
    counting = [_told(table, one, one["batch"] not in in_doubt) for one in told if not one["undone"]]
    versions = Versions.of(events, told)
    back = versions.newest_ms.keys() - {versions.first[one.batch] for one in counting}
    last_ms = events[-1].ts_ms if events else 0
    return TableThrows(table, last_ms, shown(events), tuple(counting), frozenset(back), versions)


def _once(tables: Sequence[TableThrows]) -> list[TableThrows]:
    """Leave each throw to one table: a table restored from another's backup has that one's throws too."""
    by = told_by([(table.last_ms, table.versions) for table in tables])
    found: list[TableThrows] = []
    for place, table in enumerate(tables):
        counting = tuple(one for one in table.counting if by[table.versions.first[one.batch]] == place)
        back = frozenset(key for key in table.taken_back if by[key] == place)
        found.append(replace(table, counting=counting, taken_back=back))
    return found


def shown(events: Sequence[StoredEvent]) -> TowerShown:
    """Return how much a table tells now: everything once its game is over."""
    over = any(event.kind == OVER for event in effective(list(events)))
    return TowerShown.ALL if over else settings_of(events).tower


def told_rows(events: Sequence[StoredEvent]) -> list[Row]:
    """Return the table's log of throws, oldest first, as far as it is told."""
    return _read(events).rows


def _read(events: Sequence[StoredEvent]) -> Read:
    level, told = shown(events), throws_of(events)[::-1]
    shown_rows = rows([told_throw(throw, level) for throw in told], unsure(events))
    return Read(events[-1].ts_ms if events else 0, shown_rows, Versions.of(events, told))


def statistics_json(tables: Sequence[TableThrows], of: str) -> Json:
    """Return everything that the statistics page shows."""
    numbers = [one for table in tables if table.shown is not TowerShown.HIDDEN for one in table.counting]
    whole = [one for table in tables if table.shown is TowerShown.ALL for one in table.counting]
    counting = [one for table in tables for one in table.counting]
    thrown = [one.thrown for one in whole]
    return {
        "of": of,
        "tables": len(tables),
        "throws": len(counting),
        "undone": sum(len(table.taken_back) for table in tables),
        "colours": to_json(statistics.per_colour(thrown, [Colour(c) for c in _colours(thrown)])),
        "coloured": len(whole),
        "known": sum(one.stuck is not None for one in thrown),
        "numbered": len(numbers),
        "kept": to_json(statistics.kept([one.thrown for one in numbers])),
        "inside": [_inside(one) for one in numbers if one.inside is not None] if of == "game" else [],
        "odds": to_json(odds.PUBLISHED),
        "fit": to_json(statistics.fit(thrown)),
        "fewest": statistics.FEWEST,
        "battles": to_json(statistics.battles(thrown)),
        "upsets": _upsets(whole),
        "read": {
            "by_hand": sum(one.by == "hand" for one in counting),
            "corrected": sum(one.corrected for one in counting),
        },
    }


def _colours(thrown: Iterable[Thrown]) -> list[str]:
    """Return colours in the order of every page, followed by those that only another game has."""
    there = {str(colour) for one in thrown for colour in plus(one.went_in, one.came_out)}
    return [*COLOURS, *sorted(there - set(COLOURS))]


def _told(table: str, record: Json, known: bool) -> Told:
    went_in = plus(record["from_table"], record["from_tray"])
    battle = part_of(record["result"], "throw")
    named = {key: battle.get(key) for key in ("province", "attacker", "defender")}
    out, possible = some(record["accepted"]), record["possible"]
    stuck = some(minus(possible, went_in)) if known and not beyond(record) else None
    left = sum(max(0, number - out.get(colour, 0)) for colour, number in possible.items())
    return Told(
        record["batch"],
        record["ts_ms"],
        table,
        Thrown(went_in, stuck, out, _sides(battle)),
        left if known else None,
        record["by"],
        bool(record["corrected"]),
        named,
    )


def _sides(battle: Json) -> Sides | None:
    """Return the sides of a battle, or None; farmers stand for a neutral province, and for a revolt."""
    if battle.get("fight") == "fill" or not (battle.get("attacker") or battle.get("defender")):
        return None
    attacker, defender = (battle.get(key) or _FARMERS for key in ("attacker", "defender"))
    return Sides(Colour(attacker), Colour(defender))


def _inside(one: Told) -> Json:
    """Return the content after the throw."""
    return {"batch": one.batch, "cubes": one.inside}


def _upsets(told: Sequence[Told]) -> list[Json]:
    """Return the results that the odds were most against."""
    found = [(chance, one) for one in told if (chance := statistics.chance_of_result(one.thrown)) is not None]
    least = sorted(found, key=lambda pair: pair[0])[:MOST_UPSETS]
    return [
        {"chance": round(chance, 4), "batch": one.batch, "table": one.table, **one.battle}
        for chance, one in least
    ]
