"""The HTTP API, version 1: the table, its events, commands, throws and pictures."""

from collections.abc import Callable
from typing import Any, TypeVar

from flask import Blueprint, Response, abort, jsonify, request

from companion.games.protocol import Colour
from companion.table.errors import TableRefusal
from companion.table.runtime import Runtime
from companion.web.access import device_details, own_seat
from companion.web.requests import Correct, GameCommand, Hold, Pages, Preview, Request, Settle, check_table
from companion.web.streams import Streams

Model = TypeVar("Model", bound=Request)
_FULL = TableRefusal("full", "Too many devices are connected. Close one and wait.")


def blueprint(runtime: Runtime, streams: Streams, view: Callable[[], dict[str, Any]]) -> Blueprint:
    """`/api/v1/table`, `events`, `commands` and their like; `view` builds the public view of the table."""
    bp = Blueprint("api", __name__, url_prefix="/api/v1")
    _add_reading_routes(bp, runtime, view)
    _add_stream_route(bp, runtime, streams)
    _add_command_routes(bp, runtime)
    return bp


def _add_reading_routes(bp: Blueprint, runtime: Runtime, view: Callable[[], dict[str, Any]]) -> None:
    session = runtime.session

    @bp.get("/table")
    def table() -> Response:
        return jsonify(view())

    @bp.get("/legal")
    def legal() -> Response:
        return jsonify(session.table_legal())

    @bp.get("/throws")
    def throws() -> Response:
        page = Pages.model_validate(request.args.to_dict())
        earlier = [throw for throw in session.throws() if page.before is None or throw["batch"] < page.before]
        newest = earlier[: page.last]
        return jsonify({"throws": newest, "older": len(earlier) - len(newest)})

    @bp.get("/looks/<int:number>.jpg")
    def look(number: int) -> Response:
        return _jpeg_response(session.picture(number))

    @bp.get("/evidence/<name>")
    def evidence(name: str) -> Response:
        return _jpeg_response(runtime.evidence.read(name))


def _add_stream_route(bp: Blueprint, runtime: Runtime, streams: Streams) -> None:
    @bp.get("/events")
    def events() -> Response:
        address = request.remote_addr or ""
        if not streams.enter(address):
            response = jsonify({"error": _FULL.body})
            response.headers["Retry-After"] = "5"
            response.status_code = 503
            return response
        last_id = request.headers.get("Last-Event-ID") or request.args.get("after", "")  # pages cannot set it
        after = streams.after(last_id)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        device = device_details(runtime)
        runtime.devices.note_stream_opened(device)
        response = Response(streams.events(after), mimetype="text/event-stream", headers=headers)
        # Not in the generator: one that never started (HEAD, a device gone at once) runs no `finally`.
        response.call_on_close(lambda: streams.leave(address))
        response.call_on_close(lambda: runtime.devices.note_stream_closed(device.id))
        return response


def _add_command_routes(bp: Blueprint, runtime: Runtime) -> None:
    session = runtime.session

    @bp.post("/commands")
    def command() -> Response:
        body = _parse_body(GameCommand, runtime)
        with session.at(body.table):
            own, held = own_seat(runtime), runtime.seats.taken()
            session.command(body.command, body.author, body.expected, own, held)
        return jsonify(session.view())

    @bp.post("/settle")
    def settle() -> Response:
        body = _parse_body(Settle, runtime)
        counts = {Colour(colour): number for colour, number in body.counts.items()}
        with session.at(body.table):
            session.settle(counts, body.author, body.expected, body.look, body.insist)
        return jsonify(session.view())

    @bp.post("/preview")
    def preview() -> Response:
        body = _parse_body(Preview, runtime)
        counts = {Colour(colour): number for colour, number in body.counts.items()}
        with session.at(body.table):
            return jsonify(session.preview(counts, body.expected, body.batch))

    @bp.post("/hold")
    def hold() -> Response:
        body = _parse_body(Hold, runtime)
        with session.at(body.table):
            session.hold(body.expected, body.look)
        return jsonify(session.view())

    @bp.post("/correct")
    def correct() -> Response:
        body = _parse_body(Correct, runtime)
        counts = {Colour(colour): number for colour, number in body.counts.items()}
        with session.at(body.table):
            session.correct(body.batch, counts, body.reason, body.author, body.expected)
        return jsonify(session.view())

    @bp.post("/look")
    def look_again() -> Response:
        _parse_body(Request, runtime)
        runtime.look_again()
        return jsonify(session.view())

    @bp.post("/demo/fall")
    def fall() -> Response:
        _parse_body(Request, runtime)
        if not runtime.demo:
            raise TableRefusal("not_demo", "Cubes only fall by themselves in the demo.")
        runtime.let_fall()
        return jsonify(session.view())


def _parse_body(model: type[Model], runtime: Runtime) -> Model:
    """Parse the request's JSON. Raises pydantic's error, 415, or `Outdated` if it is for another table."""
    if not request.is_json:
        abort(415)
    body = model.model_validate_json(request.get_data())
    check_table(body, runtime.session.table)
    return body


def _jpeg_response(jpeg: bytes | None) -> Response:
    if jpeg is None:
        abort(404)
    headers = {"Cache-Control": "private, max-age=31536000, immutable"}
    return Response(jpeg, mimetype="image/jpeg", headers=headers)
