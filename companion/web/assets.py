"""Static files under URLs that contain a hash of their content, so that browsers can cache them for good.

A page is about thirty files, and without caching every page requested most of them again. Modules import each
other by relative URL, so the edition in the first one's URL holds for all. Each file is read once: edits show
after the next start, and a new version installed over a running one never mixes with it.

The first page of an evening loads over the room's Wi-Fi, so text files are gzipped and the page lists all its
modules at once; otherwise a browser discovers some only from those that import them, one round trip each.
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

_MAX_AGE_S = 365 * 24 * 3600
_DIGITS = 12
_TEXTS = {".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml"}
"""Types of the files that are gzipped; fixed here, since some systems map these suffixes to other types."""
_IMPORT = re.compile(r'^(?:import|export)\b[^"]*"\./([^"]+)";', re.MULTILINE)


def serve(app: Flask) -> None:
    """Register the routes, and make `asset(name)` and `modules(name)` available to the templates."""
    folder = Path(app.static_folder or "")
    current = edition(folder)
    files = _load_files(folder)

    def file(asked: str, name: str) -> Response:
        if name not in files:
            abort(404)
        text = _TEXTS.get(Path(name).suffix)
        gzips = text is not None and asked == current and request.accept_encodings["gzip"] > 0
        content = _gzipped(folder, name) if gzips else files[name]
        response = Response(content, mimetype=text or guess_type(name)[0])
        if gzips:
            response.content_encoding = "gzip"
        if asked == current:
            response.cache_control.public, response.cache_control.max_age = True, _MAX_AGE_S
            response.cache_control.immutable = True
        else:  # a page that was opened before the last start
            response.cache_control.no_cache = True
        if text:
            response.vary.add("Accept-Encoding")
        return response

    bp = Blueprint("assets", __name__)
    bp.add_url_rule("/static/of/<asked>/<path:name>", endpoint="file", view_func=file)
    app.register_blueprint(bp)
    templates = _load_files(Path(app.root_path, str(app.template_folder)))
    app.jinja_env.loader = DictLoader({name: content.decode() for name, content in templates.items()})
    app.jinja_env.globals["asset"] = lambda name: f"/static/of/{current}/{name}"
    app.jinja_env.globals["modules"] = lambda name: modules(folder, name)


@lru_cache
def edition(folder: Path) -> str:
    """Return a hash of all files below the folder, as they were at the first call, in hexadecimal digits."""
    digest = hashlib.sha256()
    for name, content in _load_files(folder).items():
        digest.update(f"{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:_DIGITS]


@lru_cache
def _load_files(folder: Path) -> Mapping[str, bytes]:
    """Return every file's content by relative path, as it was at the first call."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@cache
def _gzipped(folder: Path, name: str) -> bytes:
    return gzip.compress(_load_files(folder)[name], mtime=0)


@cache
def modules(folder: Path, name: str) -> tuple[str, ...]:
    """Return the file names of all modules that this one imports, directly or not, the nearest first."""
    found = [name]
    for module in found:  # grows during the loop
        text = _load_files(folder)[module].decode()
        found += [imported for imported in _IMPORT.findall(text) if imported not in found]
    return tuple(found[1:])
