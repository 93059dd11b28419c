"""What the sensor process has yet to be told: the newest of each kind waits, a thread of its own tells it.

A process that hangs takes no order, and a full pipe makes its writer wait: that must be nobody who has other
things to do, and least of all the thread that hears the process.
"""

import threading
from multiprocessing.connection import Connection

from companion.table.messages import (
    Calibrate,
    CalibrationEnd,
    Check,
    Expect,
    Order,
    Stop,
    TellBoard,
    UseCamera,
    UseProfile,
)

_KEPT = Check | Calibrate | CalibrationEnd | UseProfile | UseCamera | TellBoard | Stop
"""Somebody asked once and waits; of all else the next process knows, or it is said again."""
_LETTING_GO_S = 3.0


class Outbox:
    """Safe to call from any thread; only `disconnect` and `close` wait for anything."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: dict[object, Order] = {}
        self._pipe: Connection | None = None
        self._telling = self._shut = self._over = False
        self._thread = threading.Thread(target=self._run, name="sensor orders", daemon=True)

    def start(self) -> None:
        """Begin to tell."""
        self._thread.start()

    def put(self, order: Order) -> tuple[bool, Order | None]:
        """Have it told; where a process is only being started it waits if somebody waits for it.

        Whether it is told or waits, and which older one is not told any more because of it.
        """
        with self._changed:
            if self._shut or (self._pipe is None and not isinstance(order, _KEPT)):
                return False, None
            kind = _kind(order)
            older = self._waiting.get(kind)
            if not isinstance(order, Expect):  # which stays before the look that was asked for with it
                self._waiting.pop(kind, None)
            self._waiting[kind] = order
            self._changed.notify_all()
            return True, older

    def connect(self, pipe: Connection, first: Order) -> None:
        """A process is there; it hears `first` before all that waits."""
        with self._changed:
            self._pipe = pipe
            self._waiting = {_kind(first): first, **self._waiting}
            self._changed.notify_all()

    def disconnect(self) -> bool:
        """The process is dead; whether nobody writes to its pipe any more."""
        with self._changed:
            self._part()
            return self._changed.wait_for(lambda: not self._telling, _LETTING_GO_S)

    def waits(self, kind: type[Order]) -> bool:
        """Whether one of these has yet to be told."""
        with self._changed:
            return any(isinstance(one, kind) for one in self._waiting.values())

    def forget(self, kind: type[Order]) -> None:
        """These need not be told: whoever asked has been answered, or the next process knows."""
        with self._changed:
            self._waiting = {key: one for key, one in self._waiting.items() if not isinstance(one, kind)}

    def shut(self) -> None:
        """Nothing that waits is told, and nothing waits until `open`."""
        with self._changed:
            self._shut = True
            self._waiting.clear()

    def open(self) -> None:
        """Take orders again."""
        with self._changed:
            self._shut = False

    def last(self, order: Order) -> None:
        """Instead of all that waits, and nothing after it."""
        with self._changed:
            self._shut = True
            self._waiting = {_kind(order): order}
            self._changed.notify_all()

    def close(self) -> None:
        """End the thread. Safe to call twice."""
        with self._changed:
            self._over = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(_LETTING_GO_S)

    def _part(self) -> None:
        self._pipe = None
        self._waiting = {kind: order for kind, order in self._waiting.items() if isinstance(order, _KEPT)}

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._over or (self._pipe is not None and bool(self._waiting)))
                if self._over or self._pipe is None:
                    return
                pipe = self._pipe
                kind = next(iter(self._waiting))
                order = self._waiting.pop(kind)
                self._telling = True
            try:
                pipe.send(order)
                told = True
            except OSError:
                told = False
            with self._changed:
                self._telling = False
                if not told:
                    self._untold(pipe, kind, order)
                self._changed.notify_all()

    def _untold(self, pipe: Connection, kind: object, order: Order) -> None:
        """It never had the whole order, so it did not die of it: the next one hears it."""
        if isinstance(order, _KEPT) and not self._shut:
            self._waiting = {kind: order, **self._waiting}
        if self._pipe is pipe:
            self._part()


def _kind(order: Order) -> object:
    """A newer one of the same kind takes the place of one that waits."""
    match order:
        case Check():  # somebody's photo is not replaced by what another asks once a second while aiming
            return Check, order.photo is None
        case Calibrate() | CalibrationEnd():
            return Calibrate
    return type(order)
