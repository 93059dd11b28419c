"""Who sends a request: the host (by cookie or header, or by asking from the serving computer), a player who
has joined, or a spectator."""

import re

from flask import Flask, Response, current_app, request

from companion.table.people.access import NotHost, NotJoined
from companion.table.people.devices import Said
from companion.table.runtime import Runtime
from companion.web.limits import is_loopback
from companion.web.requests import readable_name

HOST_COOKIE, JOIN_COOKIE = "tenshu_host", "tenshu_join"
_SECURE_PREFIX = "__Host-"
"""Cookie name prefix over HTTPS: browsers let plain HTTP neither send nor replace such cookies."""
HOST_HEADER, JOIN_HEADER = "X-Host-Key", "X-Join-Token"
DEVICE_HEADER = "X-Device"
SEAT, SEAT_KEY = "X-Seat", "X-Seat-Key"
"""The seat a device holds, and its key: sent with every request, required for what only that seat may do."""
COOKIE_LASTS_S = 30 * 24 * 3600
CAMERA = frozenset(f"/api/v1/camera/{what}" for what in ("take", "frame", "photo", "check", "leave"))
"""A spare phone need not join: it has scanned the host's camera code, which `camera` checks."""
OPEN_TO_ALL = frozenset({"/api/v1/join", "/api/v1/host/enter", "/join", "/recovery/enter"}) | CAMERA
"""Paths that accept requests from devices that have not joined: the code itself, and the host's secret."""
PROXIED = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")
_DEVICE = re.compile(r"[A-Za-z0-9_-]{8,40}")


def watch(app: Flask, runtime: Runtime) -> None:
    """Note every device that sends a request, and refuse commands from devices that have not joined."""

    def note_device() -> None:
        runtime.devices.note_request(device_details(runtime))

    def require_joined() -> None:
        if request.method in ("GET", "HEAD", "OPTIONS") or request.path in OPEN_TO_ALL:
            return
        if not has_joined(runtime):
            raise NotJoined

    app.before_request(note_device)
    app.before_request(require_joined)


def is_host(runtime: Runtime) -> bool:
    """Whether the request carries the host's secret, or comes from the serving computer.

    Behind a local proxy all requests come from loopback, so those that a proxy has marked count as remote.
    """
    if any(map(runtime.access.is_host, _sent_secrets(HOST_HEADER, HOST_COOKIE))):
        return True
    is_local = is_loopback(request.remote_addr or "") and not any(name in request.headers for name in PROXIED)
    return is_local and bool(current_app.config.get("LOOPBACK_IS_HOST", True))


def has_joined(runtime: Runtime) -> bool:
    """Whether the device joined by the code, holds the key of a seat, or is the host."""
    joined = any(map(runtime.access.has_joined, _sent_secrets(JOIN_HEADER, JOIN_COOKIE)))
    inside = joined or runtime.seats.is_key(request.headers.get(SEAT_KEY, ""))
    return inside or is_host(runtime)


def own_seat(runtime: Runtime) -> str | None:
    """The seat whose key the request carries."""
    seat = request.headers.get(SEAT, "")
    return seat if runtime.seats.is_key_of(seat, request.headers.get(SEAT_KEY, "")) else None


def host_only(runtime: Runtime) -> None:
    """Raise `NotHost` unless the request is the host's."""
    if not is_host(runtime):
        raise NotHost


def device_details(runtime: Runtime) -> Said:
    """What this request says about its device."""
    device = request.headers.get(DEVICE_HEADER, "") or request.args.get("device", "")
    return Said(
        id=device if _DEVICE.fullmatch(device) else "",
        name=readable_name(name) if (name := request.args.get("name", "")[:24]) else "",
        page=request.args.get("page", "")[:16],
        address=request.remote_addr or "",
        host=is_host(runtime),
        joined=has_joined(runtime),
    )


def set_secret_cookie(response: Response, name: str, value: str) -> None:
    """Set a secret as a cookie that no script can read and no other site can send."""
    cookie_name = _SECURE_PREFIX + name if request.is_secure else name
    response.set_cookie(
        cookie_name,
        value,
        max_age=COOKIE_LASTS_S,
        httponly=True,
        samesite="Strict",
        secure=request.is_secure,
        path="/",
    )


def _sent_secrets(header: str, cookie: str) -> tuple[str, ...]:
    """The secrets sent with this request: a program's header, or else both cookies of a browser."""
    from_header = request.headers.get(header, "")
    return (
        (from_header,)
        if from_header
        else tuple(request.cookies.get(name, "") for name in (_SECURE_PREFIX + cookie, cookie))
    )
