"""A small file of secrets, readable only by its owner and written atomically.

It contains its format version; files without one are version 1.
"""

import json
from pathlib import Path
from typing import Any, Final

from calibration.written import write_atomically
from companion.store.errors import newer_file_error

VERSION: Final = 1


def keep_private(path: Path, content: dict[str, Any]) -> None:
    """Replace the file, synced to disk and readable by nobody else. Raise OSError."""
    write_atomically(path, json.dumps({"version": VERSION, **content}), private=True)


def read_private(path: Path) -> dict[str, Any]:
    """Return the content, or an empty dict if it cannot be read.

    Raise `StoreError` for a newer Tenshu's file, which would otherwise be overwritten as damaged."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(content, dict):
        return {}
    version = content.pop("version", VERSION)
    if isinstance(version, int) and version > VERSION:
        raise newer_file_error(path)
    return content if version == VERSION else {}
