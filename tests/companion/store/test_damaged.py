"""Damaged files that SQLite reads without complaint, as after a power cut or on a bad card."""

import os
import shutil
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.store.errors import StoreError
from companion.store.events import NewEvent, StoredEvent
from companion.store.readonly import ReadOnlyStore
from companion.store.sqlite import SqliteStore

COMMANDS, EVENTS_EACH = 60, 3
LEAF_PAGE = 0x0A
"""First byte of a page that holds rows of a WITHOUT ROWID table."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file of many pages, with commands of three events each."""
    file = tmp_path / "table.sqlite3"
    with closing(SqliteStore(file)) as store:
        for number in range(COMMANDS):
            events = [NewEvent("n", {"n": number, "text": "x" * 100})] * EVENTS_EACH
            store.append("table", number * EVENTS_EACH, events, "red", number)
    return file


def _middle_page(content: bytearray) -> tuple[int, int]:
    """Return where a page of rows in the middle of the file begins and ends."""
    size = int.from_bytes(content[16:18], "big")
    leaf_starts = [
        start
        for start in range(size, len(content), size)
        if content[start] == LEAF_PAGE and content[start + 4] > 2
    ]
    start = leaf_starts[len(leaf_starts) // 2]
    return start, start + size


def _claim_one_row(path: Path) -> None:
    """Make a page claim that it holds one row, so that the rest are skipped."""
    content = bytearray(path.read_bytes())
    start, _ = _middle_page(content)
    content[start + 3 : start + 5] = (1).to_bytes(2, "big")
    path.write_bytes(content)


def _rename_game(path: Path) -> None:
    """Make a row belong to another game, so that it and all that follow are skipped."""
    content = bytearray(path.read_bytes())
    start = content.index(b"table", *_middle_page(content))
    content[start : start + 5] = b"tzble"
    path.write_bytes(content)


def _delete_event(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM events WHERE seq = 100")
        connection.commit()


def _set_body_to_number(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE events SET body = '3' WHERE seq = 100")
        connection.commit()


def _nest_body(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE events SET body = ? WHERE seq = 100", ("[" * 100_000,))
        connection.commit()


DAMAGES = (_claim_one_row, _rename_game, _delete_event, _set_body_to_number, _nest_body)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_file_in_which_events_are_missing_is_told_to_be_damaged(
    path: Path, damage: Callable[[Path], None]
) -> None:
    """The table opened in an old state and refused every command: "Someone else was faster"."""
    damage(path)
    with closing(SqliteStore(path)) as store, pytest.raises(StoreError, match="damaged") as error:
        store.read("table")
    assert error.value.key == "store_damaged"


@pytest.mark.parametrize("damage", DAMAGES)
def test_of_a_damaged_file_no_command_is_kept_by_half(path: Path, damage: Callable[[Path], None]) -> None:
    damage(path)
    read_only = ReadOnlyStore(path)
    events = read_only.read("table")
    assert 0 < len(events) < COMMANDS * EVENTS_EACH
    assert len(events) % EVENTS_EACH == 0
    assert not read_only.is_whole()


def test_a_whole_file_is_read_whole(path: Path) -> None:
    read_only = ReadOnlyStore(path)
    with closing(SqliteStore(path)) as store:
        events: list[StoredEvent] = store.read("table")
        assert store.read("table", after=len(events)) == []
    assert read_only.read("table") == events
    assert (len(events), read_only.is_whole()) == (COMMANDS * EVENTS_EACH, True)


def test_a_journal_that_cannot_be_read_is_missed(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a locked card SQLite reads nothing of a killed game's journal; nobody was told."""
    with closing(SqliteStore(path)) as store:
        store.append("table", COMMANDS * EVENTS_EACH, [NewEvent("n", {})], "red", 0)
        card = tmp_path / "card"
        card.mkdir()
        for file in (path, path.with_name(f"{path.name}-wal")):
            shutil.copy(file, card)
    connect = sqlite3.connect

    def connect_to_card(name: str, **options: object) -> object:
        if "immutable=1" not in name:
            raise sqlite3.OperationalError("unable to open database file")
        return connect(name, uri=bool(options.get("uri")))

    monkeypatch.setattr(sqlite3, "connect", connect_to_card)
    read_only = ReadOnlyStore(card / path.name)
    assert not read_only.is_whole()
    kept = (COMMANDS - 1) * EVENTS_EACH  # the rest of the newest command may be in the journal
    assert len(read_only.read("table")) == kept


def test_a_table_that_is_closed_while_it_is_read_is_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its journal was there a moment ago: the list of tables, a copy or a rescue failed."""
    monkeypatch.setattr(Path, "exists", lambda _: True)
    assert len(ReadOnlyStore(path).read("table")) == COMMANDS * EVENTS_EACH


@pytest.mark.skipif(sys.platform != "linux", reason="names are text")
def test_a_file_in_a_folder_whose_name_is_no_text_is_read(path: Path, tmp_path: Path) -> None:
    """A folder from an old disk: the table was played there, and not saved as a file."""
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    read_only = ReadOnlyStore(path.rename(folder / path.name))
    assert len(read_only.read("table")) == COMMANDS * EVENTS_EACH


def test_a_file_without_its_rows_is_one_sentence(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        store._connection.execute("ALTER TABLE events RENAME TO elsewhere")
        for read in (store.games, lambda: store.read("table")):
            with pytest.raises(StoreError, match="damaged"):
                read()
