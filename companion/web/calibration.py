"""The guided calibration over HTTP: what the camera sees, the current step, and the person's answers."""

from datetime import UTC, datetime
from typing import Annotated

from flask import Blueprint, Response, abort, jsonify, request
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from calibration.profiles.naming import LONGEST, normalised_name
from companion.measures import COLOUR, CUBE_LEAST_MM, CUBE_MOST_MM, SIDE_LEAST_MM, SIDE_MOST_MM
from companion.table.messages import (
    Calibrate,
    CalibrationAnswer,
    CalibrationEnd,
    CalibrationKeep,
)
from companion.table.runtime import Runtime
from vision.scene.drawn import DrawnOutline, Shape


def _check_name(name: str) -> str:
    cleaned = normalised_name(name)
    if cleaned is None:
        raise ValueError("no name for a tray")
    return cleaned


Name = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST), AfterValidator(_check_name)]
Colour = Annotated[str, StringConstraints(pattern=COLOUR, to_lower=True)]

Side = Annotated[float, Field(ge=SIDE_LEAST_MM, le=SIDE_MOST_MM)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    author: str = Field(default="", max_length=24)
    table: str = Field(default="", max_length=40)


class Begin(_Body):
    """The tray and cubes to calibrate; without colours, the six of Shogun."""

    name: Name = "table"
    colours: Annotated[tuple[Colour, ...], Field(max_length=8)] = ()
    cube_mm: Annotated[float, Field(ge=CUBE_LEAST_MM, le=CUBE_MOST_MM)] | None = None
    inner_mm: tuple[Side, Side] | None = None
    """Width and depth of the tray's floor; null for the usual one, or for what the mat measures."""


Share = Annotated[float, Field(ge=-1.0, le=2.0, allow_inf_nan=False)]
"""A fraction of the picture's side; below 0 or above 1 lies outside the picture."""


class Outline(BaseModel):
    """The tray's floor as drawn by a person on the picture of the empty tray."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    shape: Shape
    handles: tuple[tuple[Share, Share], tuple[Share, Share], tuple[Share, Share], tuple[Share, Share]]
    """Corners of a square floor, clockwise from top left, or ends of an oval one, clockwise from the top."""

    def drawn(self) -> DrawnOutline:
        """The outline as the calibration takes it."""
        return DrawnOutline(self.shape, self.handles)


class Answer(_Body):
    """The answer to a step: done, or yes or no; for the tray's floor optionally a corrected outline."""

    yes: bool
    asked: Annotated[int, Field(ge=0)]
    outline: Outline | None = None


class Use(_Body):
    """The tray to read from now on; null for none."""

    name: Name | None


class Remove(_Body):
    """The tray to delete."""

    name: Name


class Rename(_Body):
    """A new name for a tray."""

    name: Name
    to: Name


def blueprint(runtime: Runtime) -> Blueprint:
    """`/api/v1/calibration`."""
    bp = Blueprint("calibration", __name__, url_prefix="/api/v1/calibration")
    desk = runtime.calibration

    @bp.get("")
    def look() -> Response:
        return jsonify(desk.view())

    @bp.get("/live.jpg")
    def live() -> Response:
        return _jpeg_response(desk.live())

    @bp.get("/steps/<step>.jpg")
    def step(step: str) -> Response:
        return _jpeg_response(desk.step_jpeg(step))

    @bp.post("/begin")
    def begin() -> Response:
        body = Begin.model_validate_json(request.get_data())
        made = datetime.now(UTC).isoformat(timespec="seconds")
        desk.begin(Calibrate(body.name, made, body.colours, body.cube_mm, body.inner_mm))
        return jsonify(desk.view())

    @bp.post("/answer")
    def answer() -> Response:
        body = Answer.model_validate_json(request.get_data())
        drawn = None if body.outline is None else body.outline.drawn()
        desk.order(CalibrationAnswer(body.yes, body.asked, drawn))
        return jsonify(desk.view())

    @bp.post("/keep")
    def keep() -> Response:
        desk.order(CalibrationKeep())
        return jsonify(desk.view())

    @bp.post("/end")
    def end() -> Response:
        desk.order(CalibrationEnd())
        return jsonify(desk.view())

    @bp.post("/use")
    def use() -> Response:
        desk.use(Use.model_validate_json(request.get_data()).name)
        return jsonify(desk.view())

    @bp.post("/remove")
    def remove() -> Response:
        desk.remove(Remove.model_validate_json(request.get_data()).name)
        return jsonify(desk.view())

    @bp.post("/rename")
    def rename() -> Response:
        body = Rename.model_validate_json(request.get_data())
        desk.rename(body.name, body.to)
        return jsonify(desk.view())

    return bp


def _jpeg_response(jpeg: bytes | None) -> Response:
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})
