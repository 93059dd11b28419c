"""A seat goes from one phone to another: the new phone asks, the host agrees, the old key stops working.

Requests are only in memory: after a restart one has to ask again.
"""

import hmac
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from companion.table.errors import TableRefusal

LASTS_MS = 15 * 60 * 1000
MOST = 20


class Answer(StrEnum):
    """What became of a request."""

    WAITING = "waiting"
    AGREED = "agreed"
    REFUSED = "refused"


class NotAgreed(TableRefusal):
    """The host has not agreed, or the ticket was used or is too old."""

    status = 403

    def __init__(self) -> None:
        super().__init__("ask_gone", "The host has not agreed to this, or it was too long ago. Ask again.")


@dataclass(frozen=True, slots=True)
class Ask:
    """A request for a seat that another device holds."""

    number: int
    seat: str
    name: str
    ticket: str
    """The secret of the device that asks."""
    since_ms: int
    answer: Answer = Answer.WAITING

    def as_json(self) -> dict[str, Any]:
        """Return the request for the host's page, without the ticket."""
        return {"number": self.number, "seat": self.seat, "name": self.name, "since_ms": self.since_ms}


class Handovers:
    """Requests for taken seats; thread-safe."""

    def __init__(self, wall_ms: Callable[[], int]) -> None:
        self._wall_ms = wall_ms
        self._lock = threading.Lock()
        self._asks: dict[int, Ask] = {}
        self._numbers = 0

    def ask(self, seat: str, name: str) -> str:
        """Ask the host for a seat; return the ticket to come back with. Raises `TableRefusal`."""
        with self._lock:
            self._drop_expired()
            if len(self._asks) >= MOST:
                self._forget_refused()
            if len(self._asks) >= MOST:
                raise TableRefusal("asks_full", "Too many phones are asking for seats. Wait for the host.")
            return self._add_ask(seat, name, Answer.WAITING).ticket

    def issue(self, seat: str) -> str:
        """Return a ticket for the host to give out: it gives its bearer the seat, and voids older ones."""
        with self._lock:
            self._drop_expired()
            self._drop_seat(seat)
            return self._add_ask(seat, "", Answer.AGREED).ticket

    def answer(self, number: int, agree: bool) -> Ask:
        """Record the host's answer. Raises `NotAgreed` if nobody asks any more."""
        with self._lock:
            self._drop_expired()
            ask = self._asks.get(number)
            if ask is None:
                raise NotAgreed
            self._asks[number] = replace(ask, answer=Answer.AGREED if agree else Answer.REFUSED)
            return self._asks[number]

    def status_of(self, ticket: str) -> tuple[str, Answer] | None:
        """Return the seat that a ticket is for and how it stands; None if it is no longer a ticket."""
        with self._lock:
            self._drop_expired()
            ask = self._find(ticket)
            return (ask.seat, ask.answer) if ask else None

    @contextmanager
    def use(self, seat: str, ticket: str) -> Iterator[None]:
        """Use a ticket, which works once: it stays usable if what is done with it fails. Raises
        `NotAgreed`."""
        with self._lock:
            self._drop_expired()
            ask = self._find(ticket)
            if ask is None or ask.seat != seat or ask.answer is not Answer.AGREED:
                raise NotAgreed
            yield
            self._drop_seat(seat)

    def drop(self, seat: str | None = None) -> None:
        """Forget what was asked for a seat, or for all of them."""
        with self._lock:
            self._drop_seat(seat)

    def waiting(self) -> list[Ask]:
        """Return what the host has to answer, oldest first."""
        with self._lock:
            self._drop_expired()
            return [ask for ask in self._asks.values() if ask.answer is Answer.WAITING]

    def _add_ask(self, seat: str, name: str, answer: Answer) -> Ask:
        self._numbers += 1
        ask = Ask(self._numbers, seat, name, secrets.token_urlsafe(18), self._wall_ms(), answer)
        self._asks[ask.number] = ask
        return ask

    def _find(self, ticket: str) -> Ask | None:
        matches = [a for a in self._asks.values() if hmac.compare_digest(a.ticket.encode(), ticket.encode())]
        return matches[0] if matches else None

    def _forget_refused(self) -> None:
        """Forget refused requests, kept only while there is room: a phone that keeps asking blocks nobody."""
        self._asks = {n: ask for n, ask in self._asks.items() if ask.answer is not Answer.REFUSED}

    def _drop_seat(self, seat: str | None) -> None:
        self._asks = {n: ask for n, ask in self._asks.items() if seat is not None and ask.seat != seat}

    def _drop_expired(self) -> None:
        now = self._wall_ms()
        # A clock that is set back must not make the quarter of an hour longer.
        self._asks = {n: ask for n, ask in self._asks.items() if abs(now - ask.since_ms) < LASTS_MS}
