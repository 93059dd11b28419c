"""A table whose file is damaged, or another program's, does not keep the server from starting."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.games.registry import find
from companion.table.errors import TableRefusal
from companion.table.files.rescue import rescue
from companion.table.files.tables import Tables
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.companion.table.tables import FILL, GAME, running

STRANGE = '{"kind": "warp"}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game in which the tower was filled."""
    with running(tmp_path) as runtime:
        runtime.session.settle(FILL, "anna", runtime.session.view()["expected"])
    return tmp_path


def _damage(folder: Path, change: str) -> None:
    with closing(sqlite3.connect(folder / "friday.sqlite3")) as connection:
        connection.execute(change)
        connection.commit()


def _first_batch_size(folder: Path) -> int:
    """Number of events that the first command wrote."""
    with closing(sqlite3.connect(folder / "friday.sqlite3")) as connection:
        return int(connection.execute("SELECT COUNT(*) FROM events WHERE batch = 1").fetchone()[0])


def _trouble(runtime: Runtime) -> str:
    return runtime.trouble.sentence if runtime.trouble else ""


def _phase(runtime: Runtime) -> str:
    return str(runtime.session.view()["game"]["phase"])


def test_what_comes_before_the_damage_is_played_on_in_a_table_of_its_own(folder: Path) -> None:
    _damage(folder, 'UPDATE events SET body = \'{"kind": "thr\' WHERE seq = (SELECT MAX(seq) FROM events)')
    with running(folder) as runtime:
        assert runtime.trouble is not None
        assert "damaged" in runtime.trouble.sentence
        assert _phase(runtime) == "fill"
        name, n_events, _ = rescue(runtime.tables, "friday")
        runtime.open_table(name)
        assert (name, n_events) == ("friday-2", _first_batch_size(folder))
        assert not _trouble(runtime)
        runtime.session.settle(FILL, "anna", runtime.session.view()["expected"])
        assert _phase(runtime) != "fill"


def test_a_file_in_which_an_event_is_missing_is_told_and_saved_up_to_there(folder: Path) -> None:
    """SQLite reads such a file without complaint: the table opened, and refused every request."""
    _damage(folder, "DELETE FROM events WHERE seq = (SELECT MAX(seq) - 1 FROM events)")
    with running(folder) as runtime:
        assert "damaged" in _trouble(runtime)
        name, n_events, _ = rescue(runtime.tables, "friday")
        runtime.open_table(name)
        assert (n_events, _trouble(runtime)) == (_first_batch_size(folder), "")
        runtime.session.settle(FILL, "anna", runtime.session.view()["expected"])


def test_events_that_no_game_knows_are_left_out(folder: Path) -> None:
    _damage(folder, f"UPDATE events SET body = '{STRANGE}' WHERE seq = (SELECT MAX(seq) FROM events)")
    with running(folder) as runtime:
        assert runtime.trouble is not None
        assert runtime.session.view()["game"] is None
        with pytest.raises(TableRefusal) as refused:  # the answer was that something broke in Tenshu
            runtime.session.command({"kind": "call_off"}, "anna", 0)
        assert refused.value.key == "no_game"
        name, n_events, n_read = rescue(runtime.tables, "friday")
        assert (n_events, n_read > n_events) == (_first_batch_size(folder), True)
        runtime.open_table(name)
        assert _phase(runtime) == "fill"
        assert not _trouble(runtime)


@pytest.mark.parametrize("opened", [True, False])
def test_a_file_that_was_given_another_name_is_the_game_it_was(folder: Path, opened: bool) -> None:
    """It opened empty, and if served by its new name, a new game began in it beside the old one."""
    copy = shutil.copy(folder / "friday.sqlite3", folder / "saturday.sqlite3")
    (folder / "friday.sqlite3").unlink()
    if opened:
        with running(folder) as runtime:
            runtime.open_table("saturday")
            assert _phase(runtime) == "planning"
    spec = TableSpec("saturday", folder, SensorSpec("none", "none"), GAME)
    runtime = Runtime(spec, find("shogun"))
    try:
        assert _phase(runtime) == "planning"
        assert [card.events > 2 for card in runtime.tables.cards() if card.name == "saturday"] == [True]
    finally:
        runtime.stop()
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT DISTINCT game FROM events").fetchall() == [("saturday",)]


def test_a_damaged_file_that_was_given_another_name_shows_its_game(folder: Path) -> None:
    """It opened empty, though the list of tables counted its events."""
    copy = (folder / "friday.sqlite3").rename(folder / "saturday.sqlite3")
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("DELETE FROM events WHERE seq = (SELECT max(seq) - 1 FROM events)")
        connection.commit()
    runtime = Runtime(TableSpec("saturday", folder, SensorSpec("none", "none"), GAME), find("shogun"))
    try:
        assert runtime.trouble is not None
        assert _phase(runtime) == "fill"  # the damaged command is left out
    finally:
        runtime.stop()


def test_a_file_of_another_program_is_told_and_nothing_is_made_of_it(tmp_path: Path) -> None:
    (tmp_path / "friday.sqlite3").write_bytes(b"no database at all" * 99)
    with running(tmp_path) as runtime:
        assert runtime.trouble is not None
        with pytest.raises(TableRefusal) as refused:
            rescue(Tables(tmp_path), "friday")
        assert refused.value.key == "nothing_to_save"
        assert (tmp_path / "friday.sqlite3").read_bytes().startswith(b"no database")


def test_the_process_of_the_sensors_is_ended_and_begun_anew(tmp_path: Path) -> None:
    with running(tmp_path) as runtime:
        runtime.without_sensors()
        assert runtime.sensor_pid is None
        assert runtime.session.view()["health"]["camera"]["name"] == "none"
        assert runtime.session.view()["health"]["sensor"]["name"] == "off"


def test_the_camera_comes_back_in_another_process(tmp_path: Path) -> None:
    spec = TableSpec("friday", tmp_path, SensorSpec("demo", "none"), GAME)
    runtime = Runtime(spec, find("shogun"))
    runtime.start()
    try:
        first_pid = _wait_for_sensor_pid(runtime)
        runtime.without_sensors()
        assert runtime.sensor_pid is None
        runtime.restart_sensors()
        assert _wait_for_sensor_pid(runtime) != first_pid
    finally:
        runtime.stop()


def _wait_for_sensor_pid(runtime: Runtime) -> int:
    """Process id of the sensor process, once it has been heard."""
    session = runtime.session
    rev = 0
    for _ in range(200):
        pid = runtime.sensor_pid
        if pid is not None and session.view()["health"]["camera"]["name"] == "embedded pictures":
            return pid
        rev = session.wait(rev, 0.5)
    raise AssertionError("no sensor process")
