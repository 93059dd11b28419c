"""A disk that takes nothing: one sentence, nothing that was saved is lost, and no half-written files are
left.

The system itself refuses to let any file grow, which is what programs see of a full disk.
"""

import io
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest

from companion.games.protocol import Colour
from companion.games.registry import find
from companion.store.errors import StoreError, not_saved_error
from companion.store.evidence import EvidenceFolder
from companion.table.errors import TableRefusal
from companion.table.files import backups
from companion.table.files.backups import keep_under_free_name, restore, save_table
from companion.table.files.tables import Tables, checked_game
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from companion.web import backups as web_backups
from companion.web.app import create_app
from tests.companion.table.tables import GAME, running


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    with running(tmp_path) as made:
        yield made


@contextmanager
def _full_disk() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _save_friday(runtime: Runtime) -> io.BytesIO:
    file = io.BytesIO()
    save_table(file, runtime.tables, runtime.evidence, "friday")
    file.seek(0)
    return file


def _files_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_seat_that_cannot_be_kept_is_nobodys_and_a_sentence_says_why(runtime: Runtime) -> None:
    """The answer was that something broke in Tenshu."""
    client = create_app(runtime).test_client()
    with _full_disk():
        answer = client.post("/api/v1/seats/blue/take")
    assert (answer.status_code, answer.get_json()["error"]["key"]) == (507, "not_saved")
    assert runtime.seats.taken() == []
    key = client.post("/api/v1/seats/blue/take").get_json()["key"]
    with _full_disk():
        for path in ("seats/blue/free", "host/seats/blue/reissue"):
            assert client.post(f"/api/v1/{path}").get_json()["error"]["key"] == "not_saved"
    assert runtime.seats.is_key_of("blue", key)


def test_a_full_folder_for_temporary_files_is_a_sentence(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game of more than 4 MB goes through one, to be saved as a file and to be restored."""
    monkeypatch.setattr(web_backups, "_IN_MEMORY", 1)
    client, saved = create_app(runtime).test_client(), _save_friday(runtime).getvalue()
    with _full_disk():
        for answer in (
            client.get("/api/v1/host/tables/friday/backup"),
            client.post("/api/v1/host/restore", data=saved),
        ):
            assert (answer.status_code, answer.get_json()["error"]["key"]) == (507, "not_saved")
    assert client.post("/api/v1/host/restore", data=saved).status_code == 200


def test_the_link_to_a_seat_that_cannot_be_kept_works_when_there_is_room(runtime: Runtime) -> None:
    """It was used up, and nobody sat on the seat until the host made another link."""
    client = create_app(runtime).test_client()
    ticket = {"X-Seat-Ticket": runtime.issue_seat("red")}
    with _full_disk():
        refused = client.post("/api/v1/seats/red/take", headers=ticket)
        assert refused.get_json()["error"]["key"] == "not_saved"
    assert client.post("/api/v1/seats/red/take", headers=ticket).status_code == 200
    assert client.post("/api/v1/seats/red/take", headers=ticket).get_json()["error"]["key"] == "ask_gone"


def test_a_game_that_is_taken_up_is_whole_or_not_there(runtime: Runtime, tmp_path: Path) -> None:
    saved = _save_friday(runtime)
    before = _files_in(tmp_path)
    with _full_disk(), pytest.raises(StoreError):
        restore(saved, runtime.tables, runtime.evidence)
    with _full_disk(), pytest.raises(StoreError):
        runtime.begin_table("saturday", find("shogun"), GAME, "host")
    assert _files_in(tmp_path) == before
    assert runtime.session.table == "friday"
    saved.seek(0)
    assert restore(saved, runtime.tables, runtime.evidence).name == "friday-2"


def test_where_the_journal_is_not_taken_in_no_table_is_left_without_it(
    runtime: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file was moved into place, but the whole game was in a journal beside it, under another name."""
    saved, append, readers = _save_friday(runtime), backups._append_batches, list[sqlite3.Connection]()

    def append_and_look(store: Any, name: str, events: Any) -> None:
        append(store, name, events)
        readers.append(sqlite3.connect(tmp_path / f"{name}.sqlite3.part"))  # SQLite leaves the journal to it
        readers[0].execute("SELECT COUNT(*) FROM events").fetchall()

    before = _files_in(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(backups, "_append_batches", append_and_look)
        with pytest.raises(StoreError, match="This could not be saved"):
            restore(saved, runtime.tables, runtime.evidence)
    with closing(readers[0]):
        assert _files_in(tmp_path) == before


def test_a_journal_that_was_left_alone_is_not_taken_for_another_tables(tmp_path: Path) -> None:
    """This happens if somebody removes a table's file by hand but not what lies beside it."""
    tables = Tables(tmp_path)
    stranger = sqlite3.connect(tmp_path / "friday.sqlite3", isolation_level=None)
    with closing(stranger):
        stranger.execute("PRAGMA journal_mode = WAL")
        stranger.execute("CREATE TABLE strange (what)")
        journal = (tmp_path / "friday.sqlite3-wal").read_bytes()
    (tmp_path / "friday.sqlite3").unlink()
    (tmp_path / "friday.sqlite3-wal").write_bytes(journal)
    (tmp_path / "friday-2.sqlite3.part-wal").write_bytes(journal)
    saturday = Runtime(TableSpec("saturday", tmp_path, SensorSpec("none", "none"), GAME), find("shogun"))
    try:
        with pytest.raises(TableRefusal) as refused:
            saturday.begin_table("friday", find("shogun"), GAME, "host")
        assert (refused.value.key, saturday.session.table) == ("table_exists", "saturday")
        assert keep_under_free_name(tables, "friday", saturday.session.events()) == "friday-2"
        saturday.open_table("friday-2")
        assert saturday.trouble is None
        saturday.session.settle({Colour("green"): 10}, "anna", saturday.session.view()["expected"])
    finally:
        saturday.stop()
    assert checked_game(tables.events("friday-2")) == find("shogun")
    assert (tmp_path / "friday.sqlite3-wal").read_bytes() == journal


def test_a_copy_that_is_not_written_leaves_nobodys_seats(
    runtime: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next table of that name started with them, and its players could not sit down."""
    runtime.seats.take("red", "")
    before = _files_in(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(backups, "_write", lambda *_: _raise_no_room())
        with pytest.raises(StoreError):
            keep_under_free_name(runtime.tables, "friday", runtime.session.events())
    assert _files_in(tmp_path) == before
    runtime.tables.seats_path("saturday").write_bytes(runtime.tables.seats_path("friday").read_bytes())
    runtime.begin_table("saturday", find("shogun"), GAME, "host")
    assert runtime.seats.taken() == []


def _raise_no_room() -> None:
    raise not_saved_error(OSError(ENOSPC, "full"))


def test_copies_that_find_no_room_leave_none(runtime: Runtime, tmp_path: Path) -> None:
    """Each left a half-written file, which took room from the next."""
    runtime.session.settle({Colour("green"): 10}, "anna", runtime.session.view()["expected"])
    before = _files_in(tmp_path)
    with _full_disk():
        runtime._keep_copy()
    assert _files_in(tmp_path) == before
    runtime._keep_copy()
    assert len(runtime.copies.all()) == 1


def test_a_picture_beside_others_that_are_given_up_is_kept(tmp_path: Path) -> None:
    folder = EvidenceFolder(tmp_path, bound_bytes=10)
    (tmp_path / "gone.jpg").symlink_to(tmp_path / "nowhere")  # like one that was removed after it was listed
    name = folder.keep(b"\xff\xd8 a picture")
    assert folder.read(name) == b"\xff\xd8 a picture"
