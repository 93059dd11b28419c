"""Seats over HTTP: a device takes a seat, and only that device sees and plans for it (C-6, P-7)."""

from typing import Annotated

from flask import Blueprint, Response, jsonify, request
from pydantic import Field, StringConstraints

from companion.table.runtime import Runtime
from companion.web.access import DEVICE_HEADER, SEAT, SEAT_KEY, has_joined, is_host
from companion.web.requests import GameCommand, Request

TICKET = "X-Seat-Ticket"


class FreeSeat(Request):
    """What a device sends to free up a seat or to ask for one."""

    expected: int = Field(default=0, ge=0)


class TakeSeat(FreeSeat):
    """What a device sends to take a seat; a key of its own making lets it retry if the answer is lost."""

    key: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{24,64}$")] | None = None


def blueprint(runtime: Runtime) -> Blueprint:
    """`/api/v1/seats`: take a seat, look, plan and act, free it up, ask the host."""
    bp = Blueprint("seats", __name__, url_prefix="/api/v1/seats")
    session, keys, asks = runtime.session, runtime.seats, runtime.handovers

    def check_seat(seat: str) -> None:
        """Check the seat's key and note the device that presented it. Raises `NoKey`, `NobodySits`."""
        keys.check(seat, _sent_key())
        runtime.devices.note_seat(request.headers.get(DEVICE_HEADER, ""), seat)

    @bp.get("")
    def seats() -> Response:
        request_made = asks.status_of(request.headers.get(TICKET, ""))
        seat = request.headers.get(SEAT, "")
        if keys.is_key_of(seat, _sent_key()):
            runtime.devices.note_seat(request.headers.get(DEVICE_HEADER, ""), seat)
        asked = {"seat": request_made[0], "answer": request_made[1].value} if request_made else None
        return jsonify(
            {
                "table": session.table,
                "seats": session.seats(),
                "taken": keys.taken(),
                "host": is_host(runtime),
                "joined": has_joined(runtime),
                "asked": asked,
            }
        )

    @bp.post("/<seat>/take")
    def take(seat: str) -> Response:
        own_key = TakeSeat.model_validate_json(request.get_data() or b"{}").key
        ticket = request.headers.get(TICKET, "")
        with session.at():
            session.seat_view(seat)
            valid_key = next((key for key in (own_key or "", _sent_key()) if keys.is_key_of(seat, key)), "")
            if ticket and not valid_key:
                with asks.use(seat, ticket):
                    key = keys.give(seat, own_key)
                runtime.devices.forget_seats(seat)
            else:
                key = keys.take(seat, valid_key, own_key)
                if not valid_key:  # a ticket granted earlier comes too late
                    asks.drop(seat)
            runtime.devices.note_seat(request.headers.get(DEVICE_HEADER, ""), seat)
            session.wake()
            return jsonify({"table": session.table, "seat": seat, "key": key})

    @bp.post("/<seat>/ask")
    def ask(seat: str) -> Response:
        """Ask the host for a seat that another device holds."""
        session.seat_view(seat)
        body = FreeSeat.model_validate_json(request.get_data() or b"{}")
        ticket = asks.ask(seat, body.author)
        session.wake()
        return jsonify({"seat": seat, "ticket": ticket})

    @bp.post("/<seat>/free")
    def free(seat: str) -> Response:
        FreeSeat.model_validate_json(request.get_data() or b"{}")
        with session.at():
            if not is_host(runtime):
                keys.check(seat, _sent_key())
            _free_seat(runtime, seat)
        return jsonify({"seats": session.seats(), "taken": keys.taken()})

    @bp.get("/<seat>")
    def look(seat: str) -> Response:
        with session.at():
            check_seat(seat)
            return jsonify(session.seat_view(seat))

    @bp.post("/<seat>/commands")
    def command(seat: str) -> Response:
        check_seat(seat)  # only the seat's own device learns what is wrong with its request
        body = GameCommand.model_validate_json(request.get_data())
        with session.at(body.table):
            check_seat(seat)
            session.seat_command(seat, body.command, body.author, body.expected)
            return jsonify(session.seat_view(seat))

    return bp


def _free_seat(runtime: Runtime, seat: str) -> None:
    runtime.seats.free(seat)
    runtime.handovers.drop(seat)
    runtime.devices.forget_seats(seat)
    runtime.session.note_left(seat)


def _sent_key() -> str:
    return request.headers.get(SEAT_KEY, "")
