"""`tenshu serve` without a table goes on with the last one: real processes, one after the other."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

from tests.patience import PATIENCE_S

SERVE = ["serve", "--camera", "none", "--port-serial", "none", "--host", "127.0.0.1", "--port", "0"]
DEMO = ["demo", "--no-browser", "--port", "0"]


def _played(folder: Path, *command: str) -> str:
    """The table that a start of the program plays; it is ended as with Ctrl-C."""
    with subprocess.Popen(
        [sys.executable, "-m", "companion", *command, "--data", str(folder)],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            url = next(line for line in process.stdout if "Tenshu is at" in line).rpartition(" ")[2].strip()
            with urllib.request.urlopen(f"{url}api/v1/table", timeout=PATIENCE_S) as answer:
                return str(json.load(answer)["table"])
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE_S)


def test_a_start_without_a_table_goes_on_with_the_one_played_last(tmp_path: Path) -> None:
    """It began a new game "table": only a table that was switched to on the host's page was remembered."""
    assert _played(tmp_path, *SERVE) == "table"
    assert _played(tmp_path, *SERVE, "--table", "friday") == "friday"
    assert _played(tmp_path, *SERVE) == "friday"
    assert _played(tmp_path, *DEMO) == "demo"
    assert _played(tmp_path, *SERVE) == "friday"


def test_where_none_was_remembered_it_is_the_newest_that_is_no_demo(tmp_path: Path) -> None:
    """A folder of an earlier edition, or a table that was deleted since."""
    for name in ("friday", "saturday"):
        assert _played(tmp_path, *SERVE, "--table", name) == name
    assert _played(tmp_path, *DEMO) == "demo"
    tables = tmp_path / "tables"
    (tables / "current.json").unlink()
    for at, name in enumerate(("saturday", "friday", "demo")):
        os.utime(tables / f"{name}.sqlite3", (1_000_000 + at, 1_000_000 + at))
    assert _played(tmp_path, *SERVE) == "friday"
