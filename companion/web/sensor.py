"""The load cell over HTTP: its trace piece by piece, with the drops, how it is, and its zero and scale."""

from typing import Annotated

from flask import Blueprint, Response, jsonify, request
from pydantic import BaseModel, ConfigDict, Field

from companion.table.desks.scaledesk import Word
from companion.table.runtime import Runtime
from companion.web.access import host_only, is_host


class Lying(BaseModel):
    """So many cubes lie on the tray, and nothing else."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    cubes: Annotated[int, Field(ge=1, le=999, strict=True)]


class Since(BaseModel):
    """Which points of the trace are wanted; who asks nonsense gets all of them."""

    model_config = ConfigDict(frozen=True)
    after: int = 0
    """Newer than this one: `newest` of the answer before."""


def blueprint(runtime: Runtime) -> Blueprint:
    """`GET /api/v1/sensor?after=N`: points newer than N, where N is `newest` of the answer before."""
    bp = Blueprint("sensor", __name__, url_prefix="/api/v1/sensor")
    desk = runtime.scale

    @bp.get("")
    def sensor() -> Response:
        after = request.args.get("after", Since().after, type=int)
        return jsonify({**runtime.session.trace(after), "host": is_host(runtime), "told": desk.view()})

    @bp.post("/tare")
    def tare() -> Response:
        """The empty tray is zero; what the board answers is in `told` of the trace."""
        host_only(runtime)
        desk.ask(Word.TARE)
        return jsonify(desk.view())

    @bp.post("/calibrate")
    def calibrate() -> Response:
        """So many cubes lie there: the board's scale, and what a cube weighs."""
        host_only(runtime)
        desk.ask(Word.CALIBRATE, Lying.model_validate_json(request.get_data()).cubes)
        return jsonify(desk.view())

    return bp
