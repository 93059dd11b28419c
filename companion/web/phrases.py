"""Messages rendered by the server, from the pages' catalogues, in the language the browser asks for."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

from flask import request

LANGUAGES = {"en": "English", "ru": "Русский", "ro": "Română", "fr": "Français", "de": "Deutsch"}
"""Languages with their own names, as in `i18n.js`."""
_FOLDER = Path(__file__).parent / "static" / "i18n"
Say = Callable[..., str]


def language() -> str:
    """Return the language from `?lang=`, else the best match for the browser, else English."""
    asked = request.args.get("lang", "")
    return asked if asked in LANGUAGES else request.accept_languages.best_match(LANGUAGES) or "en"


def phrases(code: str) -> Say:
    """Return `say(key, **params)` for this language; it gives the key itself if there is no such message."""
    messages = _messages(code)

    def say(key: str, **params: object) -> str:
        message = messages.get(key, key)
        number = params.get("n", 0)
        text = message if isinstance(message, str) else message[plural(code, int(str(number)))]
        for name, value in params.items():
            text = text.replace(f"{{{name}}}", str(value))
        return text

    return say


def plural(code: str, number: int) -> str:
    """Return the plural category of a whole number (Unicode CLDR), as `Intl.PluralRules` in browsers does."""
    if code == "ru":
        ten, hundred = number % 10, number % 100
        if ten == 1 and hundred != 11:
            return "one"
        return "few" if ten in (2, 3, 4) and hundred not in (12, 13, 14) else "many"
    if code == "ro":
        few = number == 0 or 2 <= number % 100 <= 19 or (number != 1 and number % 100 == 1)
        return "one" if number == 1 else "few" if few else "other"
    return "one" if number == 1 or (code == "fr" and number == 0) else "other"


@cache
def _messages(code: str) -> dict[str, str | dict[str, str]]:
    loaded: dict[str, str | dict[str, str]] = json.loads(
        (_FOLDER / f"{code}.json").read_text(encoding="utf-8")
    )
    return loaded
