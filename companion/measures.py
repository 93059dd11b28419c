"""argparse types for lengths, numbers and files on the command line, with errors that say what is allowed."""

import argparse
import math
import re
import unicodedata
from pathlib import Path

from vision.addresses import lower_scheme, url_name
from vision.errors import one_line

CUBE_LEAST_MM, CUBE_MOST_MM = 6.0, 14.0
"""Limits of a cube's edge: the reader overlooks cubes of 20 mm, and some of 5 mm, and is certain of it."""
SIDE_LEAST_MM, SIDE_MOST_MM = 60.0, 400.0
"""Limits of the width and depth of a tray's floor."""
COLOUR = r"^[^\W\d_][\w-]{0,19}$"
"""Name of a colour, in any script, because people name colours that are not the game's.

Rust, which uses it for the interface, counts combining vowel signs and accents as letters; Python does not.
"""
_LONGEST_COLOUR = 20
_ADDRESS = re.compile(r"(https?|rtsp|rtmp|udp)://.*", re.DOTALL)
_USB = re.compile(r"(/dev/video)?\d{1,3}", re.ASCII)
_MOST_DIGITS, _MOST_SHOWN = 18, 30
"""Most digits of a whole number; most characters of a refused one that are shown."""


def cube_mm(text: str) -> float:
    """Parse the edge of a cube in mm."""
    edge_mm = _parse_number(text)
    if edge_mm is None or not CUBE_LEAST_MM <= edge_mm <= CUBE_MOST_MM:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not an edge of a cube: give {CUBE_LEAST_MM:g} to {CUBE_MOST_MM:g} mm, "
            "Shogun's have 8"
        )
    return edge_mm


def size_mm(text: str) -> tuple[float, float]:
    """Parse the width and depth of a tray's floor in mm, such as 170x170."""
    sides = [_parse_number(side) for side in text.lower().replace("×", "x").split("x")]
    valid_sides = [side for side in sides if side is not None and SIDE_LEAST_MM <= side <= SIDE_MOST_MM]
    if len(sides) != 2 or len(valid_sides) != 2:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a size of a tray: write width x depth, each {SIDE_LEAST_MM:g} to "
            f"{SIDE_MOST_MM:g} mm, as 170x170"
        )
    return valid_sides[0], valid_sides[1]


def colours(text: str) -> tuple[str, ...]:
    """Parse names of colours, such as red,blue, in any script; they become lower case."""
    written = unicodedata.normalize("NFC", text)
    names = tuple(word.strip().lower() for word in written.split(",") if word.strip())
    if not names:
        raise argparse.ArgumentTypeError(f"{text!r} names no colour: write them as red,dark-blue")
    for name in names:
        if len(name) > _LONGEST_COLOUR or not re.fullmatch(COLOUR, _without_marks(name)):
            raise argparse.ArgumentTypeError(
                f"{name!r} is not a name of a colour: write up to 20 letters, digits and hyphens, as in "
                "red,dark-blue"
            )
    return names


def _without_marks(name: str) -> str:
    """Return the name without combining marks, which Hindi and Thai use for vowels."""
    return "".join(sign for sign in name if not unicodedata.category(sign).startswith("M"))


def place(text: str) -> Path:
    """Parse a file or folder; empty text is refused, as it would mean the current folder."""
    return Path(_require_text(text, "file and no folder"))


class CameraNamed(Exception):
    """A camera was named where files are read; searching for such a file would print the URL's password."""

    def __init__(self, name: str) -> None:
        self.sentence = f"{name} is a camera, and only files are read here."
        self.remedy = "Look at it with `tenshu doctor --camera …`, or play with `tenshu serve --camera …`."
        super().__init__(f"{self.sentence} {self.remedy}")


def input_path(text: str) -> Path:
    """Parse a file or folder to be read. Raise `CameraNamed` for a camera."""
    spec = lower_scheme(text)
    path = Path(text)  # an existing folder may have a number as its name
    if _ADDRESS.fullmatch(spec) or (_USB.fullmatch(spec) and not path.is_file() and not path.is_dir()):
        raise CameraNamed(one_line(url_name(spec)))
    return place(text)


def board_port(text: str) -> str:
    """Parse a serial port; empty text is refused."""
    return _require_text(text, "port")


def program(text: str) -> str:
    """Parse the name of a program."""
    return _require_text(text, "program")


def address(text: str) -> str:
    """Parse an address to listen on."""
    return _require_text(text, "address")


def _require_text(text: str, what: str) -> str:
    """Refuse empty text, as from a script whose variable is empty."""
    if not text:
        raise argparse.ArgumentTypeError(f"'' names no {what}: give a name, or leave it out")
    return text


def pdf(text: str) -> Path:
    """Parse the name of a PDF file to write."""
    return _output_path(text, "a PDF", ".pdf")


def picture(text: str) -> Path:
    """Parse the name of a picture file to write."""
    return _output_path(text, "a picture", ".png", ".jpg", ".jpeg")


def _output_path(text: str, what: str, *endings: str) -> Path:
    """Refuse another file type's extension, with which no program would open it; none at all is allowed.

    `-` is refused as well: elsewhere it means standard output, to which neither PDF nor picture goes."""
    path = place(text)
    if text == "-" or path.suffix.lower() not in ("", *endings):
        raise argparse.ArgumentTypeError(f"{text!r} would hold {what}: name it {' or '.join(endings)}")
    return path


def from_one(text: str, most: int | None = None) -> int:
    """Parse a whole number from 1."""
    return _parse_whole(text, 1, most)


def from_zero(text: str, most: int | None = None) -> int:
    """Parse a whole number from 0."""
    return _parse_whole(text, 0, most)


def share(text: str) -> float:
    """Parse a share from 0 to 1."""
    value = _parse_number(text)
    if value is None or not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share: give a number from 0 to 1, as 0.3")
    return value


def seconds(text: str) -> float:
    """Parse a positive time in seconds."""
    value = _parse_number(text)
    if value is None or not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time: give seconds, more than 0, as 30")
    return value


def _parse_whole(text: str, least: int, most: int | None) -> int:
    """Parse a whole number; check the length first, because Python refuses thousands of digits."""
    shown = text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"
    is_whole = text.isascii() and text.isdigit()
    is_too_large = is_whole and (len(text) > _MOST_DIGITS or (most is not None and int(text) > most))
    if not is_whole or is_too_large or int(text) < least:
        wanted = f"{least} to {most or 10**_MOST_DIGITS - 1}" if is_too_large else f"{least} or more"
        raise argparse.ArgumentTypeError(f"{shown!r} will not do: give a whole number, {wanted}")
    return int(text)


def _parse_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
