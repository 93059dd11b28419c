"""Messages that the server writes itself, from the catalogues of the pages, as the browser asks."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

from flask import request

LANGUAGES = ("en", "ru", "ro", "fr", "de")
_FOLDER = Path(__file__).parent / "static" / "i18n"
Say = Callable[..., str]


def language() -> str:
    """Asked for in the address, or by the browser; English otherwise."""
    asked = request.args.get("lang", "")
    return asked if asked in LANGUAGES else request.accept_languages.best_match(LANGUAGES) or "en"


def phrases(code: str) -> Say:
    """`say(key, **params)`; the key itself when there is no such message."""
    messages = _messages(code)

    def say(key: str, **params: object) -> str:
        text = messages.get(key, key)
        for name, value in params.items():
            text = text.replace(f"{{{name}}}", str(value))
        return text

    return say


@cache
def _messages(code: str) -> dict[str, str]:
    """Those without plurals: what is chosen by number is the browser's."""
    loaded = json.loads((_FOLDER / f"{code}.json").read_text(encoding="utf-8"))
    return {key: text for key, text in loaded.items() if isinstance(text, str)}
