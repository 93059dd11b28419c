"""A running table: session, sensor process and tick, started and stopped together."""

import logging
import os
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from calibration.scale import CubeMass, ScaleError, save
from companion.games.protocol import TowerShown
from companion.store.contract import EventStore
from companion.store.errors import StoreError, shutdown_error
from companion.store.events import StoredEvent
from companion.store.evidence import EvidenceFolder
from companion.store.readonly import ReadOnlyStore
from companion.store.sqlite import SqliteStore
from companion.table.desks.calibration import CalibrationDesk
from companion.table.desks.host import SensorHost
from companion.table.desks.phone import CameraDesk
from companion.table.desks.scaledesk import NOT_KEPT, OFF, ScaleDesk, Word
from companion.table.errors import TableRefusal
from companion.table.files.backups import begin_anew
from companion.table.files.copies import Copies
from companion.table.files.lock import TableLock
from companion.table.files.tables import Tables, UnknownEvents, checked_game, game_of, own_game_name
from companion.table.messages import (
    DEMO,
    NO_CAMERA,
    CameraSays,
    Looked,
    LookNow,
    Report,
    SensorSays,
    SensorSpec,
)
from companion.table.past.history import AnyGame, Json, encode_events
from companion.table.people.access import Access
from companion.table.people.devices import Devices
from companion.table.people.handover import Handovers
from companion.table.people.seats import Seats
from companion.table.session import TableSession
from companion.table.settings import showing_event
from companion.table.throw.countdown import COUNTDOWN_S
from companion.table.throw.weighing import Weighing, known_set
from firmware.link.events import LinkDown

_LOG = logging.getLogger(__name__)
TICK_S = 0.1
AT_RECOVERY = "Open the recovery page to open another table, or to save what can be read of this one."
_NO_EVENTS = Path(os.devnull)
"""A file that holds no events."""
_SWITCHED_OFF = LinkDown("", "The load cell is turned off.", "Start it again on the recovery page.", OFF)


@dataclass(frozen=True, slots=True)
class TableSpec:
    """Which table to play, where it is kept and what it plays with."""

    name: str
    folder: Path
    sensors: SensorSpec
    options: Json
    first: Json | None = None
    """The command that a new table begins with."""
    countdown_s: float = COUNTDOWN_S
    cube: CubeMass = field(default_factory=CubeMass)
    """What a cube weighs at this table."""
    scale_folder: Path | None = None
    """Where that is saved when it is weighed anew on the page; None to keep it only while this runs."""


class Runtime:
    """What `tenshu serve` and `tenshu demo` run."""

    def __init__(self, spec: TableSpec, game: AnyGame, wall_ms: Callable[[], int] | None = None) -> None:
        """Open the table's files. Raises `StoreError`, `OpenElsewhere`."""
        clock_ms = wall_ms or (lambda: time.time_ns() // 1_000_000)
        self._in_demo = spec.sensors.camera == DEMO
        self.tables = Tables(spec.folder)
        self.copies = Copies(spec.folder / "copies")
        self._wall_ms = clock_ms
        self.evidence = EvidenceFolder(spec.folder / "pictures")
        self.access = Access(spec.folder / "access.json", clock_ms)
        self.devices = Devices(clock_ms)
        self.handovers = Handovers(clock_ms)
        self.trouble: StoreError | None = None
        """Why the table's file is only read, or no longer copied; None when all is well."""
        self._switching = threading.Lock()
        self._copying = threading.Lock()
        self._lock = TableLock.take(self.tables.path(spec.name))
        with ExitStack() as on_failure:
            on_failure.callback(self._lock.release)
            if not self.tables.is_taken(spec.name):
                self.tables.forget_seats(spec.name)
            self._store, known_game, events = self._open_playable(spec.name)
            self.session = TableSession(
                known_game or game,
                self._store,
                self.evidence,
                spec.name,
                clock=time.monotonic,
                wall_ms=clock_ms,
                countdown_s=spec.countdown_s,
                scale=Weighing(spec.cube, may_clear=not self._in_demo),
                start=secrets.token_hex(4),
                events=events,
            )
            self._begin(spec)
            self.seats = Seats(self.tables.seats_path(spec.name), self.session.events())
            on_failure.pop_all()
        self.camera = CameraDesk(spec.sensors, self._hear, time.monotonic)
        self._host = SensorHost(spec.sensors, self.camera.hear)
        self.camera.connect(self._host)
        self.calibration = CalibrationDesk(lambda: self._host.spec, self._host.order)
        self.scale = ScaleDesk(self._host.order, time.monotonic)
        self._scale_folder = spec.scale_folder
        self._stopping = threading.Event()
        self._look_due = threading.Event()
        self._last_error = ""
        """The last error in the tick."""
        self._ticker = threading.Thread(target=self._keep_ticking, name="table tick", daemon=True)

    def start(self) -> None:
        """Start the sensor process and the tick, and remember this table to resume at the next start."""
        self._remember(self.session.table)
        self._host.start()
        self.camera.start()
        self._ticker.start()

    def stop(self) -> None:
        """End all of it; what was confirmed is on the disk already."""
        self._stopping.set()
        self.session.wake()
        self.camera.stop()
        self._host.stop()
        if self._ticker.is_alive():
            self._ticker.join(1.0)
        with self._switching:  # a switch to another table in progress ends first: one file, one lock
            self._keep_copy()
            self._store.close()
            self._lock.release()

    @property
    def demo(self) -> bool:
        """Whether cubes fall by themselves: until a real camera looks at a real tray."""
        return self._in_demo and self.camera.camera == DEMO

    @property
    def stopping(self) -> bool:
        """Whether streams should end."""
        return self._stopping.is_set()

    def open_table(self, name: str) -> None:
        """Play another table of the folder from now on. Raises `TableRefusal`, `StoreError`."""
        if not self.tables.exists(name):
            raise TableRefusal("no_such_table", "There is no such table.")
        with self._one_switch():
            self._switch_to(name, checked_game(self.tables.events(name)))

    def begin_table(
        self, name: str, game: AnyGame, options: Json, author: str, *, tower: TowerShown = TowerShown.ALL
    ) -> None:
        """Begin a new table and play it. Raises `TableRefusal`, `StoreError`, the game's `Refused`."""
        with self._one_switch():
            self.tables.path(name)  # an invalid name is reported before a game that cannot be played
            commands = [encode_events(game, game.new(options))]
            if tower is not TowerShown.ALL:
                commands.append([showing_event(tower)])
            begin_anew(self.tables, name, commands, author, self._wall_ms())
            self._switch_to(name, game)

    def look_again(self) -> None:
        """Read the tray as it lies there. Raises `TableRefusal`."""
        self.session.look_again()
        self._order_look()

    def let_fall(self) -> None:
        """Let cubes fall, for the demo's button. Raises `TableRefusal` when no throw is awaited."""
        self._host.order(self.session.fall_order())

    def issue_seat(self, seat: str) -> str:
        """Return a ticket for a seat whose phone is lost: its old key is void, and the seat stays taken."""
        with self.session.at():  # so that no older ticket is used in between
            self.seats.give(seat)
            self.devices.forget_seats(seat)
            ticket = self.handovers.issue(seat)
            self.session.wake()
        return ticket

    def restart_sensors(self) -> None:
        """End the process of camera and load cell, and start another."""
        self._host.restart()

    def without_sensors(self) -> None:
        """Play on without camera and load cell until they are started again: counts are typed in by hand."""
        self._host.pause()
        self._hear(CameraSays(NO_CAMERA))
        self._hear(SensorSays(_SWITCHED_OFF))

    @property
    def sensor_pid(self) -> int | None:
        """Process id of the sensor process that runs now."""
        return self._host.pid

    def _order_look(self) -> None:
        self._host.expect(self.session.expected())
        self._host.order(LookNow())

    def _hear(self, report: Report) -> None:
        try:
            self._handle_report(report)
        except Exception as error:  # noqa: BLE001 - else the thread ends, and camera and load cell with it
            self._log_error(error)

    def _handle_report(self, report: Report) -> None:
        if self.calibration.hear(report):
            return
        if isinstance(report, Looked) and self.session.is_outdated(report):
            self._look_due.set()  # the thread that listens to the process must never wait for it
            return
        self.session.hear(report)
        answered = self.scale.hear(report)
        if answered is not None and answered.word is Word.CALIBRATE and self._scale_folder is not None:
            try:
                save(known_set(answered.cubes), self._scale_folder)
            except ScaleError:
                self.scale.refuse(NOT_KEPT)

    def _open_playable(self, name: str) -> tuple[EventStore, AnyGame | None, list[StoredEvent]]:
        """Open the table if it can be played; otherwise leave it alone and say why in `trouble`."""
        store, events = self._open_file(self.tables.path(name))
        if not events:
            return store, None, events
        try:
            return store, checked_game(events), events
        except UnknownEvents as error:
            store.close()
            self.trouble = StoreError(error.sentence, AT_RECOVERY, error.key)
            return ReadOnlyStore(_NO_EVENTS), None, []

    def _open_file(self, path: Path) -> tuple[EventStore, list[StoredEvent]]:
        """Open the file and read all its events, only once, because a long past takes time. A file that
        cannot be written is read all the same, and `trouble` says why. Raises `StoreError`."""
        existed = path.exists()
        try:
            store = SqliteStore(path)
            events = _read_all_events(store, path.stem)
        except StoreError as error:
            if not existed:
                raise
            self.trouble = error
            readable = ReadOnlyStore(path)
            return readable, readable.read(own_game_name(path.stem, readable.games()))
        self.trouble = None
        return store, events

    def _begin(self, spec: TableSpec) -> None:
        try:
            self.session.begin(spec.options, "host", spec.first)
        except StoreError:
            if self.trouble is None:
                raise

    @contextmanager
    def _one_switch(self) -> Iterator[None]:
        """Let one switch run at a time, and none at shutdown, when nobody would release what it opens."""
        with self._switching:
            if self.stopping:
                raise shutdown_error()
            yield

    def _switch_to(self, name: str, game: AnyGame) -> None:
        self._keep_copy()
        old_store, lock = self._store, TableLock.take(self.tables.path(name), self._lock)
        try:
            store, events = self._open_file(self.tables.path(name))
        except StoreError:
            lock.release_for(self._lock)
            raise
        with self.session.at():  # so that no request sees one table with the seats of the other
            self.seats.turn_to(self.tables.seats_path(name), events)
            self.devices.forget_seats()
            self.handovers.drop()
            self._store = store
            self.session.turn_to(game, store, name, events)
        old_store.close()
        self._lock.release_for(lock)
        self._lock = lock
        self._remember(name)

    def _remember(self, name: str) -> None:
        if not self.demo:
            with suppress(OSError):  # a disk that takes nothing has been reported already
                self.tables.set_current(name)

    def _keep_ticking(self) -> None:
        while not self._stopping.wait(TICK_S):
            try:
                self._tick()
            except Exception as error:  # noqa: BLE001 - whatever it is, the next throw has to be accepted too
                self._log_error(error)

    def _tick(self) -> None:
        self.session.tick()
        self._host.expect(self.session.expected())
        if self._look_due.is_set():
            self._look_due.clear()
            self._order_look()
        if self.trouble is None and not self._copying.locked() and self.copies.is_due(self._wall_ms()):
            threading.Thread(target=self._copy_in_thread, name="table copy", daemon=True).start()

    def _log_error(self, error: Exception) -> None:
        """Log an error once, however often it recurs; the page says that something broke."""
        if repr(error) != self._last_error:
            self._last_error = repr(error)
            _LOG.error("the table broke", exc_info=error)
        self.session.handle_unforeseen_error()

    def _copy_in_thread(self) -> None:
        """Copy in a thread of its own: a long past takes seconds, in which no countdown would end."""
        try:
            self._keep_copy()
        except Exception as error:  # noqa: BLE001 - else the thread ends unnoticed, and no copy is made
            self._log_error(error)

    def _keep_copy(self) -> None:
        with self._copying:  # one at a time, each of everything there is by then: the newest is complete
            if self.trouble is None:  # half of a table must not take the place of whole copies
                try:
                    self.copies.keep(self.session.events(), self._wall_ms())
                except StoreError as error:
                    self.trouble = error


def _read_all_events(store: SqliteStore, name: str) -> list[StoredEvent]:
    """Read all events; raise `StoreError` and close the store if the file is damaged further in."""
    try:
        events = store.read(name)
        if not events and any(game_of(store.read(game)) for game in store.games()):
            store.rename_newest_game(name)  # it was copied or moved to this name by hand
            events = store.read(name)
        return events
    except StoreError:
        store.close()
        raise
