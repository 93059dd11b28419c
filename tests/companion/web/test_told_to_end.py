"""SIGTERM and Ctrl-C end a server, also where they come many at a time."""

import signal
import subprocess
import sys
import time

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


def test_a_second_signal_does_not_wait_for_the_first() -> None:
    """As from `make` and from whoever ends it at once: it hung for ever, and its table stayed taken."""
    with subprocess.Popen([sys.executable, "-c", _ENDS], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "serves\n"
        time.sleep(0.1)  # until it waits
        end = time.monotonic() + 1
        while server.poll() is None and time.monotonic() < end:
            server.send_signal(signal.SIGTERM)
        try:
            assert server.communicate(timeout=PATIENCE_S)[0] == "ended\n"
        finally:
            server.kill()
