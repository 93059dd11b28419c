"""A seats file may outlive its table: another game of the same name never gets those seats."""

import io
import json
from pathlib import Path

import pytest

from companion.commands.serving import _set_aside
from companion.table.files.backups import restore, save_table
from companion.table.runtime import Runtime
from tests.companion.table.tables import running

KEY = "k" * 30


def _remove_table(folder: Path) -> None:
    for path in folder.glob("friday.sqlite3*"):
        path.unlink()


def _as_an_older_tenshu_wrote_it(folder: Path) -> None:
    path = folder / "friday.seats.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    del content["owner"]
    path.write_text(json.dumps(content), encoding="utf-8")


def _backup_of(runtime: Runtime) -> io.BytesIO:
    file = io.BytesIO()
    save_table(file, runtime.tables, runtime.evidence, "friday")
    file.seek(0)
    return file


@pytest.fixture
def backup(tmp_path: Path) -> io.BytesIO:
    """A backup of a game in which somebody sat on red."""
    with running(tmp_path) as runtime:
        runtime.seats.take("red", "", KEY)
        return _backup_of(runtime)


@pytest.mark.parametrize("older", [False, True])
def test_a_game_that_begins_anew_has_no_seats_taken(tmp_path: Path, backup: io.BytesIO, older: bool) -> None:
    """Last month's players could look at the plans of a new game with their old keys."""
    if older:
        _as_an_older_tenshu_wrote_it(tmp_path)
    _remove_table(tmp_path)
    with running(tmp_path) as runtime:
        assert (runtime.seats.taken(), runtime.seats.is_key_of("red", KEY)) == ([], False)


@pytest.mark.parametrize("older", [False, True])
def test_a_table_that_is_there_keeps_its_seats(tmp_path: Path, backup: io.BytesIO, older: bool) -> None:
    if older:
        _as_an_older_tenshu_wrote_it(tmp_path)
    with running(tmp_path) as runtime:
        assert runtime.seats.is_key_of("red", KEY)
        runtime.begin_table("saturday", runtime.session.game, {"players": ["red", "blue", "black"]}, "host")
        assert runtime.seats.taken() == []
        runtime.open_table("friday")
        assert runtime.seats.is_key_of("red", KEY)


def test_another_file_moved_to_the_name_of_a_table_does_not_get_its_seats(
    tmp_path: Path, backup: io.BytesIO
) -> None:
    _remove_table(tmp_path)
    with running(tmp_path, "saturday"):
        pass
    (tmp_path / "saturday.sqlite3").rename(tmp_path / "friday.sqlite3")
    with running(tmp_path) as runtime:
        assert runtime.seats.taken() == []


def test_a_game_laid_aside_keeps_its_seats_and_the_new_one_has_none(
    tmp_path: Path, backup: io.BytesIO
) -> None:
    """`demo --new` left them to the new game, and anybody could sit down at the old one."""
    (tmp_path / "friday-1.seats.json").write_text("{}")  # of a table that somebody removed
    _set_aside(tmp_path, "friday")
    with running(tmp_path) as runtime:
        assert runtime.seats.taken() == []
        runtime.open_table("friday-2")
        assert runtime.seats.is_key_of("red", KEY)


@pytest.mark.parametrize("older", [False, True])
def test_a_lost_table_comes_back_with_its_seats_if_they_are_known_as_its_own(
    tmp_path: Path, backup: io.BytesIO, older: bool
) -> None:
    if older:
        _as_an_older_tenshu_wrote_it(tmp_path)
    _remove_table(tmp_path)
    with running(tmp_path, "saturday") as runtime:
        assert restore(backup, runtime.tables, runtime.evidence).name == "friday"
        runtime.open_table("friday")
        assert runtime.seats.taken() == ([] if older else ["red"])


@pytest.mark.parametrize("older", [False, True])
@pytest.mark.parametrize("taken", [False, True])
def test_another_game_restored_under_a_free_name_gets_no_seats_left_over_there(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, backup: io.BytesIO, taken: bool, older: bool
) -> None:
    with running(tmp_path_factory.mktemp("elsewhere")) as elsewhere:
        other = _backup_of(elsewhere)
    if older:
        _as_an_older_tenshu_wrote_it(tmp_path)
    if taken:
        (tmp_path / "friday-2.seats.json").write_bytes((tmp_path / "friday.seats.json").read_bytes())
    else:
        _remove_table(tmp_path)
    with running(tmp_path, "saturday") as runtime:
        name = restore(other, runtime.tables, runtime.evidence).name
        runtime.open_table(name)
        assert (name, runtime.seats.taken()) == ("friday-2" if taken else "friday", [])
