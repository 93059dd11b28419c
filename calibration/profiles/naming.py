"""What a profile may be called, and the file that keeps it: a name in any script, and no file of two names.

Names of small letters, digits and dashes are those of their files. All others stand in the file's name in
base 32, after an underscore that no such name has: no disk tells capitals and accents apart as people do.
"""

import re
import unicodedata
from base64 import b32hexdecode, b32hexencode
from pathlib import Path

from calibration.profiles.errors import ProfileError

LONGEST = 40
_MOST_BYTES = 120
"""With a step's name and an ending it must fit into the 255 bytes of a file's name."""
_PLAIN = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_JOINERS = "\u200c\u200d"
"""Not printable by themselves, but Persian, Hindi and emoji are written with them."""
_HINT = 20
"""Letters for whoever looks into the folder."""


def proper(name: str) -> str | None:
    """The name on one line, with single spaces and composed letters; None for what is none."""
    try:
        one = " ".join(unicodedata.normalize("NFC", name).split())
        long = len(one) > LONGEST or len(one.encode()) > _MOST_BYTES
    except UnicodeEncodeError:  # a byte of the command line that is no UTF-8
        return None
    written = one.translate(dict.fromkeys(map(ord, _JOINERS)))
    return one if written and written.isprintable() and not long else None


def stem_of(name: str) -> str:
    """Of the file of a proper name, without its ending; two names never have the same."""
    if _PLAIN.fullmatch(name):
        return name
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    hint = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_HINT]
    return f"{hint}_{b32hexencode(name.encode()).decode().rstrip('=').lower()}"


def step_stem(name: str, step: str) -> str:
    """Of the picture of a step: neither a profile's file nor a step has a dot in its name."""
    return f"{stem_of(name)}.{step}"


def name_of(stem: str) -> str | None:
    """`stem_of` undone; None for a file that no profile has."""
    if _PLAIN.fullmatch(stem):
        return stem
    code = stem.rpartition("_")[2].upper()
    try:
        name = b32hexdecode(code + "=" * (-len(code) % 8)).decode()
    except ValueError:
        return None
    return name if proper(name) == name and stem_of(name) == stem else None


def checked_name(name: str) -> str:
    """The name as it is kept. Raises `ProfileError` for what a profile cannot be called."""
    kept = proper(name)
    if kept is None:
        raise ProfileError(
            f"{name!r} cannot be the name of a profile.",
            f"Use up to {LONGEST} letters, digits, spaces or signs.",
        )
    return kept


def names(folder: Path) -> list[str]:
    """Profiles that are kept, in name order."""
    return sorted(name for path in folder.glob("*.json") if (name := name_of(path.stem)) is not None)


def not_there(name: str, folder: Path) -> str:
    """What is said of a missing one: where it was looked for, as --data has others, and which are there."""
    return f"There is no profile {name!r} in {folder} (known: {', '.join(names(folder)) or 'none yet'})."
