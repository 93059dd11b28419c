"""Drawings for docs/load-cell.md: `python -m firmware.drawings FOLDER` writes wiring.svg and mounting.svg.

The pins are read from firmware/avr/pins.h, so that the wiring cannot differ from the program.
"""

import argparse
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

PINS_H: Final = Path(__file__).parent / "avr" / "pins.h"
_STYLE: Final = """
text { font: 14px system-ui, sans-serif; fill: #1d2233; } .small { font-size: 12px; fill: #55586a; }
.name { font-weight: 700; font-size: 16px; } .pin { font: 12px ui-monospace, monospace; }
.mid { text-anchor: middle; } .end { text-anchor: end; } .wire { fill: none; stroke-width: 3.5; }
.part { stroke: #1d2233; stroke-width: 1.5; } .hint { fill: none; stroke: #55586a; stroke-width: 1.2; }
.warn { fill: #b23a26; font-weight: 700; }
"""
_RED, _BLACK, _WHITE, _GREEN = "#c8322f", "#33393d", "#c9c3b4", "#1f7c45"
_BLUE, _PURPLE, _ORANGE = "#2f63b0", "#93408c", "#d98a1c"


def pins(header: Path = PINS_H) -> dict[str, str]:
    """Return the pins of DOUT, SCK and RATE with their Arduino names: D4 for PD4."""
    found = re.findall(r"#define (DOUT|SCK|RATE)_BIT PD(\d)", header.read_text(encoding="utf-8"))
    return {name: f"D{number}" for name, number in found}


def wiring() -> str:
    """Draw cell, HX711 and board with every wire."""
    on_board = pins()
    to_board = (
        ("GND", "GND", _BLACK, ""),
        ("DT", on_board["DOUT"], _BLUE, ""),
        ("SCK", on_board["SCK"], _PURPLE, ""),
        ("RATE", on_board["RATE"], _ORANGE, "6 5"),
        ("VCC", "5V", _RED, ""),
    )
    to_cell = (("E+", _RED, "red"), ("E−", _BLACK, "black"), ("A−", _WHITE, "white"), ("A+", _GREEN, "green"))
    parts = [
        _box(30, 120, 170, 70, "#d9dde3"),
        '<rect x="80" y="135" width="70" height="40" rx="20" fill="#fffaf0" class="part"/>',
        _text(115, 105, "Load cell, 500 g", "name mid"),
        _text(115, 212, "the bar's two ends bend", "small mid"),
        _box(360, 90, 160, 200, "#cfe8d6"),
        _text(440, 75, "HX711", "name mid"),
        _text(440, 310, "B+ and B− stay free", "small mid"),
        _box(690, 90, 150, 200, "#cfdcf2"),
        _text(765, 75, "Arduino Uno or Nano", "name mid"),
        _box(840, 165, 34, 44, "#b9bfca"),
        _text(857, 226, "USB", "small mid"),
    ]
    for number, (pin, colour, word) in enumerate(to_cell):
        y = 118 + 38 * number
        inner = 133 + 15 * number
        parts += [_wire([(200, inner), (225, inner), (300, y), (360, y)], colour)]
        parts += [_text(352, y - 6, word, "small end"), _text(368, y + 4, pin, "pin")]
    for number, (pin, goal, colour, dashes) in enumerate(to_board):
        y = 112 + 38 * number
        parts += [_wire([(520, y), (690, y)], colour, dashes)]
        parts += [_text(512, y + 4, pin, "pin end"), _text(698, y + 4, goal, "pin")]
    parts += [
        _text(
            30,
            352,
            "RATE: only where the HX711's board brings pin 15 out. High is 80 readings a second, low is 10.",
        ),
        _text(
            30,
            374,
            "The green boards tie it to ground: lift pin 15 and solder it to VCC (or to this wire).",
            "small",
        ),
        _text(
            30,
            396,
            "Twist the cell's four wires, keep all wires under 20 cm. A weight that comes out negative",
            "small",
        ),
        _text(30, 414, "is no fault: calibration takes care of it. Power from 5 V, not from 3.3 V.", "small"),
    ]
    return _drawing(900, 432, "How load cell, HX711 and Arduino are wired", parts)


def mounting() -> str:
    """Draw the tray on the bar, seen from the side; tower and camera stand on their own feet."""
    parts = [
        '<rect x="0" y="372" width="1010" height="14" fill="#a88a5c"/>',
        _text(20, 404, "table", "small"),
        _box(240, 340, 400, 16, "#8d949e"),
        *(_box(x, 356, 26, 16, "#33393d") for x in (256, 598)),
        _text(652, 352, "base plate on four rubber feet", "small"),
        _box(300, 314, 60, 26, "#c7ccd3"),
        _box(300, 284, 280, 30, "#d9dde3"),
        '<rect x="395" y="290" width="90" height="18" rx="9" fill="#fffaf0" class="part"/>',
        _text(455, 332, "bar: its arrow points down", "small mid"),
        _box(520, 258, 60, 26, "#c7ccd3"),
        _box(270, 242, 350, 16, "#8d949e"),
        _text(632, 256, "plate for the tray, held at the bar's free end", "small"),
        _box(556, 322, 12, 18, "#b23a26"),
        _text(652, 326, "stop: a screw 0.5 mm below the bar's free end", "small"),
        _hint([(570, 328), (648, 322)]),
        '<path d="M285 190 L295 242 L595 242 L605 190" fill="none" stroke="#1d2233" stroke-width="4"/>',
        _text(652, 214, "tray, 250 g at most; its middle above the bar's middle", "small"),
        _hint([(604, 208), (648, 210)]),
        *(_cube(x, y, c) for x, y, c in ((380, 228, _RED), (420, 228, _BLUE), (470, 228, _GREEN))),
        '<path d="M120 40 h150 v60 l70 60 h-40 l-60 -30 h-120 z" fill="#ece3d0" class="part"/>',
        _text(190, 30, "tower on legs of its own", "name mid"),
        _wire([(140, 130), (140, 372)], "#8d949e"),
        _wire([(232, 132), (232, 372)], "#8d949e"),
        _text(20, 250, "never on", "warn"),
        _text(20, 270, "the tray", "warn"),
        *(_cube(x, y, c) for x, y, c in ((352, 168, _RED), (366, 192, _ORANGE))),
        _box(450, 30, 60, 34, "#33393d"),
        '<path d="M465 64 l-12 16 h54 l-12 -16 z" fill="#55586a"/>',
        _text(522, 52, "camera on an arm of its own", "small"),
        '<path d="M250 340 C200 330 190 372 215 364 S 90 330 60 366" class="wire" stroke="#2f63b0"/>',
        _text(20, 308, "wires in a loose", "small"),
        _text(20, 324, "loop: they pull", "small"),
    ]
    return _drawing(1010, 416, "How the tray is mounted on the load cell, from the side", parts)


def _drawing(width: int, height: int, title: str, parts: Iterable[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
    ground = f'<rect width="{width}" height="{height}" fill="#fffaf0"/>'
    about = [f"<title>{escape(title)}</title>", f"<style>{_STYLE}</style>"]
    return "\n".join([head, *about, ground, *parts, "</svg>\n"])


def _box(x: float, y: float, width: float, height: float, fill: str) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4" fill="{fill}" class="part"/>'


def _cube(x: float, y: float, fill: str) -> str:
    return _box(x, y, 12, 12, fill)


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    return f'<text x="{x}" y="{y}" class="{kind}">{escape(text)}</text>'


def _wire(points: Iterable[tuple[float, float]], colour: str, dashes: str = "") -> str:
    way = " ".join(f"{x},{y}" for x, y in points)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<polyline points="{way}" class="wire" stroke="{colour}"{dashed}/>'


def _hint(points: Iterable[tuple[float, float]]) -> str:
    return f'<polyline points="{" ".join(f"{x},{y}" for x, y in points)}" class="hint"/>'


DRAWINGS: Final = {"wiring.svg": wiring, "mounting.svg": mounting}


def main() -> int:
    """Write all drawings."""
    parser = argparse.ArgumentParser(prog="python -m firmware.drawings", description=__doc__)
    parser.add_argument("folder", type=Path, help="created if it does not exist")
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in DRAWINGS.items():
        (folder / name).write_text(draw(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
