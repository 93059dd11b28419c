"""The past over HTTP: history in words, moments of the map, chapters, and undo, with a vote where needed."""

from flask import Blueprint, Response, abort, jsonify, request

from companion.table.past.undoing import Wish
from companion.table.runtime import Runtime
from companion.web.access import SEAT, SEAT_KEY, host_only, is_host
from companion.web.requests import Answer, Pages, Undo


def blueprint(runtime: Runtime) -> Blueprint:
    """`/api/v1/history`, `moments`, `chapters`, `undo`."""
    bp = Blueprint("past", __name__, url_prefix="/api/v1")
    _add_history_routes(bp, runtime)
    _add_undo_routes(bp, runtime)
    return bp


def _add_history_routes(bp: Blueprint, runtime: Runtime) -> None:
    past = runtime.session.past

    @bp.get("/history")
    def history() -> Response:
        pages = Pages.model_validate(request.args.to_dict())
        page = past.page(pages.last, pages.before)
        return jsonify({"entries": page.entries, "older": page.older})

    @bp.get("/moments")
    def moments() -> Response:
        return jsonify({"moments": past.moments()})

    @bp.get("/moments/<int:batch>")
    def moment(batch: int) -> Response:
        view = past.moment(batch)
        if view is None:
            abort(404)
        return jsonify({"batch": batch, "game": view})

    @bp.get("/chapters")
    def chapters() -> Response:
        return jsonify(past.chapters())


def _add_undo_routes(bp: Blueprint, runtime: Runtime) -> None:
    session, keys = runtime.session, runtime.seats

    @bp.get("/undo/<int:batch>")
    def what_goes(batch: int) -> Response:
        return jsonify({**session.past.what_goes(batch), "seats": keys.taken(), "host": is_host(runtime)})

    @bp.post("/undo")
    def undo() -> Response:
        body = Undo.model_validate_json(request.get_data())
        wish, host = Wish(body.batch, body.author, body.reason), is_host(runtime)
        with session.at(body.table):
            if session.past.is_setting(body.batch):
                host_only(runtime)
            taken = keys.taken()
            if not body.agreed:
                session.undo(wish, body.expected)
            elif taken and not host:
                session.ask_undo(wish, body.expected, taken, proven_seat())
            else:
                session.undo(wish, body.expected, [body.author])
        return jsonify(session.view())

    @bp.post("/seats/<seat>/answer")
    def answer(seat: str) -> Response:
        keys.check(seat, request.headers.get(SEAT_KEY, ""))
        body = Answer.model_validate_json(request.get_data())
        with session.at(body.table):
            keys.check(seat, request.headers.get(SEAT_KEY, ""))
            session.answer_undo(seat, body.batch, body.yes, body.expected)
        return jsonify(session.view())

    def proven_seat() -> str | None:
        seat = request.headers.get(SEAT, "")
        if seat:
            keys.check(seat, request.headers.get(SEAT_KEY, ""))
        return seat or None
