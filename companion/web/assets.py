"""The site's own files at addresses that name what they hold: a browser that has one does not ask again.

A page is some thirty files, and every page asked for most of them anew. The modules name each other relative
to themselves, so the first one says for all which edition it is. What is edited shows after the next start.
"""

import hashlib
from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Flask, Response, send_from_directory

_KEPT_S = 365 * 24 * 3600
_DIGITS = 12


def serve(app: Flask) -> None:
    """Add the addresses, and `asset(name)` to the pages."""
    folder = Path(app.static_folder or "")
    now = edition(folder)

    def file(asked: str, name: str) -> Response:
        answer = send_from_directory(folder, name, max_age=_KEPT_S if asked == now else 0)
        answer.cache_control.immutable = asked == now  # of another edition: a page that is open since before
        return answer

    bp = Blueprint("assets", __name__)
    bp.add_url_rule("/static/of/<asked>/<path:name>", endpoint="file", view_func=file)
    app.register_blueprint(bp)
    app.jinja_env.globals["asset"] = lambda name: f"/static/of/{now}/{name}"


@lru_cache
def edition(folder: Path) -> str:
    """Of all files in a folder and its folders, as they are when first asked: hexadecimal digits."""
    told = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        held = path.read_bytes()
        told.update(f"{path.relative_to(folder).as_posix()} {len(held)}\n".encode())
        told.update(held)
    return told.hexdigest()[:_DIGITS]
