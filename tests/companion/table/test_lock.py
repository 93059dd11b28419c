"""One Tenshu per table: a lock that ends with its process, and keeps nobody out where locking is
impossible."""

import errno
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from companion.demo.table import OPTIONS
from companion.games.registry import find
from companion.table.files.lock import OpenElsewhere, TableLock
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no flock there")
_HOLD = """
import sys
from pathlib import Path
from companion.table.files.lock import TableLock
held = TableLock.take(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_the_lock_of_a_process_that_was_killed_is_free(tmp_path: Path) -> None:
    """And while the process lives, the sentence names it, so that it can be found and ended."""
    table = tmp_path / "tables" / "friday.sqlite3"
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(table)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(OpenElsewhere, match=rf"Table friday is open .* \(process {holder.pid} on .*\)\."):
            TableLock.take(table)
        TableLock.take(tmp_path / "tables" / "saturday.sqlite3").release()
        holder.send_signal(signal.SIGKILL)
        holder.wait(PATIENCE_S)
        lock = TableLock.take(table)
    assert str(os.getpid()) in lock.path.read_text()
    lock.release()
    lock.release()
    TableLock.take(table).release()


_AS_ON_WINDOWS = """
import fcntl, os, sys, types
from pathlib import Path

def locking(file, how, count):  # stands for msvcrt's: bytes from where the file is at, refused with EACCES
    assert how == 2
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, count)
    except OSError:
        raise PermissionError(13, "Permission denied") from None

sys.modules["msvcrt"] = types.SimpleNamespace(locking=locking, LK_NBLCK=2)
import companion.table.errors  # all else is as here
sys.platform = "win32"
from companion.table.files.lock import OpenElsewhere, TableLock
try:
    held = TableLock.take(Path(sys.argv[1]))
except OpenElsewhere as refused:
    print(refused.sentence, flush=True)
else:
    print("held", flush=True)
    sys.stdin.read()
"""


def test_on_windows_a_byte_is_locked_that_hides_no_signature(tmp_path: Path) -> None:
    """A mock, as there is no Windows here: its byte locks are this system's, between real processes."""
    table = tmp_path / "friday.sqlite3"
    command = [sys.executable, "-c", _AS_ON_WINDOWS, str(table)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        refused = subprocess.run(
            command, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL
        )
        assert f"(process {holder.pid} on " in refused.stdout
        assert table.with_suffix(".lock").stat().st_size < 200
        holder.kill()
        holder.wait(PATIENCE_S)
    free = subprocess.run(command, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
    assert free.stdout == "held\n"


def test_a_folder_where_nothing_can_be_written_needs_no_lock() -> None:
    """As on a read-only stick: what is there is shown, and nothing could be saved anyway."""
    TableLock.take(Path("/proc/tenshu/friday.sqlite3")).release()


@pytest.mark.parametrize("refusal", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EIO])
def test_a_drive_without_locks_keeps_nobody_out(
    refusal: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some network drives are like this."""

    def refuse_lock(file: int, how: int) -> None:
        raise OSError(refusal, os.strerror(refusal))

    monkeypatch.setattr("fcntl.flock", refuse_lock)
    TableLock.take(tmp_path / "friday.sqlite3").release()


def test_a_signature_of_anything_at_all_is_no_trouble(tmp_path: Path) -> None:
    lock = TableLock.take(tmp_path / "friday.sqlite3")
    lock.path.write_bytes(b"\xff\x00\n\x1b[31m" * 1000)
    with pytest.raises(OpenElsewhere) as refused:
        TableLock.take(tmp_path / "friday.sqlite3")
    assert refused.value.sentence.isprintable()
    lock.release()


def test_the_end_waits_for_who_turns_to_another_table_just_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both released the previous table: one of them closed a file that belonged to another by then."""
    runtime = Runtime(TableSpec("friday", tmp_path, SensorSpec("none", "none"), OPTIONS), find("shogun"))
    is_closing, may_close = threading.Event(), threading.Event()
    close = runtime._store.close

    def close_slowly() -> None:
        is_closing.set()
        assert may_close.wait(PATIENCE_S)
        close()

    monkeypatch.setattr(runtime._store, "close", close_slowly)
    with ThreadPoolExecutor() as threads:
        turning = threads.submit(runtime.begin_table, "saturday", find("shogun"), OPTIONS, "host")
        assert is_closing.wait(PATIENCE_S)
        ending = threads.submit(runtime.stop)
        try:
            with pytest.raises(TimeoutError):
                ending.result(0.3)
        finally:
            may_close.set()
        turning.result(PATIENCE_S)
        ending.result(PATIENCE_S)
    for name in ("friday", "saturday"):
        TableLock.take(runtime.tables.path(name)).release()
