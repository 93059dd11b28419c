"""The load cell over HTTP: its trace piece by piece, with the drops, and how it is."""

from flask import Blueprint, Response, jsonify, request

from companion.table.runtime import Runtime


def blueprint(runtime: Runtime) -> Blueprint:
    """`GET /api/v1/sensor?after=N`: points newer than N, where N is `newest` of the answer before."""
    bp = Blueprint("sensor", __name__, url_prefix="/api/v1")

    @bp.get("/sensor")
    def sensor() -> Response:
        after = request.args.get("after", 0, type=int)
        return jsonify(runtime.session.trace(after))

    return bp
