"""A small file of secrets: only its owner reads it, and it is whole or not there."""

import json
from pathlib import Path
from typing import Any

from calibration.written import keep


def keep_private(path: Path, content: dict[str, Any]) -> None:
    """Write it anew, forced to the disk, readable by nobody else. Raises OSError."""
    keep(path, json.dumps(content), private=True)


def kept(path: Path) -> dict[str, Any]:
    """What is there; nothing when it cannot be read."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}
