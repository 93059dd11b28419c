"""Draw icons for a phone's home screen from `static/mark.svg`: `python -m companion.web.iconmaking`.

Supports only the SVG that this drawing uses: rectangles, and paths of lines, cubic curves and half circles.
"""

import argparse
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

STATIC = Path(__file__).parent / "static"
SIZES = {"icon-192": 192, "icon-512": 512, "icon-180": 180}
MASKABLE = ("icon-maskable-512", 512)
_SIDE = 64.0
"""Side of the drawing, in its own units."""
_SAFE_SCALE = 0.72
"""Scale of a maskable icon's drawing, so that it fits into the circle that no phone crops."""
_OVERSAMPLING = 4
_STEPS = 16
_TOKEN = re.compile(r"[A-Za-z]|-?\d*\.?\d+")
Point = tuple[float, float]
Shape = tuple[list[list[Point]], tuple[int, int, int]]
Image = npt.NDArray[np.uint8]


def icon(side: int, *, maskable: bool = False) -> Image:
    """Return the icon as (side, side, 4) uint8 BGRA; a maskable one fills the whole square."""
    shapes = list(_shapes())
    canvas = np.zeros((side * _OVERSAMPLING, side * _OVERSAMPLING, 4), np.uint8)
    background = shapes[0][1]
    scale = side * _OVERSAMPLING / _SIDE
    if maskable:
        canvas[:] = (*background, 255)
    else:
        _draw_rounded_square(canvas, 14 * scale, background)
    inner = _SAFE_SCALE if maskable else 1.0
    shift = (1 - inner) / 2 * side * _OVERSAMPLING
    for outlines, colour in shapes[1:]:
        polygons = [np.array(o) * scale * inner + shift for o in outlines]
        fixed = [np.round(p * 16).astype(np.int32) for p in polygons]
        cv2.fillPoly(canvas, fixed, (*colour, 255), cv2.LINE_AA, 4)
    return np.asarray(cv2.resize(canvas, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


def main() -> None:
    """Write all icons beside the drawing."""
    argparse.ArgumentParser(prog="python -m companion.web.iconmaking", description=__doc__).parse_args()
    for name, side in SIZES.items():
        # Apple's home screen rounds the corners itself, and shows transparent ones as black.
        cv2.imwrite(str(STATIC / f"{name}.png"), icon(side, maskable=side == SIZES["icon-180"]))
    cv2.imwrite(str(STATIC / f"{MASKABLE[0]}.png"), icon(MASKABLE[1], maskable=True))


def _shapes() -> Iterator[Shape]:
    root = ET.fromstring((STATIC / "mark.svg").read_text(encoding="utf-8"))  # noqa: S314 - our own file
    yield from _element_shapes(root, "#000000")


def _element_shapes(element: ET.Element, fill: str) -> Iterator[Shape]:
    for child in element:
        child_fill = child.get("fill", fill)
        colour = (int(child_fill[5:7], 16), int(child_fill[3:5], 16), int(child_fill[1:3], 16))
        match child.tag.rpartition("}")[2]:
            case "g":
                yield from _element_shapes(child, child_fill)
            case "rect":
                x, y, w, h = (float(child.get(name, "0")) for name in ("x", "y", "width", "height"))
                yield [[(x, y), (x + w, y), (x + w, y + h), (x, y + h)]], colour
            case "path":
                yield _outlines(child.get("d", "")), colour


def _outlines(path: str) -> list[list[Point]]:
    """Return the closed outlines of a path's data."""
    tokens = _TOKEN.findall(path)
    outlines: list[list[Point]] = []
    pen, command, at = (0.0, 0.0), "", 0
    while at < len(tokens):
        if tokens[at].isalpha():
            command, at = tokens[at], at + 1
            if command in "zZ":
                pen = outlines[-1][0]
                continue
        count = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "a": 7}[command.lower()]
        numbers = [float(token) for token in tokens[at : at + count]]
        at += count
        points = _segment_points(pen, command, numbers)
        pen = points[-1]
        if command in "mM":
            outlines.append([pen])
            command = "l" if command == "m" else "L"
        else:
            outlines[-1] += points
    return outlines


def _segment_points(pen: Point, command: str, n: list[float]) -> list[Point]:
    x, y = pen if command.islower() else (0.0, 0.0)
    match command.lower():
        case "h":
            return [(x + n[0], pen[1])]
        case "v":
            return [(pen[0], y + n[0])]
        case "c":
            corners = [pen, (x + n[0], y + n[1]), (x + n[2], y + n[3]), (x + n[4], y + n[5])]
            return [_curve_point(corners, step / _STEPS) for step in range(1, _STEPS + 1)]
        case "a":  # the drawing's only arc: a half circle from left to right over the top
            end = (x + n[5], y + n[6])
            angles = np.linspace(np.pi, 0, _STEPS)
            middle = (pen[0] + end[0]) / 2
            return [(middle + n[0] * float(np.cos(t)), end[1] - n[1] * float(np.sin(t))) for t in angles]
        case _:
            return [(x + n[0], y + n[1])]


def _curve_point(corners: list[Point], t: float) -> Point:
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    return (
        sum(w * c[0] for w, c in zip(weights, corners, strict=True)),
        sum(w * c[1] for w, c in zip(weights, corners, strict=True)),
    )


def _draw_rounded_square(image: Image, radius: float, colour: tuple[int, int, int]) -> None:
    side, r = image.shape[0], round(radius)
    for x in (r, side - r):
        for y in (r, side - r):
            cv2.circle(image, (x, y), r, (*colour, 255), -1)
    cv2.rectangle(image, (r, 0), (side - r, side), (*colour, 255), -1)
    cv2.rectangle(image, (0, r), (side, side - r), (*colour, 255), -1)


if __name__ == "__main__":
    main()
