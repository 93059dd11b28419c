"""`serve` ends when it is told to and when it cannot serve, whatever it had started by then."""

import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from calibration.interrupts import ctrl_c_waits
from companion.cli import main
from tests.companion.conftest import Played
from tests.patience import PATIENCE_S

_SERVE = ["serve", "--camera", "none", "--port-serial", "none", "--host", "127.0.0.1", "--port"]
_INTERRUPTED = """
import os, signal, sys
from companion.cli import main
from companion.web import server

made = server.make_server
def interrupted(*given, **named):
    its = made(*given, **named)
    os.kill(os.getpid(), signal.SIGINT)
    return its
signal.signal(signal.SIGINT, signal.default_int_handler)  # who tests in the background has it ignored
server.make_server = interrupted
sys.exit(main(sys.argv[1:]))
"""
_YOUNG_CHILD = """
import os, signal, sys, types
from companion.table.sensing import child

def run(pipe, spec):
    os.kill(os.getpid(), signal.SIGINT)
    print("lives")
sys.modules["companion.table.sensing.process"] = types.SimpleNamespace(run=run)
child.main(None, None)
"""


def _run_to_end(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )


def test_an_https_port_that_is_taken_is_one_sentence_and_the_end(tmp_path: Path) -> None:
    """The sentence was said, and the threads of the other port kept the program alive for ever."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = _run_to_end("-m", "companion", *_SERVE, "0", "--https-port", port, "--data", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("Choose another with --https-port, or leave it out.\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("option", ["--port", "--https-port"])
def test_a_game_is_not_begun_where_it_cannot_be_served(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], played: Played
) -> None:
    """With another port the same command said that the table already holds a game."""
    arguments = [*_SERVE, "0", "--players", "blue,red,yellow"]
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main([*arguments, option, port, "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith(f"tenshu: Nothing can be served on 127.0.0.1:{port}")
    assert not list(tmp_path.glob("tables/*.sqlite3"))
    assert played(*arguments) == "table"


@pytest.mark.usefixtures("played")
def test_a_demo_is_not_laid_aside_where_no_new_one_can_be_served(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each try left another file behind."""
    old_demo = tmp_path / "tables" / "demo.sqlite3"
    old_demo.parent.mkdir()
    old_demo.write_bytes(b"")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["demo", "--new", "--port", port, "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().out == ""
    assert list(tmp_path.glob("tables/*.sqlite3")) == [old_demo]


@pytest.mark.usefixtures("played")
def test_one_port_for_both_is_one_sentence_and_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*_SERVE, "8475", "--https-port", "8475", "--data", str(tmp_path)]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert "both with HTTPS and without" in output.err


def test_a_table_that_another_plays_is_one_sentence_and_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], played: Played
) -> None:
    """Both started, and the second showed the state of its start; who only reads is not kept out."""
    arguments = [*_SERVE, "0", "--data", str(tmp_path)]
    with subprocess.Popen(
        [sys.executable, "-m", "companion", *arguments], stdout=subprocess.PIPE, text=True
    ) as first:
        try:
            assert first.stdout is not None
            assert "Tenshu is at" in first.stdout.readline()
            assert main(arguments) == 2
            output = capsys.readouterr()
            assert output.out == ""
            assert output.err.startswith(
                f"tenshu: Table table is open in another Tenshu already (process {first.pid} on "
            )
            assert output.err.count("\n") == 1
            assert main(["log", "export", "--data", str(tmp_path)]) == 0
        finally:
            first.kill()
    assert played(*_SERVE, "0") == "table"


def test_ctrl_c_while_it_starts_ends_it(tmp_path: Path) -> None:
    """Half a second after the start it was swallowed: threads waited for pages, and nobody ended them."""
    done = _run_to_end("-c", _INTERRUPTED, *_SERVE, "0", "--data", str(tmp_path))
    assert (done.returncode, done.stderr) == (130, "")


@pytest.mark.parametrize("thread_count", [0, 1])
def test_ctrl_c_that_comes_amiss_is_heard_later(thread_count: int) -> None:
    """Also where there is another thread already that takes it, as OpenBLAS starts some."""
    done = threading.Event()
    threads = [threading.Thread(target=done.wait) for _ in range(thread_count)]
    went_on = []
    handler_before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupt_itself() -> None:
        with ctrl_c_waits():
            os.kill(os.getpid(), signal.SIGINT)
            went_on.append("on")

    for thread in threads:
        thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            interrupt_itself()
    finally:
        signal.signal(signal.SIGINT, handler_before)
        done.set()
    assert went_on == ["on"]


def test_ctrl_c_before_its_eyes_are_open_is_no_traceback_of_the_sensor_process() -> None:
    """It goes to the whole group, and loading OpenCV and the networks takes a while."""
    done = _run_to_end("-c", _YOUNG_CHILD)
    assert (done.returncode, done.stdout, done.stderr) == (0, "lives\n", "")


@pytest.mark.usefixtures("played")
def test_an_address_of_another_computer_is_told_as_that(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No other port would have helped."""
    assert main(["serve", "--host", "192.0.2.77", "--data", str(tmp_path)]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.endswith("Name an address of this computer with --host, or leave it out.\n")


@pytest.mark.usefixtures("played")
def test_a_file_for_a_data_folder_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.touch()
    assert main([*_SERVE, "0", "--data", str(file)]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    sentence = f"{file} is a file, and tables are kept in a folder. Name another with --data."
    assert output.err == f"tenshu: {sentence}\n"
