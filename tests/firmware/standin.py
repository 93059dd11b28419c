"""A stand-in for the board in Python: speaks the protocol over a pty or a fake port. It is not the firmware.

It has no load cell: it reports the weights that a test tells it to report.
"""

import os
import select
import threading
import tty
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from firmware.link.program import PROGRAM
from firmware.link.wire import PROTOCOL, Kind, Line, compose, crc


@dataclass
class StandIn:
    """The protocol only: bytes in, bytes out. `now_ms` is the board's own clock, advanced by the test."""

    protocol: int = PROTOCOL
    cause: str = "power"
    now_ms: int = 0
    mass_mg: int = 0
    deaf: bool = False
    calibrated: int = 1
    refuse: dict[str, str] = field(default_factory=dict)
    """Maps a command to the reason for which it is refused."""
    heard: list[str] = field(default_factory=list)
    program: str = PROGRAM
    sequence: int = 0
    _rest: bytes = b""

    def line(self, kind: Kind, *fields: int | str) -> bytes:
        """Return the next line."""
        composed = compose(Line(self.sequence, self.now_ms, kind, fields))
        self.sequence = (self.sequence + 1) % 1000
        return composed

    def boot(self, cause: str = "reset") -> bytes:
        """Reset, and return the greeting."""
        self.sequence, self.now_ms, self.cause, self._rest = 0, 3, cause, b""
        return self.hello()

    def hello(self) -> bytes:
        """Return HELLO and SETTINGS."""
        greeting = self.line(Kind.HELLO, "tenshu", self.protocol, self.program, self.cause)
        return greeting + self.line(Kind.SETTINGS, 80, 2147000, 0, 0, self.calibrated, "saved")

    def drop(self, mass_mg: int) -> bytes:
        """Return a motion in which this much fell."""
        onset = self.now_ms
        self.mass_mg += mass_mg
        moved = self.line(Kind.MOVE, onset)
        self.now_ms += 160
        fell = self.line(Kind.DROP, onset, mass_mg)
        self.now_ms += 300
        return moved + fell + self.line(Kind.SETTLED, self.mass_mg, 6)

    def beat(self) -> bytes:
        """Return the next heartbeat, one second later."""
        self.now_ms += 1000
        return self.line(Kind.BEAT, self.mass_mg, 21, "still", 80, 0, 0)

    def answer(self, data: bytes) -> bytes:
        """Return the answers to what the host sent."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        return b"".join(self._obey(line) for line in lines)

    def _obey(self, line: bytes) -> bytes:
        body, _, digits = line[1:].partition(b"*")
        assert line[:1] == b">"
        assert digits == b"%04X" % crc(body)
        number, command, *arguments = body.decode("ascii").split(",")
        self.heard.append(",".join([command, *arguments]))
        if self.deaf:
            return b""
        if command in self.refuse:
            return self.line(Kind.NAK, int(number), self.refuse[command])
        before = self.hello() if command == "HELLO" else b""
        value = int(arguments[-1]) if arguments else 0
        return before + self.line(Kind.ACK, int(number), command, value)


def _read(master: int) -> bytes:
    """Return what has arrived; raises OSError if nothing has, as when a closed port is just being opened."""
    os.set_blocking(master, False)
    try:
        return os.read(master, 4096)
    finally:
        os.set_blocking(master, True)


class PtyBoard:
    """The stand-in behind a pty; `path` is a symlink that survives pulling the cable and plugging it in
    again."""

    def __init__(self, path: Path, board: StandIn | None = None) -> None:
        self.path = path
        self.board = board or StandIn()
        self._lock = threading.Lock()
        self._master: int | None = None
        self._stopping = threading.Event()
        self.plug()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def plug(self) -> None:
        """Plug the cable in: a new pty, and the board boots."""
        master, slave = os.openpty()
        tty.setraw(slave)
        name = os.ttyname(slave)
        os.close(slave)
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(name)
        with self._lock:
            self.board.boot("power")
            self._master = master

    def pull(self) -> None:
        """Pull the cable: the port dies and its name vanishes."""
        with self._lock:
            self.path.unlink(missing_ok=True)
            if self._master is not None:
                os.close(self._master)
            self._master = None

    def say(self, words: Callable[[StandIn], bytes]) -> None:
        """Send what `words` returns for the board, taking sequence numbers under the lock."""
        with self._lock:
            data = words(self.board)
            if self._master is not None:
                os.write(self._master, data)

    def beats_by_itself(self, every_s: float = 0.05) -> Callable[[], None]:
        """Send heartbeats, faster than a real board, until the returned function is called."""
        ended = threading.Event()

        def beat() -> None:
            while not ended.wait(every_s):
                self.say(StandIn.beat)

        thread = threading.Thread(target=beat, daemon=True)
        thread.start()

        def end() -> None:
            ended.set()
            thread.join()

        return end

    def close(self) -> None:
        """End the thread and the pty."""
        self._stopping.set()
        self._thread.join()
        self.pull()

    def _run(self) -> None:
        while not self._stopping.is_set():
            with self._lock:
                master = self._master
                if master is not None and select.select([master], [], [], 0)[0]:
                    # If nobody is at the other end, reading fails: the port is closed, not the board.
                    with suppress(OSError):
                        os.write(master, self.board.answer(_read(master)))
            self._stopping.wait(0.005)
