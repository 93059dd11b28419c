"""A phone as the camera, over HTTP: take the role, send frames, send one photo, see what the reader sees."""

import time
from typing import Annotated, Any

from flask import Blueprint, Response, abort, current_app, jsonify, request
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from companion.table.errors import TableRefusal
from companion.table.messages import NO_CAMERA, PHONE, PICTURES_COME_KEYS, Checked
from companion.table.people.access import NotJoined
from companion.table.runtime import Runtime
from companion.table.throw.readings import reading_json
from companion.web.access import has_joined, host_only, is_host
from companion.web.qr import qr_svg
from companion.web.requests import Author

KEY, INVITE = "X-Camera-Key", "X-Camera-Invite"
MOST_FRAME_BYTES = 2 * 1024 * 1024
MOST_PHOTO_BYTES = 16 * 1024 * 1024
FRAME_TYPES = frozenset({"image/jpeg"})
PHOTO_TYPES = FRAME_TYPES | {"image/png", "image/webp", "image/heic", "image/heif", "image/avif"}
"""The last three cannot be decoded; they are accepted so that the answer can name the remedy."""
AIMING_MS, RESTING_MS = 125, 400
"""Delay until the phone's next picture: while a throw is awaited, and otherwise (to save its battery)."""

LIGHTS = ("settling", "locked", "partly", "free")
"""States of exposure and white balance that a phone's page may report."""
_FRESH_S = 0.5


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TakeCamera(_Body):
    """A device's request to become the camera."""

    author: Author = "someone"
    invite: Annotated[str, StringConstraints(max_length=64)] = ""


class CameraAddress(_Body):
    """Address of a network camera; null selects the camera that Tenshu was started with."""

    address: Annotated[str, StringConstraints(max_length=300)] | None = Field(default=None)


def blueprint(runtime: Runtime) -> Blueprint:
    """`/api/v1/camera`."""
    bp = Blueprint("camera", __name__, url_prefix="/api/v1/camera")
    _add_role_routes(bp, runtime)
    _add_picture_routes(bp, runtime)
    return bp


def _add_role_routes(bp: Blueprint, runtime: Runtime) -> None:
    desk = runtime.camera

    @bp.get("")
    def state() -> Response:
        """Which camera is in use, its health, and how this device could become it."""
        return jsonify(_camera_state(runtime))

    @bp.get("/invite.svg")
    def invite() -> Response:
        """A QR code for the host to show; the device that scans it may become the camera."""
        link = _camera_state(runtime)["invite"]
        if link is None:
            abort(404)
        return qr_svg(link)

    @bp.post("/take")
    def take() -> Response:
        """Become the camera."""
        body = TakeCamera.model_validate_json(request.get_data())
        health = runtime.session.view()["health"]["camera"]
        is_broken = bool(health["sentence"]) and health["key"] not in PICTURES_COME_KEYS
        vacant = desk.camera in (NO_CAMERA, PHONE) or is_broken
        may_take = is_host(runtime) or (has_joined(runtime) and vacant)
        return jsonify({"key": desk.take(body.author, body.invite, _key(), may_take)})

    @bp.post("/leave")
    def leave() -> Response:
        """Stop being the camera."""
        desk.leave(_key())
        return jsonify(_camera_state(runtime))

    @bp.post("/address")
    def address() -> Response:
        """Switch to a network camera, or back to the first camera; host only."""
        host_only(runtime)
        body = CameraAddress.model_validate_json(request.get_data())
        if body.address is None:
            desk.use_home()
        else:
            desk.use_address(body.address)
        return jsonify(_camera_state(runtime))


def _add_picture_routes(bp: Blueprint, runtime: Runtime) -> None:
    desk, session = runtime.camera, runtime.session
    phases = _CachedPhase(runtime)

    @bp.post("/frame")
    def frame() -> Response:
        """Receive the newest picture."""
        light = request.args.get("light", "")
        desk.feed(_key(), _read_picture(FRAME_TYPES, MOST_FRAME_BYTES), light if light in LIGHTS else "")
        phase = phases.now()
        return jsonify({"next_ms": RESTING_MS if phase == "idle" else AIMING_MS, "phase": phase})

    @bp.post("/photo")
    def photo() -> Response:
        """Read one photo of the settled tray and use it as the look of the throw that is awaited.

        `late`: while the photo was being read, that throw was settled by hand.
        """
        _check_may_look(runtime)
        awaited = session.awaited_throw()
        checked = desk.check(_read_picture(PHOTO_TYPES, MOST_PHOTO_BYTES))
        looked = checked.looked is not None and session.take_look(checked.looked, awaited)
        late = awaited is not None and checked.looked is not None and not looked
        return jsonify({**_checked_json(checked), "looked": looked, "late": late})

    @bp.post("/check")
    def check() -> Response:
        """What the reader sees in the newest picture, as an aid for aiming; the table does not change."""
        _check_may_look(runtime)
        return jsonify(_checked_json(desk.check()))


class _CachedPhase:
    """The table's phase, cached for `_FRESH_S`: a whole view for each picture would cost too much."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._cached = ("", 0.0)

    def now(self) -> str:
        """The phase as the view has it."""
        phase, since = self._cached
        if not phase or time.monotonic() - since > _FRESH_S:
            phase = str(self._runtime.session.view()["phase"])
            self._cached = (phase, time.monotonic())
        return phase


def _key() -> str:
    return request.headers.get(KEY, "")


def _check_may_look(runtime: Runtime) -> None:
    """Let through players who have joined, the camera, and holders of its invite. Raises `NotJoined`."""
    invite = request.headers.get(INVITE, "")
    if not (has_joined(runtime) or runtime.camera.is_camera(_key()) or runtime.camera.invites(invite)):
        raise NotJoined


def _read_picture(types: frozenset[str], most: int) -> bytes:
    """The request body: of one of `types`, at most `most` bytes. Raises 413, 415, 422."""
    request.max_content_length = most
    if request.mimetype not in types:
        abort(415)
    data = request.get_data()
    if len(data) < 4:
        raise TableRefusal("no_picture_sent", "No picture was sent.")
    return data


def _camera_state(runtime: Runtime) -> dict[str, Any]:
    view = runtime.session.view()
    secure = current_app.config["SECURE_URL"]
    invite = runtime.camera.invite if is_host(runtime) else None
    return {
        **runtime.camera.state(_key()),
        "start": view["start"],
        "health": view["health"]["camera"],
        "phase": view["phase"],
        "host": is_host(runtime),
        "secure": {
            "url": f"{secure}camera",
            "authority": current_app.config.get("AUTHORITY_PRINT", ""),
        }
        if secure
        else None,
        "invite": f"{secure}camera#k={invite}" if secure and invite else None,
    }


def _checked_json(checked: Checked) -> dict[str, Any]:
    looked = checked.looked
    reason = {"key": checked.key, "sentence": checked.sentence, "remedy": checked.remedy}
    if looked is None:
        return {"reading": None, "read_ms": None, **reason}
    doubts = () if looked.reading.certain else looked.reading.doubts
    return {
        "reading": reading_json(looked.reading, doubts),
        "read_ms": round(looked.read_ms, 1),
        **reason,
    }
