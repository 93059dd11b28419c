"""Draws SVG path data on a PDF page, limited to the commands that the map and its signs use."""

import re
from collections.abc import Iterator

from reportlab.pdfgen.pathobject import PDFPathObject

_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")
_ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "Q": 4, "Z": 0}


def trace(path: PDFPathObject, d: str) -> None:
    """Add the SVG path data `d` to `path`. Raises ValueError for commands other than M, L, H, V, Q, Z."""
    x = y = start_x = start_y = 0.0
    for command, numbers in _commands(d):
        relative = command.islower()
        dx, dy = (x, y) if relative else (0.0, 0.0)
        match command.upper():
            case "M":
                x, y = numbers[0] + dx, numbers[1] + dy
                start_x, start_y = x, y
                path.moveTo(x, y)
            case "L":
                x, y = numbers[0] + dx, numbers[1] + dy
                path.lineTo(x, y)
            case "H":
                x = numbers[0] + dx
                path.lineTo(x, y)
            case "V":
                y = numbers[0] + dy
                path.lineTo(x, y)
            case "Q":
                to_x, to_y = numbers[2] + dx, numbers[3] + dy
                over_x, over_y = numbers[0] + dx, numbers[1] + dy
                # The equivalent cubic curve of a quadratic one.
                path.curveTo(
                    x + (over_x - x) * 2 / 3,
                    y + (over_y - y) * 2 / 3,
                    to_x + (over_x - to_x) * 2 / 3,
                    to_y + (over_y - to_y) * 2 / 3,
                    to_x,
                    to_y,
                )
                x, y = to_x, to_y
            case _:
                path.close()
                x, y = start_x, start_y


def _commands(d: str) -> Iterator[tuple[str, list[float]]]:
    tokens = _TOKEN.findall(d)
    index, command = 0, ""
    while index < len(tokens):
        if tokens[index].isalpha():
            command = tokens[index]
            index += 1
        count = _ARGUMENTS.get(command.upper())
        if count is None:
            raise ValueError(f"no outline is drawn with {command!r}")
        yield command, [float(token) for token in tokens[index : index + count]]
        index += count
        if command in "Mm":
            command = "L" if command == "M" else "l"  # further pairs after a move are lines
