"""Draw a reading onto its picture, so that nobody has to tell colours apart to understand it."""

from collections.abc import Mapping
from itertools import chain, count

import cv2
import numpy as np

from vision.palette import SHOGUN_SRGB
from vision.pictures import Picture
from vision.reading import SeenCube, TrayReading

Bgr = tuple[int, int, int]

_INK: Bgr = (20, 20, 20)
_PAPER: Bgr = (250, 250, 250)
_TRAY: Bgr = (230, 180, 60)
_OTHER = (128, 128, 128)
_UNSURE = 0.8
_FONT = cv2.FONT_HERSHEY_SIMPLEX
_LUMA, _LIGHT = np.array([0.114, 0.587, 0.299]), 130.0
"""Luma weights of BGR, and the luma from which dark letters stand out more than light ones."""


def draw_reading(picture: Picture, reading: TrayReading) -> Picture:
    """Return a copy of the (H, W, 3) uint8 BGR picture with tray and cubes drawn, and a strip of counts
    below."""
    drawn = picture.copy()
    unit = max(1.0, picture.shape[1] / 1000)
    if reading.tray_outline_px:
        _draw_outline(drawn, reading.tray_outline_px, _TRAY, max(1, round(1.5 * unit)))
    letters = colour_letters(tuple(reading.counts))
    for cube in reading.cubes:
        _draw_cube(drawn, cube, letters.get(cube.colour, "?"), unit)
    for place in reading.open_places:
        _draw_ring(drawn, place.centre_px, place.edge_px, unit)
    return np.vstack([drawn, _counts_strip(reading, letters, picture.shape[1], unit)])


def colour_letters(colours: tuple[str, ...]) -> Mapping[str, str]:
    """One or two letters per colour, all different: blue is B, black K as in printing."""
    letters: dict[str, str] = {}
    for colour in sorted(colours, key=lambda name: len(name) > 1):  # a name of one letter has no other
        name = colour.upper()
        tries = chain(
            ["K"] if colour == "black" else [],
            [name[0]],
            (name[0] + c.lower() for c in name[1:]),
            (f"{name[0]}{number}" for number in count(2)),
        )
        letters[colour] = next(t for t in tries if t not in letters.values())
    return letters


def _draw_cube(drawn: Picture, cube: SeenCube, letter: str, unit: float) -> None:
    """Draw its outline in light on dark, so that it shows on anything, and a ring if it is unsure."""
    _draw_outline(drawn, cube.outline_px, _INK, max(3, round(3 * unit)))
    _draw_outline(drawn, cube.outline_px, _PAPER, max(1, round(unit)))
    if cube.confidence < _UNSURE:
        _draw_ring(drawn, cube.centre_px, float(np.ptp(np.array(cube.outline_px), axis=0).max()), unit)
    _draw_text(drawn, letter, cube.centre_px, 0.45 * unit)


def _draw_ring(drawn: Picture, centre: tuple[float, float], edge: float, unit: float) -> None:
    """Draw a ring around what a person should look at."""
    x, y = (round(v) for v in centre)
    for colour, thick in ((_INK, max(3, round(3 * unit))), ((60, 220, 255), max(1, round(1.5 * unit)))):
        cv2.circle(drawn, (x, y), round(edge * 0.9), colour, thick, cv2.LINE_AA)


def _draw_text(drawn: Picture, text: str, centre: tuple[float, float], size: float) -> None:
    thickness = max(1, round(size * 2))
    (width, height), _ = cv2.getTextSize(text, _FONT, size, thickness)
    origin = (round(centre[0] - width / 2), round(centre[1] + height / 2))
    (left, bottom), reach = origin, max(1, height)
    ground = drawn[max(0, bottom - reach) : max(1, bottom), max(0, left) : max(1, left + width)]
    is_light = ground.size and float(ground.reshape(-1, 3).mean(axis=0) @ _LUMA) > _LIGHT
    edge, letter = (_PAPER, _INK) if is_light else (_INK, _PAPER)
    cv2.putText(drawn, text, origin, _FONT, size, edge, thickness + 2, cv2.LINE_AA)
    cv2.putText(drawn, text, origin, _FONT, size, letter, thickness, cv2.LINE_AA)


def _draw_outline(drawn: Picture, points: tuple[tuple[float, float], ...], colour: Bgr, thick: int) -> None:
    corners = np.round(np.array(points)).astype(np.int32)
    cv2.polylines(drawn, [corners], True, colour, thick, cv2.LINE_AA)


def _counts_strip(reading: TrayReading, letters: Mapping[str, str], width: int, unit: float) -> Picture:
    """Return a strip with letter, swatch and number of each colour, and the verdict."""
    height = round(44 * unit)
    strip = np.full((height, width, 3), _PAPER, np.uint8)
    step = width / (len(reading.counts) + 1.6)
    for place, (colour, number) in enumerate(reading.counts.items()):
        left, side = round(step * place + 12 * unit), round(24 * unit)
        top = (height - side) // 2
        swatch = SHOGUN_SRGB.get(colour, _OTHER)[::-1]
        cv2.rectangle(strip, (left, top), (left + side, top + side), swatch, -1)
        cv2.rectangle(strip, (left, top), (left + side, top + side), _INK, 1)
        _draw_text(strip, letters[colour], (left + side / 2, height / 2), 0.5 * unit)
        at = (left + side + round(8 * unit), round(height / 2 + 9 * unit))
        cv2.putText(strip, str(number), at, _FONT, 0.8 * unit, _INK, max(1, round(2 * unit)), cv2.LINE_AA)
    verdict = "certain" if reading.certain else "please check"
    at = (round(step * len(reading.counts) + 8 * unit), round(height / 2 + 6 * unit))
    cv2.putText(strip, verdict, at, _FONT, 0.55 * unit, _INK, max(1, round(1.4 * unit)), cv2.LINE_AA)
    return strip
