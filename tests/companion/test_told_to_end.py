"""Long commands that are told to end: quietly, with their processes, and with what is complete."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from calibration.measuring.labels import load_labels
from calibration.synth import Options
from calibration.synth.folder import write_folder
from tests.patience import PATIENCE_S, until

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="who lives is read from /proc")


_WITH_CTRL_C = """
import signal, sys
from companion.cli import main
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # who tests in the background has it ignored
    sys.exit(main(sys.argv[1:]))
"""

_TOLD_AGAIN = """
import signal
from concurrent.futures import ProcessPoolExecutor
shut_down, told = ProcessPoolExecutor.shutdown, []
def told_again(pool, wait=True, **options):
    if not told:
        told.append("again")
        signal.raise_signal(signal.SIGINT)
    shut_down(pool, wait, **options)
ProcessPoolExecutor.shutdown = told_again
"""


def begin_in_group(*arguments: str, before: str = "") -> subprocess.Popen[str]:
    """In a group of its own, which a terminal tells as a whole; `before` runs first."""
    return subprocess.Popen(
        [sys.executable, "-c", before + _WITH_CTRL_C, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def living_processes_of(leader: int) -> list[int]:
    """Processes of a group that live; one that nobody has asked about yet does not."""
    processes = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, process_group = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:  # it ended meanwhile
            continue
        if int(process_group) == leader and state != "Z":
            processes.append(int(path.parent.name))
    return processes


@pytest.mark.parametrize(
    ("signal_sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]
)
def test_synth_keeps_what_is_complete(tmp_path: Path, signal_sent: signal.Signals, status: int) -> None:
    """Killed it can keep no labels, but its processes do not go on for nobody."""
    folder = tmp_path / "set"
    process = begin_in_group("synth", str(folder), "-n", "400", "--size", "320x240")
    until(lambda: any(folder.glob("*.jpg")))
    (os.killpg if signal_sent is signal.SIGINT else os.kill)(process.pid, signal_sent)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == status
    assert "Traceback" not in err
    assert out == ""
    until(lambda: not living_processes_of(process.pid))
    if signal_sent is not signal.SIGKILL:
        named = {picture.file for picture in load_labels(folder).pictures}
        assert {path.name for path in folder.iterdir()} == {"labels.json", *named}


@pytest.mark.parametrize("signal_sent", [signal.SIGINT, signal.SIGTERM])
def test_synth_told_twice_keeps_what_is_complete(tmp_path: Path, signal_sent: signal.Signals) -> None:
    """Told again as its processes are ended it hung now and then, or named no picture that was there."""
    folder = tmp_path / "set"
    process = begin_in_group("synth", str(folder), "-n", "400", "--size", "320x240", before=_TOLD_AGAIN)
    until(lambda: any(folder.glob("*.jpg")))
    os.kill(process.pid, signal_sent)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
    until(lambda: not living_processes_of(process.pid))
    named = {picture.file for picture in load_labels(folder).pictures}
    assert {path.name for path in folder.iterdir()} == {"labels.json", *named}


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    list(write_folder(folder, range(1), Options(size_px=(320, 240))))
    labels = json.loads((folder / "labels.json").read_text())
    [entry] = labels["pictures"]
    names = [f"{number}.jpg" for number in range(400)]
    for name in names:
        (folder / name).hardlink_to(folder / entry["file"])
    labels["pictures"] = [{**entry, "file": name} for name in names]
    (folder / "labels.json").write_text(json.dumps(labels))
    return folder


@pytest.mark.parametrize(
    ("signal_sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]
)
def test_evaluate_takes_its_processes_with_it(
    pictures: Path, signal_sent: signal.Signals, status: int
) -> None:
    """As soon as the first of them is there, which is when they said most: 44 lines each."""
    process = begin_in_group("evaluate", str(pictures), "--jobs", "2")
    until(
        lambda: len(living_processes_of(process.pid)) > 2
    )  # one of those, and the one that counts semaphores
    (os.killpg if signal_sent is signal.SIGINT else os.kill)(process.pid, signal_sent)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == status
    assert out == ""
    if signal_sent is not signal.SIGKILL:  # then nobody can keep one that has just begun from complaining
        assert "Traceback" not in err
    until(lambda: not living_processes_of(process.pid))
