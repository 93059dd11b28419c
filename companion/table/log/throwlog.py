"""Throws as rows for statistics: what went in, what came out, what stayed, who said so."""

import csv
import io
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import reduce
from pathlib import Path
from typing import Any

from companion.games.registry import games
from companion.store.errors import StoreError
from companion.store.events import StoredEvent, effective_events
from companion.store.readonly import ReadOnlyStore
from companion.table.files.tables import BROKEN, NAME, Tables, own_game_name
from companion.table.log.versions import Versions, tables_by_throw
from companion.table.past.history import THROW, throws

COLOURS = tuple(
    dict.fromkeys(str(colour) for name in ("shogun", *games()) for colour in games()[name].colours)
)
"""Colours of every game, in the order of each page: a game's own follow Shogun's."""
KNOCKED, OPENED = "tower_knocked", frozenset({"tower_counted", "counted"})
"""Kinds of events, in any game, after which what is inside is unknown, and known again."""
_GROUPS = ("table", "tray", "seen", "out", "retained")
_WEIGHT = {"mg": "mass_mg", "cubes": "cubes", "sure": "sure", "steps": "steps"}
HEAD = (
    "game",
    "throw",
    "time_utc",
    "by",
    "author",
    "corrected",
    "undone",
    "province",
    "attacker",
    "defender",
    "outcome",
    "weight_mg",
    "weight_cubes",
    "weight_sure",
    "weight_steps",
    *(f"{group}_{colour}" for group in _GROUPS for colour in COLOURS),
    "inside_known",
    "evidence",
)
_TYPES = {"time_utc": "time", "weight_sure": "float"}
_BOOLS = frozenset({"corrected", "undone", "inside_known"})
_TEXTS = frozenset({"game", "by", "author", "province", "attacker", "defender", "outcome", "evidence"})
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
Row = dict[str, Any]


class ExportError(StoreError):
    """The export cannot be made."""


@dataclass(frozen=True, slots=True)
class Export:
    """The throws of a folder's tables, oldest first, and which tables could not be read."""

    rows: list[Row]
    bad: list[ExportError]


@dataclass(frozen=True, slots=True)
class Read:
    """What was read of one table."""

    last_ms: int
    """When it was played last."""
    rows: list[Row]
    versions: Versions


def rows_of(folder: Path, table: str | None = None) -> Export:
    """Return all throws of all tables in a folder except the demo's, or of one; nothing is written there.

    Raises `ExportError`.
    """
    if table is not None and not NAME.fullmatch(table):
        raise ExportError(
            "That is not a name for a table.", "Use up to 40 lower-case letters, digits and hyphens."
        )
    tables = Tables(folder)
    names = tables.real_tower_names() if table is None else [name for name in tables.names() if name == table]
    if table and not names:
        raise ExportError(f"There is no table {table!r} in {folder}.", "Leave --table out for all of them.")
    read: list[Read] = []
    bad: list[ExportError] = []
    for name in names:
        try:
            read += _read_file(tables.path(name))
        except ExportError as error:
            bad.append(error)
    return Export(without_repeats(read), bad)


def without_repeats(tables: Sequence[Read]) -> list[Row]:
    """Return rows oldest first, each throw once: a table restored from another's backup repeats its throws,
    and only one of them tells each (`tables_by_throw`). A clock that was set back does not change the order
    within a table."""
    telling_table = tables_by_throw([(table.last_ms, table.versions) for table in tables])
    found: list[tuple[str, Row]] = []
    for place, table in enumerate(tables):
        latest = ""
        for row in table.rows:
            latest = max(latest, row["time_utc"])
            if telling_table[table.versions.first[row["throw"]]] == place:
                found.append((latest, row))
    return [row for _, row in sorted(found, key=lambda dated: dated[0])]


def _read_file(path: Path) -> list[Read]:
    store = ReadOnlyStore(path, traceless=True)
    try:
        if store.is_whole():
            games = {game: store.read(game) for game in store.games()}
            own_game = own_game_name(path.stem, [*games])
            return [
                with_table_name(_read_events(games[game]), path.stem if game == own_game else game)
                for game in games
            ]
    except (*BROKEN, OSError):  # of no game that is known here
        pass
    raise ExportError(
        f"The table {path.stem} cannot be read, so its throws are left out.",
        "Open it with `tenshu serve --table` and its name: the recovery page saves what can be.",
    )


def _read_events(events: Sequence[StoredEvent]) -> Read:
    told = throws(events)[::-1]
    return Read(events[-1].ts_ms, rows(told, batches_in_doubt(events, told)), Versions.of(events, told))


def with_table_name(read: Read, table: str) -> Read:
    """Return rows under the name of the file: the events carry the name they were written under, which may
    now be a new table's."""
    return replace(read, rows=[{**row, "game": table} for row in read.rows])


def rows(told: list[dict[str, Any]], in_doubt: set[int]) -> list[Row]:
    """Return the rows of throws told by a table (`companion.table.past.history.throws`), in the same order.

    `in_doubt`: before which of them nobody knew what was inside (`batches_in_doubt`).
    """
    return [_row(throw, known=throw["batch"] not in in_doubt) for throw in told]


def batches_in_doubt(events: Sequence[StoredEvent], records: Sequence[Mapping[str, Any]]) -> set[int]:
    """Return the throws before which nobody knew what was inside. `records`: the throws with everything
    they hold, also what the table does not tell."""
    return unsure_batches(events) | {throw["batch"] for throw in records if exceeds_possible(throw)}


def unsure_batches(events: Sequence[StoredEvent]) -> set[int]:
    """Return the throws made while nobody knew what was inside: the tower was knocked and not yet opened."""
    if all(event.kind != KNOCKED for event in events):
        return set()
    counting = effective_events(list(events))
    found: set[int] = set()
    in_doubt = False
    for event in counting:
        if in_doubt and event.kind == THROW:
            found.add(event.batch)
        in_doubt = _is_in_doubt(event, in_doubt)
    return found | _unsure_undone_batches(events, {event.batch for event in counting})


def _unsure_undone_batches(events: Sequence[StoredEvent], counting: set[int]) -> set[int]:
    """Return those of the taken-back throws that were unsure when they were made."""
    found: set[int] = set()
    for index, event in enumerate(events):
        if event.kind == THROW and event.batch not in counting:
            before = effective_events(list(events[:index]))
            if reduce(lambda in_doubt, earlier: _is_in_doubt(earlier, in_doubt), before, False):
                found.add(event.batch)
    return found


def _is_in_doubt(event: StoredEvent, in_doubt: bool) -> bool:
    return event.kind == KNOCKED or (in_doubt and event.kind not in OPENED)


def to_csv(rows: list[Row]) -> str:
    """Return RFC 4180 text without thousands separators; no name becomes a formula for a spreadsheet."""
    out = io.StringIO()
    writer = csv.DictWriter(out, HEAD, lineterminator="\n")
    writer.writeheader()
    writer.writerows({column: _no_formula(value) for column, value in row.items()} for row in rows)
    return out.getvalue()


def _no_formula(value: object) -> object:
    """Mark a text that a spreadsheet would evaluate as one that it must not."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULAS) else value


def to_parquet(rows: list[Row], path: Path) -> None:
    """Write the same rows as Parquet. Raises `ExportError` without pyarrow."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - an optional extra
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        remedy = f"Run: {shlex.quote(sys.executable)} -m pip install pyarrow"
        raise ExportError("Parquet needs pyarrow.", remedy) from None
    types = {"time": pa.timestamp("ms", tz="UTC"), "float": pa.float64(), "bool": pa.bool_()}
    types |= {"text": pa.string(), "int": pa.int64()}
    columns = {name: [row[name] for row in rows] for name in HEAD}
    columns["time_utc"] = [datetime.fromisoformat(moment) for moment in columns["time_utc"]]
    schema = pa.schema([(name, types[kind_of(name)]) for name in HEAD])
    parquet.write_table(pa.table(columns, schema=schema), path)


def kind_of(column: str) -> str:
    """Return the type of a column's values, even if all are missing, so that two evenings' logs fit
    together."""
    if column in _BOOLS:
        return "bool"
    return "text" if column in _TEXTS else _TYPES.get(column, "int")


def _row(throw: dict[str, Any], *, known: bool) -> Row:
    result = throw["result"]
    battle = part_of(result, "throw")
    seen = throw["seen"]
    weight = throw.get("weight") or {}  # tables from before there was a scale have none
    piles = {
        "table": throw["from_table"],
        "tray": throw["from_tray"],
        "seen": seen,
        "out": throw["accepted"],
        "retained": _retained(throw),
    }
    return {
        "game": throw["game"],
        "throw": throw["batch"],
        "time_utc": datetime.fromtimestamp(throw["ts_ms"] / 1000, UTC).isoformat(timespec="milliseconds"),
        "by": throw["by"],
        "author": throw["author"],
        "corrected": throw["corrected"],
        "undone": throw["undone"],
        "province": battle.get("province"),
        "attacker": battle.get("attacker"),
        "defender": battle.get("defender"),
        "outcome": part_of(result, "result").get("outcome"),
        **{f"weight_{key}": weight.get(name) for key, name in _WEIGHT.items()},
        **{
            f"{group}_{colour}": None if pile is None else pile.get(colour, None if group == "seen" else 0)
            for group, pile in piles.items()
            for colour in COLOURS
        },
        "inside_known": known,
        "evidence": throw["evidence"],
    }


def part_of(result: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the part of a result that describes the battle (`throw`) or what was decided (`result`); empty
    if a game uses that name for something else."""
    part = result.get(name)
    return part if isinstance(part, dict) else {}


def exceeds_possible(throw: Mapping[str, Any]) -> bool:
    """Whether more of a colour came out than was thought to be inside: what was inside, nobody knew."""
    possible = throw["possible"]
    return possible is not None and any(n > possible.get(c, 0) for c, n in throw["accepted"].items())


def _retained(throw: dict[str, Any]) -> dict[str, int] | None:
    """Return what is believed to have stayed inside; None if the table does not tell it."""
    if throw["possible"] is None:
        return None
    return {c: max(0, number - throw["accepted"].get(c, 0)) for c, number in throw["possible"].items()}
