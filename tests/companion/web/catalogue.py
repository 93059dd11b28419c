"""The pages' messages by key, loaded from the file of each language."""

import json
from pathlib import Path

import companion.web

STATIC = Path(companion.web.__file__).parent / "static"
Message = str | dict[str, str]
"""One text, or one for each plural form."""


def messages(language: str) -> dict[str, Message]:
    path = STATIC / "i18n" / f"{language}.json"
    loaded: dict[str, Message] = json.loads(path.read_text(encoding="utf-8"))
    return loaded
