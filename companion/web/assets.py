"""The site's own files at addresses that name what they hold: a browser that has one does not ask again.

A page is some thirty files, and every page asked for most of them anew. The modules name each other relative
to themselves, so the first one says for all which edition it is. What is edited shows after the next start.

The first page of an evening comes over the room's Wi-Fi: its texts are packed, and it names all of its
modules at once: else a browser hears of some only from those that need them, one round trip after another.
"""

import gzip
import hashlib
import re
from functools import cache, lru_cache
from pathlib import Path

from flask import Blueprint, Flask, Response, request, send_from_directory

_KEPT_S = 365 * 24 * 3600
_DIGITS = 12
_TEXTS = {".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml"}
"""What is packed, and what it is told as: on some computers a table of the system's says otherwise."""
_IMPORT = re.compile(r'^(?:import|export)\b[^"]*"\./([^"]+)";', re.MULTILINE)


def serve(app: Flask) -> None:
    """Add the addresses, and `asset(name)` and `modules(name)` to the pages."""
    folder = Path(app.static_folder or "")
    now = edition(folder)
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.suffix in _TEXTS}

    def file(asked: str, name: str) -> Response:
        text = _TEXTS.get(Path(name).suffix)
        if asked == now and name in names and request.accept_encodings["gzip"] > 0:
            answer = Response(_packed(folder / name), mimetype=text)
            answer.content_encoding = "gzip"
            answer.cache_control.public, answer.cache_control.max_age = True, _KEPT_S
        else:
            kept_s = _KEPT_S if asked == now else 0
            answer = send_from_directory(folder, name, max_age=kept_s, mimetype=text)
        answer.cache_control.immutable = asked == now  # of another edition: a page that is open since before
        if text:
            answer.vary.add("Accept-Encoding")
        return answer

    bp = Blueprint("assets", __name__)
    bp.add_url_rule("/static/of/<asked>/<path:name>", endpoint="file", view_func=file)
    app.register_blueprint(bp)
    app.jinja_env.globals["asset"] = lambda name: f"/static/of/{now}/{name}"
    app.jinja_env.globals["modules"] = lambda name: modules(folder, name)


@lru_cache
def edition(folder: Path) -> str:
    """Of all files in a folder and its folders, as they are when first asked: hexadecimal digits."""
    told = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        held = path.read_bytes()
        told.update(f"{path.relative_to(folder).as_posix()} {len(held)}\n".encode())
        told.update(held)
    return told.hexdigest()[:_DIGITS]


@cache
def _packed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), mtime=0)


@cache
def modules(folder: Path, name: str) -> tuple[str, ...]:
    """All modules that one needs, in turn: file names, the nearest first."""
    found = [name]
    for one in found:  # which grows meanwhile
        text = (folder / one).read_text(encoding="utf-8")
        found += [other for other in _IMPORT.findall(text) if other not in found]
    return tuple(found[1:])
