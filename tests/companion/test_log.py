"""`tenshu log export`: the throws of all tables that can be read; nothing else is opened, none written."""

import sqlite3
from pathlib import Path

import pytest

from companion.cli import main
from tests.companion.table.tables import Table


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """One table with one throw, as `serve` leaves it."""
    table = Table(tmp_path / "tables")
    table.attack()
    table.falls(red=4, blue=1)
    table.pass_s(5)
    assert len(table.session.throws()) == 1
    table.store.close()
    return tmp_path


def files(folder: Path) -> dict[Path, tuple[bytes, int]]:
    return {
        path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()
    }


def exported(data: Path, *arguments: str) -> int:
    return main(["log", "export", "--data", str(data), *arguments])


def test_export_leaves_everything_as_it_was(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """SQLite puts files of its own beside a table, and a file of no bytes became one of 16 kB."""
    (data / "tables" / "nothing.sqlite3").touch()
    before = files(data)
    assert exported(data) == 2
    assert files(data) == before
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == 2
    assert told.err.startswith(
        "tenshu: The table nothing cannot be read, so its throws are left out. Open it"
    )


def test_a_damaged_table_stands_in_no_other_s_way(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One whose bytes are not SQLite's, one that lost an event, one of a game that nobody knows."""
    good = data / "tables" / "demo.sqlite3"
    (data / "tables" / "a-bytes.sqlite3").write_bytes(b"no table at all" * 400)
    for name, change in (
        ("b-lost", "DELETE FROM events WHERE seq = 2"),
        ("z-other", "UPDATE events SET body = '{}'"),
    ):
        other = data / "tables" / f"{name}.sqlite3"
        other.write_bytes(good.read_bytes())
        with sqlite3.connect(other) as connection:
            connection.execute(change)
        connection.close()
    assert exported(data) == 2
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == 2
    assert [line.split()[3] for line in told.err.splitlines()] == ["a-bytes", "b-lost", "z-other"]


def test_a_folder_that_cannot_be_written_is_read(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backup, a card that is locked."""
    real = sqlite3.connect

    def locked(name: str, **options: object) -> object:
        assert "immutable=1" in name
        return real(name, uri=bool(options.get("uri")))

    monkeypatch.setattr(sqlite3, "connect", locked)
    assert exported(data, "--table", "demo") == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "**", "*", "../../other", "", "dem?", "Demo", "demo\n", "a\0"]
)
def test_what_is_no_name_opens_nothing(name: str, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It was a pattern: tables of other folders were read, or it ended in a traceback."""
    assert exported(data, "--table", name) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.split(".")[0]) == ("", "tenshu: That is no name for a table")


def test_a_table_that_is_not_there_is_one_sentence(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exported(data, "--table", "other") == 2
    assert "There is no table 'other'" in capsys.readouterr().err


def test_a_data_folder_that_is_none_is_one_sentence(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A slip of the pen, and a file: both gave an empty table and status 0."""
    for wrong in (data / "typo", data / "tables" / "demo.sqlite3"):
        assert exported(wrong) == 2
        told = capsys.readouterr()
        assert (told.out, told.err.startswith(f"tenshu: There is no folder {wrong}.")) == ("", True)
