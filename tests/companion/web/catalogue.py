"""What pages say, by key, as it stands in the file of each language."""

import json
from pathlib import Path

import companion.web

STATIC = Path(companion.web.__file__).parent / "static"
Message = str | dict[str, str]
"""One text, or one for each form of a number."""


def messages(language: str) -> dict[str, Message]:
    path = STATIC / "i18n" / f"{language}.json"
    loaded: dict[str, Message] = json.loads(path.read_text(encoding="utf-8"))
    return loaded
