"""The link in a thread: a `DropSensor` that never blocks its caller."""

import queue
import threading
import time
from collections.abc import Callable
from typing import Final

from firmware.link.events import Answered, SensorEvent
from firmware.link.link import Link
from firmware.link.ports import present_ports
from firmware.link.serialport import open_port
from firmware.link.wire import Command

TRACE_EVERY: Final = 4
"""20 points per second from 80 samples."""
_IDLE_S = 0.1
_GOODBYE_S = 3.0
_QUEUE = 4096
"""More than a minute of everything; bounded in case nobody reads."""


class SerialSensor:
    """Implements `firmware.link.events.DropSensor`."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._events: queue.Queue[SensorEvent] = queue.Queue(_QUEUE)
        self._orders: queue.SimpleQueue[tuple[Command, tuple[int | str, ...]]] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="drop sensor", daemon=True)
        self._thread.start()

    def poll(self, timeout_s: float) -> list[SensorEvent]:
        """Return events since the last call, waiting up to `timeout_s` for the first one."""
        events: list[SensorEvent] = []
        try:
            events.append(self._events.get(timeout=timeout_s) if timeout_s > 0 else self._events.get_nowait())
            while True:
                events.append(self._events.get_nowait())
        except queue.Empty:
            return events

    def ask(self, command: Command, *arguments: int | str) -> None:
        """Send a command; the board's answer, or that there is no board, arrives as an event."""
        self._orders.put((command, arguments))

    def close(self) -> None:
        """End the thread, which releases the port."""
        self._stopping.set()
        self._thread.join(_GOODBYE_S)

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                for event in self._step_link():
                    self._put(event)
                while self._link.answers:
                    answer = self._link.answers.popleft()
                    self._put(Answered(answer.command, answer.arguments, answer.value, answer.reason))
                if self._link.seeking:
                    self._stopping.wait(_IDLE_S)
        finally:
            self._link.close()

    def _step_link(self) -> list[SensorEvent]:
        """Step the link; whatever a driver raises, the load cell is found again as after a pulled cable."""
        try:
            self._pass_on_commands()
            return self._link.step()
        except Exception:  # noqa: BLE001 - the thread would end for good, and nobody would hear of it
            return self._link.lose()

    def _pass_on_commands(self) -> None:
        """Pass commands on to the link; they wait while a board is being greeted, but not for one to
        appear."""
        while not self._orders.empty():
            if not self._link.ready and not self._link.seeking:
                return
            command, arguments = self._orders.get()
            if self._link.ready:
                self._link.ask(command, *arguments)
            else:
                self._put(Answered(command, arguments, 0, "gone"))

    def _put(self, event: SensorEvent) -> None:
        while True:
            try:
                self._events.put_nowait(event)
                return
            except queue.Full:
                self._drop_oldest()

    def _drop_oldest(self) -> None:
        try:
            self._events.get_nowait()
        except queue.Empty:
            return


def make_link(port: str, trace_every: int = 0, clock: Callable[[], float] = time.monotonic) -> Link:
    """Make a link to the board on `port`, or on any port that answers (`auto`)."""
    if port == "auto":
        return Link(present_ports, open_port, clock, named=False, trace_every=trace_every)
    return Link(lambda: [port], open_port, clock, named=True, trace_every=trace_every)


def open_sensor(port: str) -> SerialSensor:
    """Open the real sensor, in its own thread."""
    return SerialSensor(make_link(port, TRACE_EVERY))
