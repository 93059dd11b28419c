"""The HTML pages: one template each in a common frame; everything that changes comes through the API."""

from functools import partial

from flask import Blueprint, Response, render_template

PAGES = {
    "/": "table",
    "/throws": "throws",
    "/statistics": "statistics",
    "/map": "map",
    "/seat": "seat",
    "/sensor": "sensor",
    "/host": "host",
    "/camera": "camera",
    "/watch": "watch",
    "/calibrate": "calibrate",
    "/winter": "winter",
    "/history": "history",
    "/end": "end",
}


def blueprint() -> Blueprint:
    """One route per page."""
    bp = Blueprint("pages", __name__)
    for address, name in PAGES.items():
        bp.add_url_rule(address, endpoint=name, view_func=partial(_page, name))
    return bp


def _page(name: str) -> Response:
    return Response(render_template(f"{name}.html"), headers={"Cache-Control": "no-cache"})
