"""Throws as rows for statistics: what went in, what came out, what stayed, who said so."""

import csv
import io
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.store.errors import StoreError
from companion.store.readonly import ReadOnlyStore
from companion.table.files.tables import BROKEN, NAME, Tables
from companion.table.past.history import throws

COLOURS = ("red", "blue", "yellow", "black", "purple", "green")
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
    "evidence",
)
Row = dict[str, Any]


class ExportError(StoreError):
    """The export cannot be made."""


@dataclass(frozen=True, slots=True)
class Export:
    """The throws of a folder's tables, oldest first, and which tables could not be read."""

    rows: list[Row]
    bad: list[ExportError]


def rows_of(folder: Path, table: str | None = None) -> Export:
    """All throws of all tables in a folder, or of one; nothing is written there. Raises `ExportError`."""
    if table is not None and not NAME.fullmatch(table):
        raise ExportError("That is no name for a table.", "Use up to 40 small letters, digits and hyphens.")
    names = [name for name in Tables(folder).names() if table in (None, name)]
    if table and not names:
        raise ExportError(f"There is no table {table!r} in {folder}.", "Leave --table away for all of them.")
    found = Export([], [])
    for name in names:
        try:
            found.rows.extend(_rows_of_table(Tables(folder).path(name)))
        except ExportError as error:
            found.bad.append(error)
    return found


def _rows_of_table(path: Path) -> list[Row]:
    store = ReadOnlyStore(path, traceless=True)
    try:
        if store.whole():
            return [row for game in store.games() for row in rows(throws(store.read(game))[::-1])]
    except (*BROKEN, OSError):  # of no game that is known here
        pass
    raise ExportError(
        f"The table {path.stem} cannot be read, so its throws are left out.",
        "Open it with `tenshu serve --table` and its name: the recovery page saves what can be.",
    )


def rows(told: list[dict[str, Any]]) -> list[Row]:
    """Throws as the table tells them (`companion.table.past.history.throws`), in the same order."""
    return [_row(throw) for throw in told]


def to_csv(rows: list[Row]) -> str:
    """RFC 4180 without any thousands' marks."""
    out = io.StringIO()
    writer = csv.DictWriter(out, HEAD, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def to_parquet(rows: list[Row], path: Path) -> None:
    """The same rows. Raises `ExportError` without pyarrow."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - an optional extra
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        raise ExportError("Parquet needs pyarrow.", "Run: pip install 'tenshu[parquet]'") from None
    columns = {name: [row[name] for row in rows] for name in HEAD}
    parquet.write_table(pa.table(columns), path)


def _row(throw: dict[str, Any]) -> Row:
    result = throw["result"]
    battle = result.get("throw", {})
    seen = throw["seen"]
    weight = throw.get("weight") or {}  # tables of before there was a scale have none
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
        "outcome": result.get("result", {}).get("outcome"),
        **{f"weight_{key}": weight.get(name) for key, name in _WEIGHT.items()},
        **{
            f"{group}_{colour}": None if pile is None else pile.get(colour, 0)
            for group, pile in piles.items()
            for colour in COLOURS
        },
        "evidence": throw["evidence"],
    }


def _retained(throw: dict[str, Any]) -> dict[str, int] | None:
    """What is believed to have stayed inside; None where the table does not tell it."""
    if throw["possible"] is None:
        return None
    return {c: max(0, number - throw["accepted"].get(c, 0)) for c, number in throw["possible"].items()}
