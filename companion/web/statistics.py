"""The tower's statistics over HTTP: figures for the page, and every throw as a table to download."""

from flask import Blueprint, Response, jsonify, request

from companion.days import today
from companion.games.protocol import Json
from companion.table.log.spreadsheet import MEDIA_TYPE, to_xlsx
from companion.table.log.throwlog import Row, to_csv
from companion.table.log.towerstats import TowerLog, told_rows
from companion.table.runtime import Runtime
from companion.web.access import host_only

ALL, GAME = "all", "game"
OF = (GAME, ALL)
"""Values of `?of=`: this game or all tables; anything but `all` means the current game."""


def blueprint(runtime: Runtime) -> Blueprint:
    """`/api/v1/statistics`, `throwlog.xlsx`, `throwlog.csv`, `throwlog.json`; `?of=all` for all tables."""
    bp = Blueprint("statistics", __name__, url_prefix="/api/v1")
    log, session = TowerLog(runtime.tables), runtime.session

    @bp.get("/statistics")
    def statistics() -> Response:
        return jsonify(figures())

    @bp.get("/throwlog.csv")
    def as_csv() -> Response:
        return _download(to_csv(requested_rows()), "text/csv", "csv")

    @bp.get("/throwlog.xlsx")
    def as_xlsx() -> Response:
        return _download(to_xlsx(requested_rows()), MEDIA_TYPE, "xlsx")

    @bp.get("/throwlog.json")
    def as_json() -> Response:
        response = jsonify({"throws": requested_rows()})
        response.headers["Content-Disposition"] = _attachment("json")
        return response

    def figures() -> Json:
        if _is_all_tables():
            return log.figures_of_all()
        with session.at():  # the host may switch tables meanwhile
            table, events = session.table, session.events()
        return log.figures(table, events)

    def requested_rows() -> list[Row]:
        """Return the rows; those of all tables are host only, since they name who counted and who fought."""
        if not _is_all_tables():
            return told_rows(session.events())
        host_only(runtime)
        return log.rows_of_all()

    return bp


def _is_all_tables() -> bool:
    return request.args.get("of") == ALL


def _download(content: str | bytes, mimetype: str, ending: str) -> Response:
    return Response(content, mimetype=mimetype, headers={"Content-Disposition": _attachment(ending)})


def _attachment(ending: str) -> str:
    return f'attachment; filename="tenshu-throws-{today()}.{ending}"'
