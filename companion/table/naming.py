"""What pages call a camera: without this machine's folders and without a network camera's password."""

import re
from dataclasses import replace
from pathlib import PurePath

from companion.table.messages import CameraSays
from vision.addresses import url_name

_QUOTED_PATH = re.compile(r"(['\"])((?:/|[A-Za-z]:\\)[^'\"]*)\1")
_PATH = re.compile(r"(?<![\w:/.])(?:/|[A-Za-z]:\\)(?!dev/)[^\s'\",;:]*[^\s'\",;:.]")
"""Neither what follows a URL's scheme or host, nor a device: that names a plug, not a person's folder."""


def public_name(camera: str) -> str:
    """Return a camera's spec as everyone may see it."""
    if "://" in camera:
        return url_name(camera)
    path = camera.partition("?")[0]
    return camera if path.startswith("/dev/") else PurePath(path).name or camera


def without_path(says: CameraSays, camera: str) -> CameraSays:
    """Return the same report without the folders that lead to a file standing in for a camera."""

    def strip_folders(text: str) -> str:
        return hide_paths(text.replace(path, public_name(camera)) if len(path) > 1 else text)

    path = camera.partition("?")[0] if "://" not in camera else ""
    return replace(
        says,
        name=strip_folders(says.name),
        sentence=strip_folders(says.sentence),
        remedy=strip_folders(says.remedy),
    )


def hide_paths(text: str) -> str:
    """Return the sentence with only the last part of each path."""
    quoted = _QUOTED_PATH.sub(lambda found: found[1] + _file_name(found[2]) + found[1], text)
    return _PATH.sub(lambda found: _file_name(found[0]), quoted)


def _file_name(path: str) -> str:
    return re.split(r"[/\\]", path.rstrip("/\\"))[-1]
