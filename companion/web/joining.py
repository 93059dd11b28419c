"""Joining a table with a code of six letters, scanned or typed; also works without JavaScript."""

from flask import Blueprint, Response, abort, current_app, jsonify, redirect, render_template, request
from pydantic import BaseModel, ConfigDict, Field

from companion.table.people.access import TooManyTries, WrongCode
from companion.table.runtime import Runtime
from companion.web.access import JOIN_COOKIE, has_joined, set_secret_cookie
from companion.web.qr import qr_svg


class Join(BaseModel):
    """The code as typed."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    code: str = Field(max_length=40)


def blueprint(runtime: Runtime) -> Blueprint:
    """`/join` and `/api/v1/join`."""
    bp = Blueprint("joining", __name__)

    def token_for(code: str) -> str:
        return runtime.access.join(code, request.remote_addr or "")

    @bp.get("/api/v1/join")
    def state() -> Response:
        """Where to join; the code only for devices that have joined."""
        inside = has_joined(runtime)
        code = runtime.access.code() if inside else None
        return jsonify({"joined": inside, "url": current_app.config["JOIN_URL"], "code": code})

    @bp.post("/api/v1/join")
    def join() -> Response:
        token = token_for(Join.model_validate_json(request.get_data()).code)
        response = jsonify({"token": token})
        set_secret_cookie(response, JOIN_COOKIE, token)
        return response

    @bp.get("/api/v1/join.svg")
    def code_picture() -> Response:
        """The address as a QR code; includes the code for devices that have joined."""
        url = current_app.config["JOIN_URL"]
        if not url:
            abort(404)
        return qr_svg(f"{url}join#{runtime.access.code()}" if has_joined(runtime) else url)

    @bp.get("/join")
    def page() -> Response:
        return _join_page(None)

    @bp.post("/join")
    def typed() -> Response:
        """Handle the form, for browsers without scripts."""
        try:
            token = token_for(request.form.get("code", "")[:40])
        except (WrongCode, TooManyTries) as refusal:
            return _join_page(refusal)
        response = redirect("/seat", 303)
        set_secret_cookie(response, JOIN_COOKIE, token)  # type: ignore[arg-type] # a redirect of werkzeug's
        return response  # type: ignore[return-value]

    return bp


def _join_page(refusal: WrongCode | TooManyTries | None) -> Response:
    page = render_template("join.html", refused=refusal)
    status = refusal.status if refusal else 200
    return Response(page, status=status, headers={"Cache-Control": "no-store"})
