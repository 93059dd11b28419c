"""Draw things that may lie or reach over a tray: sleeves, hands, fingers, sheets, cups, lumps of cloth."""

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from calibration.covering.cloth import (
    FINE_MM,
    SIZE_PX,
    Doubles,
    Floats,
    any_colour,
    cloth,
    draw_printed_sheet,
    skin_colour,
)


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing seen from straight above, at `FINE` times the view's size."""

    colour: Floats
    """(H, W, 3) 0..255 BGR."""
    mask: Floats
    """(H, W) 0..1."""


def sleeve(rng: np.random.Generator) -> Thing:
    """Draw an arm in cloth, with or without a hand at its end."""
    start, end, width = _draw_reach(rng)
    axis = _bent_curve(rng, start, end)
    widths = np.linspace(width, width * rng.uniform(0.6, 1.0), len(axis))
    mask = _tube_mask(axis, widths)
    colour = _shade_tube(axis, widths, cloth(rng, any_colour(rng)), rng.uniform(0.15, 0.6))
    if rng.random() < 0.5:
        bare_hand = _draw_hand(rng, axis, width * rng.uniform(0.75, 1.1), skin_colour(rng))
        colour = np.where(mask[..., None] > 0.5, colour, bare_hand.colour)
        mask = np.maximum(mask, bare_hand.mask)
    return Thing(np.asarray(colour, np.float32), mask)


def hand(rng: np.random.Generator) -> Thing:
    """Draw a hand on a bare arm."""
    start, end, _ = _draw_reach(rng)
    width, skin = rng.uniform(45, 75), skin_colour(rng)
    axis = _bent_curve(rng, start, end)
    widths = np.full(len(axis), width * 0.8)
    arm = _tube_mask(axis, widths)
    open_hand = _draw_hand(rng, axis, width, skin)
    colour = np.where(
        open_hand.mask[..., None] > 0.5,
        open_hand.colour,
        _shade_tube(axis, widths, _plain_picture(skin), 0.3),
    )
    return Thing(np.asarray(colour, np.float32), np.maximum(arm, open_hand.mask))


def fingers(rng: np.random.Generator) -> Thing:
    """Draw one to three fingers reaching in from beside the tray."""
    start, end, _ = _draw_reach(rng)
    skin = _plain_picture(skin_colour(rng))
    colour, mask = skin, np.zeros((SIZE_PX, SIZE_PX), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        axis = _bent_curve(rng, start + rng.normal(0, 15, 2), end + rng.normal(0, 15, 2))
        widths = np.linspace(rng.uniform(16, 24), rng.uniform(11, 17), len(axis))
        finger_mask = _tube_mask(axis, widths)
        colour = np.where(finger_mask[..., None] > 0.5, _shade_tube(axis, widths, skin, 0.4), colour)
        mask = np.maximum(mask, finger_mask)
    return Thing(np.asarray(colour, np.float32), mask)


def _draw_hand(rng: np.random.Generator, arm_mm: Doubles, width_mm: float, skin: Doubles) -> Thing:
    """Draw palm and fingers at the end of an arm."""
    wrist, direction = arm_mm[-1], arm_mm[-1] - arm_mm[-3]
    ahead = direction / (np.linalg.norm(direction) + 1e-6)
    sideways = np.array([-ahead[1], ahead[0]])
    palm = wrist + ahead * width_mm * 0.5
    mask = _tube_mask(np.array([wrist, palm]), np.full(2, width_mm))
    colour = _plain_picture(skin)
    for place in np.linspace(-0.4, 0.4, 4):
        spread = sideways * (place * 1.3 + rng.normal(0, 0.08))
        tip = palm + width_mm * (ahead * rng.uniform(0.5, 1.1) + spread)
        finger = _tube_mask(
            np.array([palm + sideways * width_mm * place, tip]), np.full(2, rng.uniform(13, 18))
        )
        gap = cv2.GaussianBlur(finger, (0, 0), 3) * (1 - finger)
        colour = np.asarray(colour * (1 - 0.25 * gap[..., None]), np.float32)
        mask = np.maximum(mask, finger)
    return Thing(colour, mask)


def sheet(rng: np.random.Generator) -> Thing:
    """Draw a sheet, a card, a folder or a phone: straight edges, printed or not."""
    small = rng.random() < 0.5
    sides = rng.uniform(40, 100, 2) if small else rng.uniform(100, 320, 2)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * sides / 2
    corners = corners + rng.normal(0, 0.02, (4, 2)) * sides  # one side is nearer to the camera
    corners = corners @ _rotation(rng.uniform(0, np.pi)).T + _draw_centre(rng, float(sides.max()) / 2)
    mask = _polygon_mask(corners)
    if rng.random() < 0.4:
        round_px = int(rng.uniform(2, 6) / FINE_MM) | 1
        ball = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round_px, round_px))
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, ball), np.float32)
    paper = np.full(3, rng.uniform(190, 250)) + rng.normal(0, 6, 3)
    ground = paper if rng.random() < 0.45 else any_colour(rng)
    return Thing(draw_printed_sheet(rng, ground, corners), mask)


def cup(rng: np.random.Generator) -> Thing:
    """Draw a cup, a bowl or a lid: a disc within a disc of another colour."""
    middle = _draw_centre(rng, 45)
    radius = rng.uniform(25, 60)
    turn = np.linspace(0, 2 * np.pi, 40)
    ring = np.stack([np.cos(turn), np.sin(turn) * rng.uniform(0.8, 1)], axis=1)
    inner = _polygon_mask(middle + ring * radius * rng.uniform(0.7, 0.95))[..., None]
    colour = _plain_picture(any_colour(rng)) * (1 - inner) + any_colour(rng) * inner
    return Thing(np.asarray(colour, np.float32), _polygon_mask(middle + ring * radius))


def lump(rng: np.random.Generator) -> Thing:
    """Draw a bag, a scarf or a head bent over the table: any outline, any pattern."""
    turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    radius = np.full(72, rng.uniform(20, 80))
    for wave in range(2, 7):
        radius = radius * (1 + rng.normal(0, 0.35 / wave) * np.sin(wave * turn + rng.uniform(0, 7)))
    edge = np.stack([np.cos(turn), np.sin(turn)], axis=1) * radius[:, None]
    mask = _polygon_mask(
        edge * [1, rng.uniform(0.4, 1)] @ _rotation(rng.uniform(0, 7)).T + _draw_centre(rng, 60)
    )
    return Thing(cloth(rng, any_colour(rng)), mask)


def _draw_reach(rng: np.random.Generator) -> tuple[Doubles, Doubles, float]:
    """Draw a reach: start beyond the view, end somewhere over the tray, and width, in mm."""
    turn = rng.uniform(0, 2 * np.pi)
    start = 190 * np.array([np.cos(turn), np.sin(turn)])
    return start, rng.uniform(-85, 85, 2), float(rng.uniform(35, 115))


def _draw_centre(rng: np.random.Generator, half_mm: float) -> Doubles:
    """Draw the centre of a thing such that it covers part of the tray more often than all of it."""
    turn = rng.uniform(0, 2 * np.pi)
    away = rng.uniform(0, 70 + half_mm)
    return np.asarray(away * np.array([np.cos(turn), np.sin(turn)]), np.float64)


def _bent_curve(rng: np.random.Generator, start: Doubles, end: Doubles) -> Doubles:
    """Return (9, 2) points of a slightly bent curve, in mm."""
    middle = (start + end) / 2 + rng.normal(0, 12, 2)
    t = np.linspace(0, 1, 9)[:, None]
    return np.asarray((1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t**2 * end, np.float64)


def _fixed_point(points_mm: Doubles) -> npt.NDArray[np.int32]:
    return np.round((points_mm / FINE_MM + (SIZE_PX - 1) / 2) * 16).astype(np.int32)


def _polygon_mask(corners_mm: Doubles) -> Floats:
    mask = np.zeros((SIZE_PX, SIZE_PX), np.uint8)
    cv2.fillPoly(mask, [_fixed_point(corners_mm)], 255, cv2.LINE_AA, 4)
    return np.asarray(mask / np.float32(255), np.float32)


def _tube_mask(axis_mm: Doubles, width_mm: Doubles) -> Floats:
    """Return an (H, W) mask, 0..1, of what lies within half a width of a curve."""
    mask = np.zeros((SIZE_PX, SIZE_PX), np.uint8)
    ends = _fixed_point(axis_mm)
    for (first, last), width in zip(pairwise(ends), width_mm, strict=False):
        start, stop = (tuple(int(v) for v in p) for p in (first, last))
        cv2.line(mask, start, stop, 255, max(1, round(width / FINE_MM)), cv2.LINE_AA, 4)
    return np.asarray(mask / np.float32(255), np.float32)


def _shade_tube(axis_mm: Doubles, width_mm: Doubles, colour: Floats, depth: float) -> Floats:
    """Shade a colour so that it falls off towards the edges of a tube."""
    rings = [_tube_mask(axis_mm, width_mm * share) * (1.2 - share) for share in (1.0, 0.8, 0.6, 0.4, 0.2)]
    light = cv2.GaussianBlur(np.max(rings, axis=0), (0, 0), 4)
    return np.asarray(colour * (1 - depth + depth * light)[..., None], np.float32)


def _rotation(angle: float) -> Doubles:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def _plain_picture(colour: Doubles) -> Floats:
    """Return (H, W, 3) filled with one colour."""
    return np.broadcast_to(colour, (SIZE_PX, SIZE_PX, 3)).astype(np.float32)
