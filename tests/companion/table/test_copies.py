"""Automatic copies: only of what is new, only the newest few, never of half a table."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from companion.store.backup import load
from companion.store.events import StoredEvent
from companion.table.files.copies import EVERY_MS, KEPT, Copies
from companion.web.app import create_app
from tests.companion.table.tables import FILL, GAME, running

NOW_MS = 1_795_000_000_000


def _stored_events(number: int, table: str = "friday") -> list[StoredEvent]:
    return [StoredEvent(table, n, n, "set", "anna", n, {}) for n in range(1, number + 1)]


def test_only_what_is_new_is_copied(tmp_path: Path) -> None:
    copies = Copies(tmp_path)
    for number, n_copies in ((1, 0), (2, 1), (2, 1), (3, 2)):
        copies.keep(_stored_events(number), NOW_MS + number * 1000)
        assert len(copies.all()) == n_copies
    newest = copies.path(copies.all()[0].name)
    assert newest is not None
    with newest.open("rb") as file:
        assert len(load(file).events) == 3
    assert newest.stat().st_mode & 0o077 == 0


def test_they_come_at_intervals_and_the_oldest_of_each_table_goes(tmp_path: Path) -> None:
    copies = Copies(tmp_path)
    assert copies.is_due(NOW_MS)
    for number in range(2, KEPT + 5):
        copies.keep(_stored_events(number), NOW_MS + number * 1000)
    assert not copies.is_due(NOW_MS + EVERY_MS)
    copies.keep(_stored_events(2, "sunday"), NOW_MS + EVERY_MS * 2)
    assert [copy.table for copy in copies.all()] == ["sunday", *["friday"] * KEPT]
    assert copies.path("../friday.sqlite3") is None


def test_a_folder_that_may_no_longer_be_looked_into_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stick was pulled out: checking for the last copy made the folder itself raise, and a table ended
    without releasing its files."""
    copies = Copies(tmp_path / "copies")
    copies.keep(_stored_events(2), NOW_MS)
    stat = os.stat

    def refuse_stat(path: Any, *args: Any, **named: Any) -> os.stat_result:
        if "copies" in str(path):
            raise OSError(errno.EIO, "Input/output error")
        return stat(path, *args, **named)

    monkeypatch.setattr(os, "stat", refuse_stat)
    copies.keep(_stored_events(2), NOW_MS + EVERY_MS)
    monkeypatch.undo()
    assert copies.all()


def test_a_clock_that_was_set_back_costs_no_copy(tmp_path: Path) -> None:
    """The newest copy had the earliest time, so it was removed at once; or none was due for hours."""
    copies = Copies(tmp_path)
    for number in range(2, KEPT + 2):
        copies.keep(_stored_events(number), NOW_MS + number * EVERY_MS)
    before = copies.all()
    earlier_ms = NOW_MS - 3_600_000
    assert copies.is_due(earlier_ms)
    copies.keep(_stored_events(KEPT + 2), earlier_ms)
    assert not copies.is_due(earlier_ms + 1000)
    after = copies.all()
    assert after[1:] == before[:-1]
    newest = copies.path(after[0].name)
    assert newest is not None
    with newest.open("rb") as file:
        assert len(load(file).events) == KEPT + 2


def test_after_a_clock_that_was_set_back_the_last_copies_are_kept(tmp_path: Path) -> None:
    """Each copy displaced the one before it, until those from the future were gone; also after a restart."""
    for number in range(2, KEPT + 2):
        Copies(tmp_path).keep(_stored_events(number), NOW_MS + number * EVERY_MS)
    for number in range(KEPT + 2, KEPT + 5):
        Copies(tmp_path).keep(_stored_events(number), NOW_MS - EVERY_MS * (100 - number))
    assert _event_counts(Copies(tmp_path)) == list(range(KEPT + 4, 4, -1))


def test_copies_of_before_they_had_a_number_are_older(tmp_path: Path) -> None:
    """Among themselves they are in order of time, whatever time it is now; a person's own file is left
    alone."""
    for number in range(2, KEPT + 2):
        Copies(tmp_path).keep(_stored_events(number), NOW_MS + number * EVERY_MS)
    for copy in Copies(tmp_path).all():
        (tmp_path / copy.name).rename(tmp_path / f"{copy.name.split('.')[0]}.tenshu")
    (tmp_path / "mine.tenshu").write_bytes(b"of a person")
    copies = Copies(tmp_path)
    copies.keep(_stored_events(KEPT + 2), NOW_MS - EVERY_MS)
    assert [copy.table for copy in copies.all()] == ["friday"] * KEPT + ["mine"]
    (tmp_path / "mine.tenshu").unlink()
    assert _event_counts(copies) == list(range(KEPT + 2, 2, -1))


def _event_counts(copies: Copies) -> list[int]:
    lengths = []
    for copy in copies.all():
        path = copies.path(copy.name)
        assert path is not None
        with path.open("rb") as file:
            lengths.append(len(load(file).events))
    return lengths


def test_a_copy_that_could_not_be_written_is_made_when_it_can_be(tmp_path: Path) -> None:
    """It was taken as made, and no copy followed until the table went on."""
    (tmp_path / "copies").write_text("no folder")
    copies = Copies(tmp_path / "copies")
    copies.keep(_stored_events(2), NOW_MS)
    (tmp_path / "copies").unlink()
    assert copies.is_due(NOW_MS + EVERY_MS)
    copies.keep(_stored_events(2), NOW_MS + EVERY_MS)
    assert len(copies.all()) == 1


def test_half_a_copy_of_a_program_that_was_killed_goes_with_the_next(tmp_path: Path) -> None:
    """Each half stayed forever: its name holds the second it was begun in. Another table's may be in
    progress."""
    for table in ("friday", "friday-evening"):
        (tmp_path / f"{table}-20261115-200000.3.tenshu.new").write_bytes(b"half")
    Copies(tmp_path).keep(_stored_events(2), NOW_MS)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names[0].startswith("friday-2026")
    assert names[1:] == ["friday-evening-20261115-200000.3.tenshu.new"]


def test_a_table_is_copied_when_it_ends_and_a_damaged_one_is_not(tmp_path: Path) -> None:
    with running(tmp_path) as runtime:
        runtime.session.settle(FILL, "anna", runtime.session.view()["expected"])
    copies = Copies(tmp_path / "copies").all()
    assert [copy.table for copy in copies] == ["friday"]
    (tmp_path / "friday.sqlite3").write_bytes(b"gone" * 999)
    with running(tmp_path):
        pass
    assert Copies(tmp_path / "copies").all() == copies


def test_a_table_too_long_for_a_copy_is_told_and_played_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Copies were made that could not be restored."""
    with running(tmp_path) as runtime:
        runtime.session.settle(FILL, "anna", runtime.session.view()["expected"])
        runtime.begin_table("saturday", runtime.session.game, GAME, "host")
        runtime.session.settle(FILL, "anna", runtime.session.view()["expected"])
        before = runtime.copies.all()
        monkeypatch.setattr("companion.store.backup.MOST_EVENT_BYTES", 1000)
        runtime._keep_copy()
        assert (runtime.trouble and runtime.trouble.key) == "too_long_to_save"
        client = create_app(runtime).test_client()
        refused = client.get("/api/v1/host/tables/saturday/backup")
        assert (refused.status_code, refused.get_json()["error"]["key"]) == (507, "too_long_to_save")
        runtime.open_table("friday")
        assert (runtime.session.table, runtime.trouble) == ("friday", None)
    assert Copies(tmp_path / "copies").all() == before
    assert len(list((tmp_path / "copies").iterdir())) == len(before)
