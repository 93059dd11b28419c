"""A game as one file over HTTP: downloaded by the host's browser, and restored from an upload."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Blueprint, Response, jsonify, request, send_file

from companion.days import today
from companion.store.backup import MOST_PICTURES_BYTES, SUFFIX
from companion.store.errors import not_saved_error
from companion.table.files.backups import restore, save_table
from companion.table.runtime import Runtime
from companion.web.access import host_only

MOST_BYTES = MOST_PICTURES_BYTES + (40 << 20)
"""The largest file that is ever saved: the events compress to a tenth."""
_IN_MEMORY = 4 << 20
_CHUNK = 1 << 20


def blueprint(runtime: Runtime) -> Blueprint:
    """`/api/v1/host/tables/<name>/backup` and `/api/v1/host/restore`."""
    bp = Blueprint("backups", __name__, url_prefix="/api/v1/host")
    bp.before_request(lambda: host_only(runtime))

    @bp.get("/tables/<name>/backup")
    def backup(name: str) -> Response:
        file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed with the response
        with _temporary_file():
            try:
                save_table(file, runtime.tables, runtime.evidence, name)
            except BaseException:
                file.close()
                raise
        file.seek(0)
        name_offered = f"{name}-{today()}{SUFFIX}"
        response = send_file(
            file, "application/zip", as_attachment=True, download_name=name_offered, conditional=False
        )
        response.headers["Cache-Control"] = "no-store"  # it holds all secret plans
        return response

    @bp.post("/restore")
    def take_up() -> Response:
        """Restore the file in the body; answer the new table's name and how many pictures were left out."""
        request.max_content_length = MOST_BYTES
        with _temporary_file(), tempfile.SpooledTemporaryFile(_IN_MEMORY) as file:
            while chunk := request.stream.read(_CHUNK):
                file.write(chunk)
            file.seek(0)
            restored = restore(file, runtime.tables, runtime.evidence)
        return jsonify({"name": restored.name, "damaged": restored.damaged, "unkept": restored.unkept})

    return bp


@contextmanager
def _temporary_file() -> Iterator[None]:
    """Raise `StoreError` where the folder for temporary files is full or cannot be written."""
    try:
        yield
    except OSError as error:
        raise not_saved_error(error) from error
