"""A table for tests: a clock that is moved by hand, readings that are made up."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.demo.table import OPTIONS
from companion.games.protocol import Colour, Json
from companion.games.registry import find
from companion.store.evidence import EvidenceFolder
from companion.store.sqlite import SqliteStore
from companion.table.messages import Looked, Moving, Order, SensorSpec
from companion.table.runtime import Runtime, TableSpec
from companion.table.session import TableSession
from vision.reading import Doubt, TrayReading

COLOURS = ("red", "blue", "black", "yellow", "purple", "green")
JPEG = b"\xff\xd8 a picture"
GAME = {"players": ["blue", "red", "yellow"], "seed": 20}
FILL = {Colour("green"): 10}
"""What falls out as the tower is filled: all of it."""


@contextmanager
def running(folder: Path, name: str = "friday", options: Json = GAME) -> Iterator[Runtime]:
    """A game of Shogun, without camera and load cell."""
    runtime = Runtime(TableSpec(name, folder, SensorSpec("none", "none"), options), find("shogun"))
    try:
        yield runtime
    finally:
        runtime.stop()


def tell(session: TableSession, command: Json, author: str = "anna") -> None:
    """Give a command on behalf of somebody who sees the table as it is."""
    session.command(command, author, session.view()["expected"])


def hearing(orders: list[Order]) -> Callable[[Order], bool]:
    """A sensor process that takes all orders, and does nothing."""

    def record(order: Order) -> bool:
        orders.append(order)
        return True

    return record


class Clock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s

    def wall_ms(self) -> int:
        return round(self.now_s * 1000)


class Table:
    """A session with everything that it needs."""

    def __init__(
        self, folder: Path, game: str = "shogun", options: Json = OPTIONS, name: str = "demo"
    ) -> None:
        self.clock = Clock()
        self.folder = folder
        self.evidence = EvidenceFolder(folder / "pictures")
        self.store = SqliteStore(folder / f"{name}.sqlite3")
        self._played = (game, options, name)
        self.session = self.opened()

    def opened(self) -> TableSession:
        """Open a session on the same file, as after a restart."""
        game_name, options, name = self._played
        session = TableSession(
            find(game_name), self.store, self.evidence, name, clock=self.clock, wall_ms=self.clock.wall_ms
        )
        session.begin(options, "host")
        return session

    def attack(self, province: str = "omi", attacker: str = "red", attackers: int = 5) -> None:
        command = {"kind": "declare", "attacker": attacker, "province": province, "armies": attackers}
        self.session.command(command, "anna", self.expected)

    def falls(self, *doubts: Doubt, certain: bool | None = None, **counts: int) -> None:
        """Cubes fall and come to rest."""
        self.session.hear(Moving())
        self.session.hear(looked(*doubts, certain=certain, **counts))

    @property
    def expected(self) -> int:
        return int(self.session.view()["expected"])

    @property
    def look(self) -> int:
        return int(self.session.view()["look"]["number"])

    @property
    def phase(self) -> str:
        return str(self.session.view()["phase"])

    def pass_s(self, seconds: float) -> None:
        """Let time pass, and call the tick."""
        self.clock.now_s += seconds
        self.session.tick()

    def province(self, name: str = "omi") -> tuple[str | None, int]:
        """Owner and armies."""
        province = next(p for p in self.session.view()["game"]["provinces"] if p["id"] == name)
        return province["owner"], province["armies"]

    def close(self) -> None:
        self.store.close()


def looked(*doubts: Doubt, certain: bool | None = None, **counts: int) -> Looked:
    """What the sensor process reports for a tray with these cubes."""
    full = {colour: counts.get(colour, 0) for colour in COLOURS}
    reading = TrayReading(
        counts=full,
        cubes=(),
        confidence=dict.fromkeys(COLOURS, 1.0),
        certain=not doubts if certain is None else certain,
        doubts=doubts,
        mat_seen=True,
        tray_outline_px=(),
        cube_mm=8.0,
        size_px=(1280, 960),
    )
    return Looked(reading, JPEG, 40.0, 250.0)
