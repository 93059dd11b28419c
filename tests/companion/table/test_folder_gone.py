"""The folder of a game that is played is moved or deleted: nothing is confirmed that nobody would find."""

import shutil
from pathlib import Path

import pytest

from companion.store.errors import StoreError
from companion.table.files.backups import restore
from companion.table.runtime import Runtime
from tests.companion.table.tables import FILL, running


def _chests(runtime: Runtime, number: int) -> None:
    command = {"kind": "correct", "fact": "chests", "where": "red", "value": number}
    runtime.session.command(command, "anna", runtime.session.view()["expected"])


def test_in_a_folder_that_was_moved_away_nothing_is_confirmed_until_it_is_back(tmp_path: Path) -> None:
    folder, away = tmp_path / "tables", tmp_path / "away"
    with running(folder) as runtime:
        runtime.session.settle(FILL, "anna", runtime.session.view()["expected"])
        last = runtime.session.view()["expected"]
        folder.rename(away)
        with pytest.raises(StoreError) as told:
            _chests(runtime, 9)
        assert (told.value.key, runtime.session.view()["expected"]) == ("store_gone", last)
        shutil.rmtree(folder, ignore_errors=True)
        away.rename(folder)
        _chests(runtime, 9)
    with running(folder) as runtime:
        assert runtime.session.view()["expected"] == last + 1


def test_of_a_folder_that_was_deleted_the_copy_at_the_end_holds_the_game(tmp_path: Path) -> None:
    """Each command was said to be saved, into a file that was gone; the copy was not made again."""
    folder = tmp_path / "tables"
    with running(folder) as runtime:
        runtime.session.settle(FILL, "anna", runtime.session.view()["expected"])
        _chests(runtime, 9)
        events = runtime.session.events()
        runtime._copy()
        shutil.rmtree(folder)
        with pytest.raises(StoreError, match="not there any more"):
            _chests(runtime, 3)
    with running(folder) as runtime:
        (copy,) = runtime.copies.all()
        with (folder / "copies" / copy.name).open("rb") as file:
            name = restore(file, runtime.tables, runtime.evidence).name
        assert [event.body for event in runtime.tables.events(name)] == [event.body for event in events]
