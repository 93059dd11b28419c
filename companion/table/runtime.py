"""A running table: session, sensor process and the tick, started and stopped together."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from calibration.scale import CubeMass
from companion.store.evidence import EvidenceFolder
from companion.store.sqlite import SqliteStore
from companion.table.history import AnyGame, Json
from companion.table.host import SensorHost
from companion.table.messages import LookNow, SensorSpec
from companion.table.seats import Seats
from companion.table.session import COUNTDOWN_S, TableSession
from companion.table.weighing import Weighing

TICK_S = 0.1


@dataclass(frozen=True, slots=True)
class TableSpec:
    """Which table, where it is kept, what it plays with."""

    name: str
    folder: Path
    sensors: SensorSpec
    options: Json
    first: Json | None = None
    """A command with which a new table begins."""
    countdown_s: float = COUNTDOWN_S
    cube: CubeMass = field(default_factory=CubeMass)
    """What a cube weighs at this table."""


class Runtime:
    """What `tenshu serve` and `tenshu demo` run."""

    def __init__(self, spec: TableSpec, game: AnyGame, wall_ms: Callable[[], int] | None = None) -> None:
        """Opens the table's files. Raises `StoreError`."""
        self.demo = spec.sensors.camera == "demo"
        self.evidence = EvidenceFolder(spec.folder / "pictures")
        self.seats = Seats(spec.folder / f"{spec.name}.seats.json")
        self._store = SqliteStore(spec.folder / f"{spec.name}.sqlite3")
        self.session = TableSession(
            game,
            self._store,
            self.evidence,
            spec.name,
            clock=time.monotonic,
            wall_ms=wall_ms or (lambda: time.time_ns() // 1_000_000),
            countdown_s=spec.countdown_s,
            scale=Weighing(spec.cube, may_clear=not self.demo),
        )
        self.session.begin(spec.options, "host", spec.first)
        self._host = SensorHost(spec.sensors, self.session.hear)
        self._stopping = threading.Event()
        self._ticker = threading.Thread(target=self._tick, name="table tick", daemon=True)

    def start(self) -> None:
        """Start the sensor process and the tick."""
        self._host.start()
        self._ticker.start()

    def stop(self) -> None:
        """End all of it; what was confirmed is on the disk already."""
        self._stopping.set()
        self.session.wake()
        self._host.stop()
        if self._ticker.is_alive():
            self._ticker.join(1.0)
        self._store.close()

    @property
    def stopping(self) -> bool:
        """Whether streams should end."""
        return self._stopping.is_set()

    def look_again(self) -> None:
        """Read the tray as it lies there. Raises `TableRefusal`."""
        self.session.look_again()
        self._host.order(LookNow())

    def let_fall(self) -> None:
        """The demo's button. Raises `TableRefusal` when no throw is awaited."""
        self._host.order(self.session.letting_fall())

    @property
    def sensor_pid(self) -> int | None:
        """Of the sensor process that runs now."""
        return self._host.pid

    def _tick(self) -> None:
        while not self._stopping.wait(TICK_S):
            self.session.tick()
