"""SIGTERM, Ctrl-C and a closed terminal end a server, even if several arrive at once."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.patience import PATIENCE_S

_ENDS = """
import os, time
from companion.web.server import serve_until_told

class Server:  # stands for one of a web application: what is told to end is the loop about it
    def serve(self):
        print("serves", flush=True)
        time.sleep(1000)

serve_until_told(Server())
print("ended", flush=True)
os._exit(0)
"""


def _script_with_sighup(disposition: str) -> str:
    """Start with this disposition of SIGHUP inherited."""
    return f"import signal\nsignal.signal(signal.SIGHUP, signal.{disposition})\n{_ENDS}"


@contextmanager
def _running_until_told(script: str) -> Iterator[subprocess.Popen[str]]:
    """A running server; afterwards it must end by itself."""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "serves\n"
        try:
            yield server
            assert server.communicate(timeout=PATIENCE_S)[0] == "ended\n"
        finally:
            server.kill()


def test_a_second_signal_does_not_wait_for_the_first() -> None:
    """As from `make` and another sender at the same time: it hung for ever, and its table stayed locked."""
    with _running_until_told(_ENDS) as server:
        time.sleep(0.1)  # until the server waits
        end = time.monotonic() + 1
        while server.poll() is None and time.monotonic() < end:
            server.send_signal(signal.SIGTERM)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signal here")
def test_a_terminal_that_is_closed_ends_it_in_good_order() -> None:
    """It died at once: no last copy of the game, and its newest events in a journal beside the file."""
    # The tests themselves may run under `nohup`.
    with _running_until_told(_script_with_sighup("SIG_DFL")) as server:
        server.send_signal(signal.SIGHUP)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signal here")
def test_what_was_begun_to_outlive_its_terminal_does() -> None:
    """`nohup` makes the signal ignored, and it stays ignored."""
    report_ignored = "print(signal.getsignal(signal.SIGHUP) == signal.SIG_IGN, flush=True); return"
    script = _script_with_sighup("SIG_IGN").replace('print("serves", flush=True)', report_ignored)
    stdout = subprocess.check_output([sys.executable, "-c", script], text=True, timeout=PATIENCE_S)
    assert stdout == "True\nended\n"
