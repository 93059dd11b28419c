"""Addresses as pictures to scan."""

import io

import segno
from flask import Response


def qr_svg(text: str) -> Response:
    """As an SVG picture, not to be kept by the browser: codes change."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="svg", scale=4, border=2, xmldecl=False)
    return Response(out.getvalue(), mimetype="image/svg+xml", headers={"Cache-Control": "no-store"})


def qr_uri(text: str) -> str:
    """As an address that an image element shows at once."""
    return str(segno.make(text, error="m", micro=False).svg_data_uri(scale=4, border=2, light="#fff"))
