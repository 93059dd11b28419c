"""One Tenshu a table: a lock that ends with its process, and keeps nobody out where nothing can be locked."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.table.files.lock import OpenElsewhere, TableLock
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
    """And while it lives the sentence names it, so that it can be found and ended."""
    table = tmp_path / "tables" / "friday.sqlite3"
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(table)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(OpenElsewhere, match=rf"Table friday is open .* \(process {other.pid} on .*\)\."):
            TableLock.take(table)
        TableLock.take(tmp_path / "tables" / "saturday.sqlite3").release()
        other.send_signal(signal.SIGKILL)
        other.wait(PATIENCE_S)
        held = TableLock.take(table)
    assert str(os.getpid()) in held.path.read_text()
    held.release()
    held.release()
    TableLock.take(table).release()


def test_a_folder_where_nothing_can_be_written_needs_no_lock() -> None:
    """As a stick that is read only: what is there is shown, and nothing is saved anyway."""
    TableLock.take(Path("/proc/tenshu/friday.sqlite3")).release()


@pytest.mark.parametrize("refusal", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EIO])
def test_a_drive_without_locks_keeps_nobody_out(
    refusal: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As some network drives are."""

    def none_here(file: int, how: int) -> None:
        raise OSError(refusal, os.strerror(refusal))

    monkeypatch.setattr("fcntl.flock", none_here)
    TableLock.take(tmp_path / "friday.sqlite3").release()


def test_a_signature_of_anything_at_all_is_no_trouble(tmp_path: Path) -> None:
    held = TableLock.take(tmp_path / "friday.sqlite3")
    held.path.write_bytes(b"\xff\x00\n\x1b[31m" * 1000)
    with pytest.raises(OpenElsewhere) as refused:
        TableLock.take(tmp_path / "friday.sqlite3")
    assert refused.value.sentence.isprintable()
    held.release()
