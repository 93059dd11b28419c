"""A small file of secrets: only its owner reads it, and it is whole or not there.

It says which version of it this is. Files of before there was a version are the first.
"""

import json
from pathlib import Path
from typing import Any, Final

from calibration.written import keep
from companion.store.errors import of_newer

VERSION: Final = 1


def keep_private(path: Path, content: dict[str, Any]) -> None:
    """Write it anew, forced to the disk, readable by nobody else. Raises OSError."""
    keep(path, json.dumps({"version": VERSION, **content}), private=True)


def kept(path: Path) -> dict[str, Any]:
    """What is there; nothing when it cannot be read. Raises `StoreError` for what a newer Tenshu wrote: taken
    for damage it would be written over."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(content, dict):
        return {}
    version = content.pop("version", VERSION)
    if isinstance(version, int) and version > VERSION:
        raise of_newer(path)
    return content if version == VERSION else {}
