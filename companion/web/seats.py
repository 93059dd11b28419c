"""Seats over HTTP: a device takes a seat, and only it sees and plans for that seat (C-6, P-7)."""

import hmac
import secrets
import threading

from flask import Blueprint, Response, jsonify, request
from pydantic import Field

from companion.table.errors import TableRefusal
from companion.table.runtime import Runtime
from companion.web.requests import GameCommand, Request

KEY = "X-Seat-Key"


class NoKey(TableRefusal):
    """The seat belongs to another device."""

    status = 403

    def __init__(self, seat: str) -> None:
        sentence = f"Another device sits on {seat}. Give the seat free there, or from the table."
        super().__init__("seat_taken", sentence, seat=seat)


class FreeSeat(Request):
    """The table gives a seat free, for instance because its phone is gone."""

    expected: int = Field(default=0, ge=0)


class SeatKeys:
    """Which device sits where. Kept in memory: after a restart every device takes its seat again."""

    def __init__(self) -> None:
        self._keys: dict[str, str] = {}
        self._lock = threading.Lock()

    def take(self, seat: str, held: str) -> str:
        """A key for a free seat, or the same again for who holds it. Raises `NoKey`."""
        with self._lock:
            there = self._keys.get(seat)
            if there is not None and not hmac.compare_digest(there, held):
                raise NoKey(seat)
            return self._keys.setdefault(seat, there or secrets.token_urlsafe(18))

    def free(self, seat: str) -> None:
        """Nobody sits there any more."""
        with self._lock:
            self._keys.pop(seat, None)

    def check(self, seat: str, held: str) -> None:
        """The device sits there. Raises `NoKey`."""
        with self._lock:
            there = self._keys.get(seat)
        if there is None or not hmac.compare_digest(there, held):
            raise NoKey(seat)

    def taken(self) -> list[str]:
        """Seats with a device."""
        with self._lock:
            return sorted(self._keys)


def blueprint(runtime: Runtime) -> Blueprint:
    """`/api/v1/seats`: take, look, plan and act, give free."""
    bp = Blueprint("seats", __name__, url_prefix="/api/v1/seats")
    session, keys = runtime.session, SeatKeys()

    @bp.get("")
    def seats() -> Response:
        return jsonify({"seats": session.seats(), "taken": keys.taken()})

    @bp.post("/<seat>/take")
    def take(seat: str) -> Response:
        session.seat_view(seat)
        return jsonify({"seat": seat, "key": keys.take(seat, _held())})

    @bp.post("/<seat>/free")
    def free(seat: str) -> Response:
        FreeSeat.model_validate_json(request.get_data() or b"{}")
        keys.free(seat)
        return jsonify({"seats": session.seats(), "taken": keys.taken()})

    @bp.get("/<seat>")
    def look(seat: str) -> Response:
        keys.check(seat, _held())
        return jsonify(session.seat_view(seat))

    @bp.post("/<seat>/commands")
    def command(seat: str) -> Response:
        keys.check(seat, _held())
        body = GameCommand.model_validate_json(request.get_data())
        session.seat_command(seat, body.command, body.author, body.expected)
        return jsonify(session.seat_view(seat))

    return bp


def _held() -> str:
    return request.headers.get(KEY, "")
