"""The drawing of docs/camera.md: `python -m calibration.sheets.drawings FOLDER` writes mat.svg.

The sheet in it is the one that is printed, so it cannot differ from what lies on the table.
"""

import argparse
import sys
from pathlib import Path
from typing import Final

from calibration.sheets.drawing import Paper
from calibration.sheets.mat_svg import mat_svg

_TRAY_MM: Final = 176.0
"""Outer size of the usual tray."""
_TOWER_MM: Final = (120.0, 34.0)
_MARGIN_MM: Final = 5.0
_STYLE: Final = """
.name { font: 700 6.5px system-ui, sans-serif; fill: #1d2233; text-anchor: middle; }
.small { font: 5px system-ui, sans-serif; fill: #55586a; text-anchor: middle; }
.thing { fill: #ece3d0; stroke: #1d2233; stroke-width: 0.6; }
.tray { fill: none; stroke: #2f63b0; stroke-width: 1.2; stroke-dasharray: 4 2.5; }
"""


def mat() -> str:
    """The mat on A4 with the places of tray and tower, seen from above; units are the mat's millimetres."""
    width, height = Paper.A4.size_mm
    across, behind = _TOWER_MM
    left, top, edge = -width / 2, -height / 2, _TRAY_MM / 2
    sheet = mat_svg(Paper.A4).replace(
        "<svg ", f'<svg x="{left}" y="{top}" width="{width:g}" height="{height:g}" ', 1
    )
    corner = (left - _MARGIN_MM, top - behind - _MARGIN_MM)
    size = (width + 2 * _MARGIN_MM, height + behind + 2 * _MARGIN_MM)
    parts = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{corner[0]} {corner[1]} {size[0]:g} {size[1]:g}"'
        ' role="img">',
        "<title>The mat on the table, with the places of tray and tower, from above</title>",
        f"<style>{_STYLE}</style>",
        _rect_tag(*corner, *size, 'fill="#a88a5c"'),
        sheet,
        _rect_tag(-across / 2, top - behind, across, behind, 'rx="2" class="thing"'),
        _text_tag(0, top - behind / 2 - 2, "the tower", "name"),
        _text_tag(0, top - behind / 2 + 7, "at the edge that names it", "small"),
        _rect_tag(-edge, -edge, _TRAY_MM, _TRAY_MM, 'rx="8" class="tray"'),
        _text_tag(0, -2, "the tray", "name"),
        _text_tag(0, 7, "in the middle, between the four corner marks", "small"),
        "</svg>\n",
    )
    return "\n".join(parts)


def _rect_tag(x: float, y: float, width: float, height: float, look: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" {look}/>'


def _text_tag(x: float, y: float, text: str, kind: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{kind}">{text}</text>'


DRAWINGS: Final = {"mat.svg": mat}


def main() -> int:
    """Write the drawings."""
    parser = argparse.ArgumentParser(prog="python -m calibration.sheets.drawings", description=__doc__)
    parser.add_argument("folder", type=Path, help="made if it is not there")
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in DRAWINGS.items():
        (folder / name).write_text(draw(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
