"""The application factory: registers the blueprints and answers every refusal in one form."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask, Request, Response, jsonify, render_template, request
from pydantic import ValidationError
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from companion.store.errors import StoreError
from companion.table.errors import TableRefusal
from companion.table.naming import hide_paths
from companion.table.runtime import Runtime
from companion.table.session import BROKE
from companion.web import (
    access,
    api,
    assets,
    backups,
    calibration,
    camera,
    host,
    joining,
    mat,
    pages,
    past,
    recovery,
    seats,
    sensor,
    statistics,
)
from companion.web.guard import ForeignHost, guard
from companion.web.keepsake import routes as keepsake
from companion.web.limits import limit
from companion.web.openapi import document as openapi
from companion.web.phrases import language, phrases
from companion.web.streams import Streams

MAX_BODY_BYTES = 64 * 1024
NOT_THIS_NAME = "Tenshu does not answer to this name. Use the address that it shows when it starts."
SENTENCES = {
    400: "This request did not come from this table's own pages. Open the table's page again.",
    403: "This is not allowed from here. Open the table's own page.",
    404: "There is no such page.",
    405: "This address does not accept that kind of request.",
    413: "That is too much to send at once.",
    415: "Send commands as JSON, pictures as pictures.",
    429: "Too many requests. Wait a moment.",
    500: BROKE,
}
"""English sentences of the HTTP errors; pages say `error.http_CODE` in their own language."""


class _BoundedRequest(Request):
    """Refuses chunked bodies over the limit: they state no length, and werkzeug would only truncate them."""

    def get_data(self, *args: Any, **more: Any) -> Any:
        """Return the whole body. Raises 413."""
        data = super().get_data(*args, **more)
        most = self.max_content_length
        if self.content_length is None and most is not None and len(data) >= most:
            raise RequestEntityTooLarge
        return data


def create_app(runtime: Runtime, max_streams: int = 80, clock: Callable[[], float] = time.monotonic) -> Flask:
    """Create the whole site of one table; `clock` drives the rate limits per address."""
    app = Flask("companion.web", static_folder="static", template_folder="pages")
    app.request_class = _BoundedRequest
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 0
    app.config["JOIN_URL"] = ""
    app.config["SECURE_URL"] = ""
    app.jinja_env.trim_blocks = True
    app.json.sort_keys = False  # type: ignore[attr-defined] # Flask's default provider has it
    assets.serve(app)
    guard(app)
    limit(app, clock)
    access.watch(app, runtime)
    view = partial(_table_view, app, runtime)
    app.register_blueprint(api.blueprint(runtime, Streams(runtime, max_streams, view), view))
    app.register_blueprint(past.blueprint(runtime))
    app.register_blueprint(seats.blueprint(runtime))
    app.register_blueprint(joining.blueprint(runtime))
    app.register_blueprint(host.blueprint(runtime))
    app.register_blueprint(sensor.blueprint(runtime))
    app.register_blueprint(keepsake.blueprint(runtime))
    app.register_blueprint(statistics.blueprint(runtime))
    app.register_blueprint(backups.blueprint(runtime))
    app.register_blueprint(recovery.blueprint(runtime))
    app.register_blueprint(calibration.blueprint(runtime))
    app.register_blueprint(camera.blueprint(runtime))
    app.register_blueprint(mat.blueprint())
    app.register_blueprint(openapi.blueprint())
    app.register_blueprint(pages.blueprint())
    app.register_error_handler(TableRefusal, lambda error: _handle_refusal(runtime, error))
    app.register_error_handler(StoreError, _handle_store_error)
    app.register_error_handler(ValidationError, _handle_invalid_body)
    app.register_error_handler(HTTPException, _handle_http_error)
    return app


def _table_view(app: Flask, runtime: Runtime) -> dict[str, Any]:
    """The table with what a page needs beside it; answered to requests and sent in events."""
    extras = {"asks": len(runtime.handovers.waiting()), "demo": runtime.demo}
    config = {"join_url": app.config["JOIN_URL"], "edition": assets.edition(Path(app.static_folder or ""))}
    return {**runtime.session.view(), **extras, **config}


def answer(status: int, key: str, sentence: str) -> tuple[Response, int]:
    """Return a refusal in its one form: a key to translate, its parameters, and the sentence in English."""
    return jsonify({"error": TableRefusal(key, sentence).body}), status


def _handle_refusal(runtime: Runtime, error: TableRefusal) -> tuple[Response, int]:
    if _wants_html():
        return _error_page(error.key, error.sentence), error.status
    return jsonify({"error": error.body, "table": runtime.session.view()}), error.status


def _handle_store_error(error: StoreError) -> tuple[Response, int]:
    return answer(error.status, error.key, hide_paths(f"{error.sentence} {error.remedy}"))


def _handle_invalid_body(error: ValidationError) -> tuple[Response, int]:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or "body"
    return answer(422, "not_understood", f"The request was not understood ({where}: {first['msg']}).")


def _handle_http_error(error: HTTPException) -> tuple[Response, int]:
    code = error.code or 500
    key, sentence = f"http_{code}", SENTENCES.get(code, error.name + ".")
    if isinstance(error, ForeignHost):
        key, sentence = "foreign_host", NOT_THIS_NAME
    response = _error_page(key, sentence) if _wants_html() else answer(code, key, sentence)[0]
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    if request.method == "HEAD":
        response.set_data(b"")
    return response, code


def _wants_html() -> bool:
    """Whether the request was opened in a browser: programs and the pages' scripts do not accept HTML."""
    return not request.path.startswith("/api/") and "text/html" in request.headers.get("Accept", "")


def _error_page(key: str, sentence: str) -> Response:
    say = phrases(language())
    message = say(f"error.{key}") if say(f"error.{key}") != f"error.{key}" else sentence
    page = render_template("refused.html", t=say, lang=language(), told=message, away=key == "foreign_host")
    return Response(page, headers={"Cache-Control": "no-store"})
