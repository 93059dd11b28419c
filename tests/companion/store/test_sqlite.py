import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.store.errors import Stale, StoreError
from companion.store.events import NewEvent
from companion.store.migrations import MIGRATIONS, applied_migrations, pending_migrations
from companion.store.sqlite import SqliteStore
from tests.companion.store.contract import StoreContract


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "table.sqlite3")
    yield opened
    opened.close()


class TestSqliteStore(StoreContract):
    """The contract, on a real file."""


def test_of_two_who_write_at_once_exactly_one_wins(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite3"
    stores = [SqliteStore(path) for _ in range(4)]
    barrier = threading.Barrier(4)
    outcomes: list[str] = []

    def write(store: SqliteStore, author: str) -> None:
        barrier.wait()
        try:
            store.append("g", 0, [NewEvent("won", {})], author, 1)
            outcomes.append("won")
        except Stale:
            outcomes.append("stale")

    threads = [threading.Thread(target=write, args=(s, str(n))) for n, s in enumerate(stores)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["stale", "stale", "stale", "won"]
    assert stores[0].last("g") == 1
    for opened in stores:
        opened.close()


def test_a_full_disk_is_one_sentence_and_loses_nothing(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "table.sqlite3")
    store.append("g", 0, [NewEvent("kept", {})], "red", 1)
    # SQLite's page limit fails like a full disk: SQLITE_FULL.
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match="free some disk space"):
        store.append("g", 1, [NewEvent("big", {"x": "y" * 100_000})], "red", 2)
    store._connection.execute("PRAGMA max_page_count = 100000")
    assert [e.kind for e in store.read("g")] == ["kept"]
    store.append("g", 1, [NewEvent("after", {})], "red", 3)
    store.close()


def test_a_disk_that_cannot_be_read_before_it_is_written_is_one_sentence(tmp_path: Path) -> None:
    """The next number is also read from the file, and SQLite's error there was not caught."""
    store = SqliteStore(tmp_path / "table.sqlite3")
    store._connection.execute("ALTER TABLE events RENAME TO elsewhere")
    with pytest.raises(StoreError, match="This could not be saved"):
        store.append("g", 0, [NewEvent("a", {})], "red", 1)
    with pytest.raises(StoreError):
        store.last("g")
    store._connection.execute("ALTER TABLE elsewhere RENAME TO events")
    store.append("g", 0, [NewEvent("a", {})], "red", 1)
    store.close()


def test_what_was_confirmed_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite3"
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from companion.store.events import NewEvent\nfrom companion.store.sqlite import SqliteStore\n"
        f"store = SqliteStore(Path({str(path)!r}))\n"
        "n = 0\nwhile True:\n"
        "    store.append('g', n, [NewEvent('n', {'n': n})], 'red', n)\n    n += 1\n"
        "    sys.stdout.write(f'{n}\\n')\n    sys.stdout.flush()\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        confirmed = 0
        for line in child.stdout:
            confirmed = int(line)
            if confirmed >= 20:
                child.kill()
                break
        confirmed = max([confirmed, *(int(line) for line in child.stdout if line.endswith("\n"))])
    store = SqliteStore(path)
    assert [e.body["n"] for e in store.read("g")][:confirmed] == list(range(confirmed))
    store.close()


def test_a_file_that_is_no_database_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite3"
    path.write_bytes(b"not a database" * 100)
    with pytest.raises(StoreError, match="--data"):
        SqliteStore(path)


def test_migrations_can_be_asked_without_writing(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite3"
    with sqlite3.connect(path) as connection:
        assert pending_migrations(connection) == [name for name, _ in MIGRATIONS]
        assert applied_migrations(connection) == []
    connection.close()
    SqliteStore(path).close()
    with sqlite3.connect(path) as connection:
        assert pending_migrations(connection) == []
    connection.close()
