"""What a profile may be called, and its file name: names in any script, and never one file for two names.

Names of lower-case letters, digits and dashes are used as file names. All others are encoded in base 32 after
an underscore, which no plain name has: file systems do not tell capitals and accents apart as people do.
"""

import re
import unicodedata
from base64 import b32hexdecode, b32hexencode
from pathlib import Path

from calibration.profiles.errors import ProfileError

LONGEST = 40
_MOST_BYTES = 120
"""Most bytes of a name: encoded, with a step's name and an ending, it must fit a file name's 255 bytes."""
_PLAIN = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_JOINERS = "\u200c\u200d"
"""Not printable by themselves, but needed to write Persian, Hindi and emoji."""
_HINT = 20
"""Letters of the readable part of an encoded file name."""


def normalised_name(name: str) -> str | None:
    """Return the name on one line, with single spaces and composed letters; None if it is not valid."""
    try:
        normalised = " ".join(unicodedata.normalize("NFC", name).split())
        is_too_long = len(normalised) > LONGEST or len(normalised.encode()) > _MOST_BYTES
    except UnicodeEncodeError:  # a byte from the command line that is not UTF-8
        return None
    visible = normalised.translate(dict.fromkeys(map(ord, _JOINERS)))
    return normalised if visible and visible.isprintable() and not is_too_long else None


def stem_of(name: str) -> str:
    """Return the file name of a proper name, without its ending; no two names share one."""
    if _PLAIN.fullmatch(name):
        return name
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    hint = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_HINT]
    return f"{hint}_{b32hexencode(name.encode()).decode().rstrip('=').lower()}"


def step_stem(name: str, step: str) -> str:
    """Return the stem of a step's picture; neither stems of profiles nor names of steps contain a dot."""
    return f"{stem_of(name)}.{step}"


def name_of(stem: str) -> str | None:
    """Invert `stem_of`; None if no profile can have this file."""
    if _PLAIN.fullmatch(stem):
        return stem
    code = stem.rpartition("_")[2].upper()
    try:
        name = b32hexdecode(code + "=" * (-len(code) % 8)).decode()
    except ValueError:
        return None
    return name if normalised_name(name) == name and stem_of(name) == stem else None


def checked_name(name: str) -> str:
    """Return the name as it is stored. Raises `ProfileError` if it is not valid."""
    stored = normalised_name(name)
    if stored is None:
        raise ProfileError(
            f"{name!r} cannot be the name of a profile.",
            f"Use up to {LONGEST} letters, digits, spaces or signs.",
        )
    return stored


def names(folder: Path) -> list[str]:
    """Return the names of the stored profiles, in order."""
    return sorted(name for path in folder.glob("*.json") if (name := name_of(path.stem)) is not None)


def missing_message(name: str, folder: Path) -> str:
    """Message for a missing profile: which folder was searched, as --data may differ, and what it holds."""
    return f"There is no profile {name!r} in {folder} (known: {', '.join(names(folder)) or 'none yet'})."
