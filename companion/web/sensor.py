"""The load cell over HTTP: its trace in increments with the drops, its health, and its zero and scale."""

from typing import Annotated

from flask import Blueprint, Response, jsonify, request
from pydantic import BaseModel, ConfigDict, Field

from companion.table.desks.scaledesk import Word
from companion.table.runtime import Runtime
from companion.web.access import host_only, is_host


class Lying(BaseModel):
    """How many cubes lie on the tray, with nothing else on it."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    cubes: Annotated[int, Field(ge=1, le=999, strict=True)]


class Since(BaseModel):
    """Which points of the trace to return; an invalid value returns all of them."""

    model_config = ConfigDict(frozen=True)
    after: int = 0
    """Only points newer than this: `newest` of the previous answer."""


def blueprint(runtime: Runtime) -> Blueprint:
    """`/api/v1/sensor`, `sensor/tare` and `sensor/calibrate`."""
    bp = Blueprint("sensor", __name__, url_prefix="/api/v1/sensor")
    desk = runtime.scale

    @bp.get("")
    def sensor() -> Response:
        after = request.args.get("after", Since().after, type=int)
        return jsonify({**runtime.session.trace(after), "host": is_host(runtime), "told": desk.view()})

    @bp.post("/tare")
    def tare() -> Response:
        """Set the empty tray as zero; the board's answer appears as `told` of the trace."""
        host_only(runtime)
        desk.ask(Word.TARE)
        return jsonify(desk.view())

    @bp.post("/calibrate")
    def calibrate() -> Response:
        """Set the board's scale and the weight of a cube from the number of cubes on the tray."""
        host_only(runtime)
        desk.ask(Word.CALIBRATE, Lying.model_validate_json(request.get_data()).cubes)
        return jsonify(desk.view())

    return bp
