"""Nothing confirmed is lost: SQLite's settings are checked, since only a power cut would show it."""

from pathlib import Path

from companion.store.sqlite import SqliteStore


def test_a_commit_reaches_the_disk_before_it_is_shown_as_saved(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "table.sqlite")
    try:
        assert store._connection.execute("PRAGMA synchronous").fetchone()[0] == 2  # FULL
        assert store._connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    finally:
        store.close()
