"""Request and response security: allowed hosts and origins, and security headers."""

import ipaddress
import socket
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request
from werkzeug.exceptions import BadRequest
from werkzeug.http import parse_date

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=(), payment=()",
}


TRUSTWORTHY = {"Cross-Origin-Opener-Policy": "same-origin"}
"""Sent only over trustworthy origins; elsewhere browsers ignore it and warn in the console."""


class ForeignHost(BadRequest):
    """The Host header is not one of our names: a name given by the router, or that of a foreign page."""


def guard(app: Flask) -> None:
    """Refuse foreign hosts and origins, and add the headers to every response."""
    app.before_request(_cut_long_lists)
    app.before_request(_check_host)
    app.before_request(_check_origin)
    app.before_request(_drop_invalid_dates)
    app.after_request(_add_headers)


def is_own_host(host: str) -> bool:
    """Whether a Host header can mean this machine on a home network.

    A foreign page can make its own name resolve to us (DNS rebinding), but not an IP address or our name.
    """
    name = urlsplit(f"//{host}").hostname or ""
    host_name = socket.gethostname().lower()
    if name in ("localhost", host_name, f"{host_name}.local") or name.endswith(".localhost"):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_trustworthy() -> bool:
    return request.is_secure or request.host.rpartition(":")[0] in ("localhost", "127.0.0.1", "[::1]")


def _check_host() -> None:
    try:
        known = is_own_host(request.host)
    except ValueError:
        known = False
    if not known:
        raise ForeignHost


def _check_origin() -> None:
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    origin = request.headers.get("Origin")
    if origin is not None and not _is_own_origin(origin):
        abort(403)
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        abort(403)


_LISTS = ("HTTP_ACCEPT", "HTTP_ACCEPT_ENCODING", "HTTP_ACCEPT_LANGUAGE")
_LONGEST_LIST = 1000
"""Several times what browsers send; to parse 60 kB takes as long as to answer a hundred requests."""


def _cut_long_lists() -> None:
    for name in _LISTS:
        if len(sent := request.environ.get(name, "")) > _LONGEST_LIST:
            request.environ[name] = sent[:_LONGEST_LIST]


_DATES = ("HTTP_IF_MODIFIED_SINCE", "HTTP_IF_UNMODIFIED_SINCE", "HTTP_IF_RANGE")


def _drop_invalid_dates() -> None:
    """Drop date headers whose year Python cannot represent, as invalid dates are ignored anyway."""
    for name in _DATES:
        try:
            parse_date(request.environ.get(name))
        except OverflowError:
            del request.environ[name]


def _is_own_origin(origin: str) -> bool:
    try:
        return urlsplit(origin).netloc == request.host
    except ValueError:  # a malformed IPv6 address
        return False


def _add_headers(response: Response) -> Response:
    headers = {**HEADERS, **TRUSTWORTHY} if _is_trustworthy() else HEADERS
    for name, value in headers.items():
        response.headers.setdefault(name, value)
    if request.path.startswith("/api/"):
        response.headers.setdefault("Cache-Control", "no-store")
    return response
