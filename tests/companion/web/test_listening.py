"""When no more files and sockets can be opened, the server waits, and goes on when there is room again."""

import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path

import pytest

from companion.table.runtime import Runtime
from companion.web.app import create_app
from companion.web.listening import FILES, make_room
from companion.web.server import make_server
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="open files cannot be counted")
FLOOD_AND_ASK = """
import http.client, socket, sys, time
port = int(sys.argv[1])
sys.stdin.readline()
flood = [socket.create_connection(("127.0.0.1", port)) for _ in range(60)]
time.sleep(1)  # the server accepts what it can
for connection in flood:
    connection.close()
asked = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
asked.request("GET", "/api/v1/join")
print(asked.getresponse().status)
"""
"""More connections than the server can open, then a request of somebody else."""


@contextmanager
def _room_for(more_files: int) -> Iterator[None]:
    """Let this process open only so many files more."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = {int(path.name) for path in Path("/dev/fd").iterdir()}
    free = (number for number in count() if number not in used)
    resource.setrlimit(resource.RLIMIT_NOFILE, (next(islice(free, more_files, None)), limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_after_a_flood_that_left_no_file_to_open_others_are_answered(runtime: Runtime) -> None:
    """Nobody was answered again until the next start, and the log grew by megabytes a second."""
    server = make_server(create_app(runtime), "127.0.0.1", 0)
    serving = threading.Thread(target=server.serve, daemon=True)
    serving.start()
    command = [sys.executable, "-c", FLOOD_AND_ASK, str(server.bind_addr[1])]
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as others,
        _room_for(20),
    ):
        answered, _ = others.communicate("\n", timeout=PATIENCE_S)
    server.stop()
    serving.join()
    assert answered == "200\n"


def test_a_system_that_gives_few_files_gives_more_when_asked() -> None:
    """macOS gives 256, which the connections of two phones could use up."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, limits[1]))
    try:
        make_room()
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == FILES
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
