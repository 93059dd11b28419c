"""Damaged files that SQLite reads without complaint, as after a power cut or on a bad card."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.store.errors import StoreError
from companion.store.events import NewEvent, StoredEvent
from companion.store.readonly import ReadOnlyStore
from companion.store.sqlite import SqliteStore

COMMANDS, EACH = 60, 3
LEAF = 0x0A
"""First byte of a page that holds rows of a WITHOUT ROWID table."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file of many pages, with commands of three events each."""
    file = tmp_path / "table.sqlite3"
    with closing(SqliteStore(file)) as store:
        for number in range(COMMANDS):
            events = [NewEvent("n", {"n": number, "text": "x" * 100})] * EACH
            store.append("table", number * EACH, events, "red", number)
    return file


def _page(content: bytearray) -> tuple[int, int]:
    """Return where a page of rows in the middle of the file begins and ends."""
    size = int.from_bytes(content[16:18], "big")
    leaves = [at for at in range(size, len(content), size) if content[at] == LEAF and content[at + 4] > 2]
    at = leaves[len(leaves) // 2]
    return at, at + size


def _shortened(path: Path) -> None:
    """Make a page claim that it holds one row, so that the rest are skipped."""
    content = bytearray(path.read_bytes())
    at, _ = _page(content)
    content[at + 3 : at + 5] = (1).to_bytes(2, "big")
    path.write_bytes(content)


def _renamed(path: Path) -> None:
    """Make a row belong to another game, so that it and all that follow are skipped."""
    content = bytearray(path.read_bytes())
    at = content.index(b"table", *_page(content))
    content[at : at + 5] = b"tzble"
    path.write_bytes(content)


def _one_is_gone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM events WHERE seq = 100")
        connection.commit()


def _no_object(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE events SET body = '3' WHERE seq = 100")
        connection.commit()


def _nested(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE events SET body = ? WHERE seq = 100", ("[" * 100_000,))
        connection.commit()


DAMAGES = (_shortened, _renamed, _one_is_gone, _no_object, _nested)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_file_in_which_events_are_missing_is_told_to_be_damaged(
    path: Path, damage: Callable[[Path], None]
) -> None:
    """The table opened in an old state and refused every command: "Someone else was faster"."""
    damage(path)
    with closing(SqliteStore(path)) as store, pytest.raises(StoreError, match="damaged") as told:
        store.read("table")
    assert told.value.key == "store_damaged"


@pytest.mark.parametrize("damage", DAMAGES)
def test_of_a_damaged_file_no_command_is_kept_by_half(path: Path, damage: Callable[[Path], None]) -> None:
    damage(path)
    kept = ReadOnlyStore(path)
    events = kept.read("table")
    assert 0 < len(events) < COMMANDS * EACH
    assert len(events) % EACH == 0
    assert not kept.whole()


def test_a_whole_file_is_read_whole(path: Path) -> None:
    kept = ReadOnlyStore(path)
    with closing(SqliteStore(path)) as store:
        found: list[StoredEvent] = store.read("table")
        assert store.read("table", after=len(found)) == []
    assert kept.read("table") == found
    assert (len(found), kept.whole()) == (COMMANDS * EACH, True)


def test_a_file_without_its_rows_is_one_sentence(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        store._connection.execute("ALTER TABLE events RENAME TO elsewhere")
        for asked in (store.games, lambda: store.read("table")):
            with pytest.raises(StoreError, match="damaged"):
                asked()
