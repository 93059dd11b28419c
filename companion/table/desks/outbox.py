"""Orders for the sensor process: the newest of each kind waits, and a thread of its own sends it.

A process that hangs takes no orders, and a full pipe blocks its writer: that must be nobody with other things
to do, least of all the thread that listens to the process.
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
"""Orders that somebody gave once and waits for; others the next process knows, or they are repeated."""
_LETTING_GO_S = 3.0


class Outbox:
    """Thread-safe; only `disconnect` and `close` wait for anything."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: dict[object, Order] = {}
        self._pipe: Connection | None = None
        self._sending = self._shut = self._closed = False
        self._thread = threading.Thread(target=self._run, name="sensor orders", daemon=True)

    def start(self) -> None:
        """Begin to send."""
        self._thread.start()

    def put(self, order: Order) -> tuple[bool, Order | None]:
        """Queue an order; while there is no process yet, only one that somebody waits for.

        Return whether it was queued, and the older order that it replaces, if any.
        """
        with self._changed:
            if self._shut or (self._pipe is None and not isinstance(order, _KEPT)):
                return False, None
            kind = _kind(order)
            older = self._waiting.get(kind)
            if not isinstance(order, Expect):  # which stays ahead of the look that was asked for with it
                self._waiting.pop(kind, None)
            self._waiting[kind] = order
            self._changed.notify_all()
            return True, older

    def connect(self, pipe: Connection, first: Order) -> None:
        """Send to this process: `first`, and then all that waits."""
        with self._changed:
            self._pipe = pipe
            self._waiting = {_kind(first): first, **self._waiting}
            self._changed.notify_all()

    def disconnect(self) -> bool:
        """Stop sending, as the process is dead; return whether nobody writes to its pipe any more."""
        with self._changed:
            self._drop_pipe()
            return self._changed.wait_for(lambda: not self._sending, _LETTING_GO_S)

    def has_waiting(self, kind: type[Order]) -> bool:
        """Whether an order of this kind has yet to be sent."""
        with self._changed:
            return any(isinstance(order, kind) for order in self._waiting.values())

    def forget(self, kind: type[Order]) -> None:
        """Drop orders of this kind: whoever gave them has been answered, or the next process knows."""
        with self._changed:
            self._waiting = {
                key: order for key, order in self._waiting.items() if not isinstance(order, kind)
            }

    def shut(self) -> None:
        """Drop all that waits, and queue nothing until `open`."""
        with self._changed:
            self._shut = True
            self._waiting.clear()

    def open(self) -> None:
        """Take orders again."""
        with self._changed:
            self._shut = False

    def put_last(self, order: Order) -> None:
        """Send this order instead of all that waits, and nothing after it."""
        with self._changed:
            self._shut = True
            self._waiting = {_kind(order): order}
            self._changed.notify_all()

    def close(self) -> None:
        """End the thread; idempotent."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(_LETTING_GO_S)

    def _drop_pipe(self) -> None:
        self._pipe = None
        self._waiting = {kind: order for kind, order in self._waiting.items() if isinstance(order, _KEPT)}

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(
                    lambda: self._closed or (self._pipe is not None and bool(self._waiting))
                )
                if self._closed or self._pipe is None:
                    return
                pipe = self._pipe
                kind = next(iter(self._waiting))
                order = self._waiting.pop(kind)
                self._sending = True
            try:
                pipe.send(order)
                was_sent = True
            except OSError:
                was_sent = False
            with self._changed:
                self._sending = False
                if not was_sent:
                    self._requeue(pipe, kind, order)
                self._changed.notify_all()

    def _requeue(self, pipe: Connection, kind: object, order: Order) -> None:
        """Queue an order again that was not sent whole: the process did not die of it, the next one gets
        it."""
        if isinstance(order, _KEPT) and not self._shut:
            self._waiting = {kind: order, **self._waiting}
        if self._pipe is pipe:
            self._drop_pipe()


def _kind(order: Order) -> object:
    """Return the kind of an order: a newer one replaces a waiting one of the same kind."""
    match order:
        case Check():  # somebody's photo must not be replaced by the check that another sends once a second
            return Check, order.photo is None
        case Calibrate() | CalibrationEnd():
            return Calibrate
    return type(order)
