"""The folder of a running game is moved or deleted: nothing is confirmed that nobody would find."""

import os
import shutil
from pathlib import Path

import pytest

from companion.commands.serving import _set_aside
from companion.store.errors import StoreError
from companion.table.files.backups import restore
from companion.table.files.tables import Tables
from companion.table.runtime import Runtime
from tests.companion.table.tables import FILL, running, tell


def _correct_chests(runtime: Runtime, number: int) -> None:
    command = {"kind": "correct", "fact": "chests", "where": "red", "value": number}
    tell(runtime.session, command)


def test_in_a_folder_that_was_moved_away_nothing_is_confirmed_until_it_is_back(tmp_path: Path) -> None:
    folder, away = tmp_path / "tables", tmp_path / "away"
    with running(folder) as runtime:
        runtime.session.settle(FILL, "anna", runtime.session.view()["expected"])
        expected = runtime.session.view()["expected"]
        folder.rename(away)
        with pytest.raises(StoreError) as refusal:
            _correct_chests(runtime, 9)
        assert (refusal.value.key, runtime.session.view()["expected"]) == ("store_gone", expected)
        shutil.rmtree(folder, ignore_errors=True)
        away.rename(folder)
        _correct_chests(runtime, 9)
    with running(folder) as runtime:
        assert runtime.session.view()["expected"] == expected + 1


def test_of_a_folder_that_was_deleted_the_copy_at_the_end_holds_the_game(tmp_path: Path) -> None:
    """Each command was reported as saved, into a file that was gone; the copy was not made again."""
    folder = tmp_path / "tables"
    with running(folder) as runtime:
        runtime.session.settle(FILL, "anna", runtime.session.view()["expected"])
        _correct_chests(runtime, 9)
        events = runtime.session.events()
        runtime._keep_copy()
        shutil.rmtree(folder)
        with pytest.raises(StoreError, match="file is gone or was replaced"):
            _correct_chests(runtime, 3)
    with running(folder) as runtime:
        (copy,) = runtime.copies.all()
        with (folder / "copies" / copy.name).open("rb") as file:
            name = restore(file, runtime.tables, runtime.evidence).name
        assert [event.body for event in runtime.tables.events(name)] == [event.body for event in events]


def test_what_would_not_reach_the_copy_of_a_folder_in_its_place_is_not_confirmed(tmp_path: Path) -> None:
    """Each command was told as saved, into the folder in the bin, and was missing after the next start."""
    folder, away = tmp_path / "tables", tmp_path / "away"
    with running(folder) as runtime:
        runtime.session.settle(FILL, "anna", runtime.session.view()["expected"])
        folder.rename(away)
        shutil.copytree(away, folder)
        with pytest.raises(StoreError) as refusal:
            _correct_chests(runtime, 9)
        assert refusal.value.key == "store_gone"
        events = runtime.session.events()
    with running(folder) as runtime:
        assert runtime.session.events() == events


def _file_without_journal(folder: Path) -> Path:
    """Return the moved file of a game whose program was killed before its file was taken away."""
    with running(folder) as runtime:
        runtime.tables.set_current("friday")
        runtime.session.settle(FILL, "anna", runtime.session.view()["expected"])
        _correct_chests(runtime, 9)
        parts = {part.name: part.read_bytes() for part in folder.glob("friday.sqlite3*")}
    for name, content in parts.items():
        (folder / name).write_bytes(content)
    away = folder / "away.sqlite3"
    (folder / "friday.sqlite3").rename(away)
    (folder / "friday.sqlite3-shm").unlink()
    return away


def test_a_file_that_was_taken_away_from_its_journal_is_asked_for_and_nothing_is_lost(tmp_path: Path) -> None:
    """A new game silently began in its place, and the journal with what was played last was gone."""
    away = _file_without_journal(tmp_path)
    journal = (tmp_path / "friday.sqlite3-wal").read_bytes()
    assert Tables(tmp_path).last == "friday"
    with pytest.raises(StoreError, match="is not there, but its journal is"), running(tmp_path):
        pass
    assert (tmp_path / "friday.sqlite3-wal").read_bytes() == journal
    away.rename(tmp_path / "friday.sqlite3")
    with running(tmp_path) as runtime:
        assert runtime.session.view()["game"]["players"][1]["chests"] == 9


def test_who_begins_anew_lays_a_journal_aside_too_that_was_left_alone(tmp_path: Path) -> None:
    _file_without_journal(tmp_path)
    journal = (tmp_path / "friday.sqlite3-wal").read_bytes()
    _set_aside(tmp_path, "friday")
    with running(tmp_path) as runtime:
        assert runtime.session.view()["game"]["players"][1]["chests"] != 9
    assert (tmp_path / "friday-1.sqlite3-wal").read_bytes() == journal
    _set_aside(tmp_path, "friday")
    assert [path.name for path in tmp_path.glob("friday-2.*")] == ["friday-2.sqlite3"]


def test_listing_the_tables_writes_nothing_beside_them(tmp_path: Path) -> None:
    """Each got an empty journal: it was read a second time, and the last listed seemed to be played last."""
    for name in ("saturday", "friday"):
        with running(tmp_path, name):
            pass
    (tmp_path / "current.json").unlink(missing_ok=True)
    os.utime(tmp_path / "saturday.sqlite3", (1, 1))
    tables, files = Tables(tmp_path), sorted(tmp_path.iterdir())
    assert [card.seats for card in tables.cards()] == [("blue", "red", "yellow")] * 2
    assert (sorted(tmp_path.iterdir()), tables.last) == (files, "friday")
