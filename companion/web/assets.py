"""The site's own files at addresses that name what they hold: a browser that has one does not ask again.

A page is some thirty files, and every page asked for most of them anew. The modules name each other relative
to themselves, so the first one says for all which edition it is. What is edited shows after the next start:
each is read once, so that a new version put over the files of one that runs never mixes with it.

The first page of an evening comes over the room's Wi-Fi: its texts are packed, and it names all of its
modules at once: else a browser hears of some only from those that need them, one round trip after another.
"""

import gzip
import hashlib
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from mimetypes import guess_type
from pathlib import Path

from flask import Blueprint, Flask, Response, abort, request
from jinja2 import DictLoader

_KEPT_S = 365 * 24 * 3600
_DIGITS = 12
_TEXTS = {".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml"}
"""What is packed, and what it is told as: on some computers a table of the system's says otherwise."""
_IMPORT = re.compile(r'^(?:import|export)\b[^"]*"\./([^"]+)";', re.MULTILINE)


def serve(app: Flask) -> None:
    """Add the addresses, and `asset(name)` and `modules(name)` to the pages."""
    folder = Path(app.static_folder or "")
    now = edition(folder)
    held = _held(folder)

    def file(asked: str, name: str) -> Response:
        if name not in held:
            abort(404)
        text = _TEXTS.get(Path(name).suffix)
        packs = text is not None and asked == now and request.accept_encodings["gzip"] > 0
        told = _packed(folder, name) if packs else held[name]
        answer = Response(told, mimetype=text or guess_type(name)[0])
        if packs:
            answer.content_encoding = "gzip"
        if asked == now:
            answer.cache_control.public, answer.cache_control.max_age = True, _KEPT_S
            answer.cache_control.immutable = True
        else:  # a page that is open since before
            answer.cache_control.no_cache = True
        if text:
            answer.vary.add("Accept-Encoding")
        return answer

    bp = Blueprint("assets", __name__)
    bp.add_url_rule("/static/of/<asked>/<path:name>", endpoint="file", view_func=file)
    app.register_blueprint(bp)
    frames = _held(Path(app.root_path, str(app.template_folder)))
    app.jinja_env.loader = DictLoader({name: content.decode() for name, content in frames.items()})
    app.jinja_env.globals["asset"] = lambda name: f"/static/of/{now}/{name}"
    app.jinja_env.globals["modules"] = lambda name: modules(folder, name)


@lru_cache
def edition(folder: Path) -> str:
    """Of all files in a folder and its folders, as they are when first asked: hexadecimal digits."""
    told = hashlib.sha256()
    for name, content in _held(folder).items():
        told.update(f"{name} {len(content)}\n".encode())
        told.update(content)
    return told.hexdigest()[:_DIGITS]


@lru_cache
def _held(folder: Path) -> Mapping[str, bytes]:
    """Every file by its name, as it is when first asked."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@cache
def _packed(folder: Path, name: str) -> bytes:
    return gzip.compress(_held(folder)[name], mtime=0)


@cache
def modules(folder: Path, name: str) -> tuple[str, ...]:
    """All modules that one needs, in turn: file names, the nearest first."""
    found = [name]
    for one in found:  # which grows meanwhile
        text = _held(folder)[one].decode()
        found += [other for other in _IMPORT.findall(text) if other not in found]
    return tuple(found[1:])
