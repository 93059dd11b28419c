"""`/recovery`: plain pages and forms without scripts, for when everything else is off or broken.

Everybody sees the game as it stands, to continue on paper; only the host sees more or changes anything.
"""

import shutil
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, current_app, render_template, request

from companion.store.errors import StoreError
from companion.table.errors import TableRefusal
from companion.table.files.backups import restore_copy
from companion.table.files.rescue import rescue
from companion.table.naming import hide_paths
from companion.table.runtime import Runtime
from companion.web.access import HOST_COOKIE, host_only, is_host, set_secret_cookie
from companion.web.phrases import LANGUAGES, Say, language, phrases

_KILOBYTE = 1 << 10
_FEW = 10 * _KILOBYTE
"""Sizes below this stay in the smaller unit."""
_MISSING_MESSAGES = {"damaged": "host.restored_without", "unkept": "host.restored_unkept"}
"""Counts of pictures missing from a restored table, with the message for each."""

_CAMERA_NAMES = {
    "phone": "camera.a_phone",
    "a phone": "camera.a_phone",
    "demo": "camera.demo",
    "embedded pictures": "camera.demo",
    "none": "no_camera",
}
"""Names of cameras that the program chose, with their messages, as in `words.js`."""


def blueprint(runtime: Runtime) -> Blueprint:
    """The recovery page and its forms."""
    bp = Blueprint("recovery", __name__, url_prefix="/recovery")

    @bp.get("")
    def page() -> Response:
        return _recovery_page(runtime, sentence=_missing_pictures_sentence())

    @bp.post("/enter")
    def enter() -> Response:
        key = request.form.get("key", "").strip().rpartition("#")[2][:100]
        if not runtime.access.is_host(key):
            return _recovery_page(runtime, "error.wrong_host_key", status=403)
        response = _redirect()
        set_secret_cookie(response, HOST_COOKIE, key)
        return response

    @bp.post("/open")
    def open_table() -> Response:
        return _run_as_host(runtime, lambda: runtime.open_table(_asked_table()))

    @bp.post("/rescue")
    def go_on() -> Response:
        def work() -> None:
            name, _, _ = rescue(runtime.tables, _asked_table())
            runtime.open_table(name)

        return _run_as_host(runtime, work)

    @bp.post("/copy")
    def take_up() -> Response:
        def work() -> str:
            path = runtime.copies.path(request.form.get("copy", ""))
            if path is None:
                raise TableRefusal("no_such_table", "There is no such table.")
            restored = restore_copy(path, runtime.tables, runtime.evidence)
            runtime.open_table(restored.name)
            return _query_of({key: getattr(restored, key) for key in _MISSING_MESSAGES})

        return _run_as_host(runtime, work)

    @bp.post("/sensors")
    def sensors() -> Response:
        return _run_as_host(
            runtime, runtime.without_sensors if "off" in request.form else runtime.restart_sensors
        )

    @bp.post("/out")
    def out() -> Response:
        return _run_as_host(runtime, runtime.access.send_all_out)

    @bp.post("/seat")
    def seat() -> Response:
        """Issue a new link for a seat; the old phone's key stops working."""
        host_only(runtime)
        name = request.form.get("seat", "")
        runtime.session.seat_view(name)
        ticket = runtime.issue_seat(name)
        url = current_app.config["JOIN_URL"] or request.host_url
        return _recovery_page(runtime, link=f"{url}join#{runtime.access.code()}.{name}.{ticket}")

    return bp


def _run_as_host(runtime: Runtime, work: Callable[[], str | None]) -> Response:
    """Run `work` as host and redirect, so that a reload repeats nothing; its result is added to the query."""
    host_only(runtime)
    try:
        message = work()
    except TableRefusal as refusal:
        return _recovery_page(runtime, f"error.{refusal.key}", refusal.sentence, refusal.status)
    except StoreError as error:
        message = hide_paths(f"{error.sentence} {error.remedy}")
        return _recovery_page(runtime, f"error.{error.key}", message, error.status)
    return _redirect(message or "")


def _asked_table() -> str:
    return request.form.get("table", "")[:40]


def _redirect(query: str = "") -> Response:
    return Response(status=303, headers={"Location": f"/recovery?lang={language()}{query}"})


def _query_of(numbers: dict[str, int]) -> str:
    """The counts as further parameters of the page's query string."""
    return "".join(f"&{key}={n}" for key, n in numbers.items() if n > 0)


def _missing_counts() -> dict[str, int]:
    """How many pictures the restored copy is missing, by cause, read from the query string."""
    return {key: request.args.get(key, 0, type=int) for key in _MISSING_MESSAGES}


def _missing_pictures_sentence() -> str:
    say = phrases(language())
    return " ".join(say(_MISSING_MESSAGES[key], n=n) for key, n in _missing_counts().items() if n > 0)


def _recovery_page(
    runtime: Runtime, key: str = "", sentence: str = "", status: int = 200, link: str = ""
) -> Response:
    code = language()
    say = phrases(code)
    message = say(key) if key and say(key) != key else sentence
    data = _page_data(runtime, say)
    data |= {"numbers": _query_of(_missing_counts())}
    page = render_template(
        "recovery.html", t=say, lang=code, languages=LANGUAGES, told=message, link=link, **data
    )
    return Response(page, status=status, headers={"Cache-Control": "no-store"})


def _page_data(runtime: Runtime, say: Say) -> dict[str, Any]:
    view = runtime.session.view()
    data: dict[str, Any] = {"table": view["table"], "game": view["game"], "host": is_host(runtime)}
    if data["host"]:
        taken = runtime.seats.taken()
        data |= {
            "expected": view["expected"],
            "camera": _camera_text(say, view["health"]["camera"]),
            "sensor": _sensor_text(say, view["health"]["sensor"]),
            "trouble": runtime.trouble and say(f"error.{runtime.trouble.key}"),
            "pid": runtime.sensor_pid,
            "tables": runtime.tables.cards(),
            "copies": [(copy.name, _size_text(say, copy.kb)) for copy in runtime.copies.all()],
            "seats": runtime.session.seats(),
            "taken": taken,
            "ghosts": runtime.devices.seats_without_device(taken),
            "devices": runtime.devices.all(),
            "join": current_app.config["JOIN_URL"],
            "code": runtime.access.code(),
            "free": _free_space(runtime, say),
        }
    return data


def _camera_text(say: Say, camera: dict[str, str]) -> str:
    """The camera's name and its trouble, in the words of the other pages (`cameraName`, `troubleText`)."""
    named = _CAMERA_NAMES.get(camera["name"], f"author.{camera['name']}")
    name = say(named) if say(named) != named else camera["name"]
    key = f"trouble.{camera['key']}"
    if say(key) == key:
        return f"{name} {camera['sentence']} {camera['remedy']}".rstrip()
    file = say("lead", what=camera["file"]) if camera["file"] else ""
    return f"{name} · {file}{say(key)}"


def _sensor_text(say: Say, sensor: dict[str, str]) -> str:
    """The load cell's trouble, in the words of the other pages (`cellTroubleText`)."""
    key = f"cell.trouble.{sensor['name']}"
    sentence = f"{sensor['sentence']} {sensor['remedy']}".strip()
    return say(key, port=sensor["port"], sentence=sentence) if say(key) != key else sentence


def _free_space(runtime: Runtime, say: Say) -> str:
    """Free disk space; empty if the system does not tell it."""
    try:
        return _size_text(say, shutil.disk_usage(runtime.tables.folder).free // _KILOBYTE)
    except OSError:
        return ""


def _size_text(say: Say, kilobytes: int) -> str:
    """A size in the unit a person would choose, in the reader's language."""
    size = kilobytes
    for unit in ("kb", "mb"):
        if size < _FEW:
            return say(f"recovery.size_{unit}", n=size)
        size //= _KILOBYTE
    return say("recovery.size_gb", n=size)
