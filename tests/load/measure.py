"""One case: a number of devices listen to a demo on loopback while somebody changes the table."""

import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.load.streams import Listeners

ROOT = Path(__file__).parents[2]
ATTACK = {"kind": "declare", "attacker": "red", "province": "omi", "armies": 5}
CALL_OFF = {"kind": "call_off"}
PAUSE_S = 0.1
WAIT_S = 20.0


@dataclass(frozen=True, slots=True)
class Case:
    """The conditions of one measurement."""

    devices: int
    changes: int
    reading: bool
    """Whether the reader reads pictures continuously meanwhile."""


@dataclass(frozen=True, slots=True)
class Result:
    """Latencies, sizes and memory of one case."""

    case: Case
    update_ms: tuple[float, float, float]
    """From a tap to the whole view on a device: median, 95th percentile, maximum over devices and changes."""
    tap_ms: tuple[float, float]
    """From a tap to the answer to the device that tapped: median, 95th percentile."""
    missed: int
    """Changes that did not reach every device within 20 s."""
    view_bytes: int
    web_mb: float
    sensors_mb: float
    readings: int
    load: float
    """The computer's load average over 1 minute."""


def measure(case: Case) -> Result:
    """Run one case against its own demo."""
    with _run_demo() as (port, process), _open_listeners(port, case.devices) as listeners:
        reader = _Reader(port) if case.reading else None
        sent, answered = [], []
        expected = _call_api(port, "table")["expected"]
        assert listeners.wait_for(expected, case.devices, WAIT_S), "not every device got the first view"
        missed = 0
        for number in range(case.changes):
            time.sleep(PAUSE_S)
            started = time.monotonic()
            command = ATTACK if number % 2 else CALL_OFF
            expected = _call_api(port, "commands", expected=expected, command=command)["expected"]
            answered.append(time.monotonic() - started)
            sent.append((expected, started))
            missed += not listeners.wait_for(expected, case.devices, WAIT_S)
        update = [heard - started for state, started in sent for heard in listeners.heard[state]]
        views = case.devices * (case.changes + 1)
        result = Result(
            case,
            (statistics.median(update) * 1e3, percentile(update) * 1e3, max(update) * 1e3),
            (statistics.median(answered) * 1e3, percentile(answered) * 1e3),
            missed,
            listeners.bytes // views,
            _resident_mb(process.pid),
            sum(_resident_mb(child) for child in _children(process.pid)),
            reader.stop() if reader else 0,
            os.getloadavg()[0],
        )
        assert listeners.refused == 0, "a stream ended"
        return result


class _Reader:
    """Asks for readings continuously, one picture after the other."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._count = 0
        self._stop = threading.Event()
        for _ in range(300):  # the sensor process loads its models first
            if _call_api(port, "camera/check", empty=True)["reading"] is not None:
                break
            time.sleep(0.2)
        self._thread = threading.Thread(target=self._read_continuously, daemon=True)
        self._thread.start()

    def stop(self) -> int:
        """Stop and return the number of pictures read."""
        self._stop.set()
        self._thread.join(30)
        return self._count

    def _read_continuously(self) -> None:
        while not self._stop.is_set():
            self._count += _call_api(self._port, "camera/check", empty=True)["reading"] is not None


@contextlib.contextmanager
def _run_demo() -> Iterator[tuple[int, subprocess.Popen[str]]]:
    with tempfile.TemporaryDirectory() as data:
        options = ["--no-browser", "--port", "0", "--data", data]
        with subprocess.Popen(
            [sys.executable, "-m", "companion", "demo", *options], cwd=ROOT, stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                assert process.stdout is not None
                yield int(process.stdout.readline().rstrip("/\n").rpartition(":")[2]), process
            finally:
                process.terminate()
                process.wait(20)


@contextlib.contextmanager
def _open_listeners(port: int, count: int) -> Iterator[Listeners]:
    listeners = Listeners(port, count)
    try:
        yield listeners
    finally:
        listeners.close()


def _call_api(port: int, path: str, *, empty: bool = False, **body: Any) -> Any:
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/{path}")
    if body or empty:
        request.data = json.dumps(body).encode() if body else b""
        request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def percentile(values: list[float]) -> float:
    """95th percentile; "inclusive", because the other method can exceed the maximum of few values."""
    return statistics.quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


def _resident_mb(pid: int) -> float:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    return 0.0


def _children(pid: int) -> list[int]:
    with contextlib.suppress(OSError):
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8")
        found = [int(child) for child in text.split()]
        threads = [int(path.name) for path in Path(f"/proc/{pid}/task").iterdir()]
        for thread in threads:
            more = Path(f"/proc/{pid}/task/{thread}/children").read_text(encoding="utf-8")
            found += [int(child) for child in more.split()]
        return sorted(set(found))
    return []
