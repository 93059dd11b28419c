"""A game's keepsake over HTTP: `/api/v1/keepsake.pdf` in the reader's language, `/api/v1/keepsake.json`."""

import threading
from datetime import datetime

from flask import Blueprint, Response, abort, jsonify

from calibration.sheets.fonts import fonts
from companion.games.protocol import Json
from companion.table.log.towerstats import told_rows
from companion.table.runtime import Runtime
from companion.web.keepsake.sheet import Ended, sheet
from companion.web.phrases import language, phrases

_THROWN = ("from_table", "from_tray")


def blueprint(runtime: Runtime) -> Blueprint:
    """Both downloads; they hold nothing that is not open to everybody."""
    bp = Blueprint("keepsake", __name__, url_prefix="/api/v1")
    session = runtime.session
    drawing = threading.Lock()
    newest: dict[str, tuple[Ended, bytes]] = {}
    """The newest sheet in each language, with the data it was drawn from."""

    def sheet_of(ended: Ended) -> bytes:
        """Draw the sheet once and one at a time, or a device that keeps asking would hold up all others."""
        lang = language()
        with drawing:
            if lang not in newest or newest[lang][0] != ended:
                newest[lang] = ended, sheet(ended, phrases(lang), fonts())
            return newest[lang][1]

    @bp.get("/keepsake.pdf")
    def as_pdf() -> Response:
        with session.at():  # all from one table, even if the host switches meanwhile
            ended = collect_data(session.view())
        return _as_attachment(Response(sheet_of(ended), mimetype="application/pdf"), ended.table, "pdf")

    @bp.get("/keepsake.json")
    def as_json() -> Response:
        past = session.past
        with session.at():
            view = session.view()
            export = {
                "table": view["table"],
                "game": view["game"],
                "moments": past.moments(),
                "chapters": past.chapters(),
                "history": past.history(),
                "throws": told_rows(session.events()),
            }
        return _as_attachment(jsonify(export), view["table"], "json")

    def collect_data(view: Json) -> Ended:
        """Collect the data of the sheet. Aborts with 404 if the game has no players to show."""
        game = view["game"] or {}
        if not game.get("players") or not isinstance(game["players"][0], dict):
            abort(404)
        counting = [throw for throw in session.throws() if not throw["undone"]]
        moments = session.past.moments()
        last_ms = moments[-1]["ts_ms"] if moments else 0
        return Ended(
            table=view["table"],
            game=game,
            moments=moments,
            chapters=session.past.chapters(),
            throws=len(counting),
            cubes=sum(sum(throw[pile].values()) for throw in counting for pile in _THROWN),
            date=datetime.fromtimestamp(last_ms / 1000).astimezone().strftime("%Y-%m-%d"),
        )

    return bp


def _as_attachment(response: Response, table: str, ending: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="tenshu-{table}.{ending}"'
    return response
