"""A small file of secrets: only its owner reads it, and it is whole or not there."""

import json
import os
from pathlib import Path
from typing import Any


def keep_private(path: Path, content: dict[str, Any]) -> None:
    """Write it anew, forced to the disk, readable by nobody else. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(content, file)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def kept(path: Path) -> dict[str, Any]:
    """What is there; nothing when it cannot be read."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
