"""URLs as QR codes."""

import io

import segno
from flask import Response


def qr_svg(text: str) -> Response:
    """The QR code as an SVG response; not cached, since codes change."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="svg", scale=4, border=2, xmldecl=False)
    return Response(out.getvalue(), mimetype="image/svg+xml", headers={"Cache-Control": "no-store"})


def qr_uri(text: str) -> str:
    """The QR code as a data URI for an image element."""
    return str(segno.make(text, error="m", micro=False).svg_data_uri(scale=4, border=2, light="#fff"))
