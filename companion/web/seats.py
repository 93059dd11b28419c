"""Seats over HTTP: a device takes a seat, and only it sees and plans for that seat (C-6, P-7)."""

import ipaddress

from flask import Blueprint, Response, jsonify, request
from pydantic import Field

from companion.table.runtime import Runtime
from companion.web.requests import GameCommand, Request

KEY = "X-Seat-Key"


class FreeSeat(Request):
    """A seat is given free: by its device, or by the computer that serves because its phone is gone."""

    expected: int = Field(default=0, ge=0)


def blueprint(runtime: Runtime) -> Blueprint:
    """`/api/v1/seats`: take, look, plan and act, give free."""
    bp = Blueprint("seats", __name__, url_prefix="/api/v1/seats")
    session, keys = runtime.session, runtime.seats

    @bp.get("")
    def seats() -> Response:
        return jsonify({"seats": session.seats(), "taken": keys.taken(), "host": is_host()})

    @bp.post("/<seat>/take")
    def take(seat: str) -> Response:
        session.seat_view(seat)
        return jsonify({"seat": seat, "key": keys.take(seat, _held())})

    @bp.post("/<seat>/free")
    def free(seat: str) -> Response:
        FreeSeat.model_validate_json(request.get_data() or b"{}")
        if not is_host():
            keys.check(seat, _held())
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


def is_host() -> bool:
    """The page is open on the computer that serves the table."""
    return ipaddress.ip_address(request.remote_addr or "0.0.0.0").is_loopback  # noqa: S104 - compared
