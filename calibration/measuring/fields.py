"""Single values of `labels.json`, each accepted as it is or rejected by its field's name, never guessed."""

import os
import reprlib
from collections.abc import Mapping

from vision.finding.detector import COLOURS

Entry = Mapping[str, object]
MOST_CUBES = 9999
"""Upper bound of a count: ten times what any tower holds."""


class FieldError(ValueError):
    """A field has an invalid value; the message names the field."""


def _field_error(field: str, value: object, wanted: str) -> FieldError:
    return FieldError(f"`{field}` is {reprlib.repr(value)}, not {wanted}")


def whole_number(value: object, field: str, most: int) -> int:
    """Return a whole number from 0 to `most`; 3.0 counts as 3, since spreadsheets write it so."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise _field_error(field, value, f"a whole number from 0 to {most}")
    return value


def bounded_number(entry: Entry, field: str, least: float, most: float) -> float:
    """Return a number from `least` to `most`, compared before `float`: hundreds of digits overflow it."""
    value = entry[field]
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not least <= value <= most:
        raise _field_error(field, value, f"a number from {least:g} to {most:g}")
    return float(value)


def yes_or_no(entry: Entry, field: str) -> bool | None:
    """Return a boolean, or None if the field is absent."""
    value = entry.get(field)
    if value is not None and not isinstance(value, bool):
        raise _field_error(field, value, "true or false")
    return value


def word(entry: Entry, field: str, otherwise: str) -> str:
    """Return a string, or `otherwise` if the field is absent."""
    value = entry.get(field)
    if value is not None and not isinstance(value, str):
        raise _field_error(field, value, "a word")
    return otherwise if value is None else value


def file_name(value: object, field: str) -> str:
    """Return a string that can be a file name."""
    if not isinstance(value, str) or not value or not _is_encodable(value):
        raise _field_error(field, value, "the name of a file")
    return value


def _is_encodable(name: str) -> bool:
    try:
        return b"\0" not in name.encode() and b"\0" not in os.fsencode(name)
    except UnicodeEncodeError:  # lone surrogate
        return False


def file_names(entry: Entry, field: str) -> tuple[str, ...]:
    """Return one or more file names."""
    value = entry[field]
    if not isinstance(value, list) or not value:
        raise _field_error(field, value, "a list of file names")
    return tuple(file_name(name, field) for name in value)


def counts(value: object, field: str) -> dict[str, int]:
    """Return cubes per colour. Rejects `Red`, which would never match the reader's `red`."""
    if not isinstance(value, Mapping):
        raise _field_error(field, value, "an object of colours and numbers")
    for colour in value:
        normalised = str(colour).strip().lower()
        if colour != normalised and normalised in COLOURS:
            raise FieldError(f"`{field}` names {reprlib.repr(colour)} for {normalised!r}")
    return {colour: whole_number(number, f"{field}.{colour}", MOST_CUBES) for colour, number in value.items()}
