"""Tables, the printed mat and the room as maps of albedo or light: linear BGR, plain NumPy."""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from calibration.synth.ground import print_mat
from calibration.synth.scene import Floats, Scene, floats, linear

TABLE_MM = (900.0, 720.0)
TABLE_PX_PER_MM = 1.25
_SIZE = (int(TABLE_MM[0] * TABLE_PX_PER_MM), int(TABLE_MM[1] * TABLE_PX_PER_MM))


def smooth_noise(rng: np.random.Generator, size: tuple[int, int], across: float, down: float) -> Floats:
    """Return (H, W) noise of mean 0 and deviation 1, with bumps `across` pixels wide and `down` high."""
    small = (max(int(size[0] / across * 2), 4), max(int(size[1] / down * 2), 4))
    small = (min(small[0], size[0]), min(small[1], size[1]))
    noise = cv2.GaussianBlur(rng.normal(0, 1, small[::-1]).astype(np.float32), (0, 0), 0.8)
    grown = cv2.resize(noise, size, interpolation=cv2.INTER_CUBIC)
    return floats((grown - grown.mean()) / (grown.std() + 1e-6))


def table(rng: np.random.Generator) -> tuple[str, Floats, float]:
    """Draw a table: name, (H, W, 3) albedo of 900 × 720 mm, roughness."""
    kinds: dict[str, tuple[float, Callable[[np.random.Generator], tuple[Floats, float]]]] = {
        "wood": (0.4, _wood),
        "cloth": (0.2, _cloth),
        "plain": (0.15, _plain),
        "stone": (0.08, _stone),
        "checks": (0.07, _checks),
        "print": (0.1, _printed),
    }
    names = list(kinds)
    name = str(rng.choice(names, p=[kinds[n][0] for n in names]))
    albedo, rough = kinds[name][1](rng)
    return name, floats(np.clip(albedo, 0.008, 0.9)), rough


_WOODS = (
    (205, 175, 135),
    (225, 200, 165),
    (186, 140, 95),
    (160, 110, 70),
    (120, 80, 52),
    (85, 60, 48),
    (60, 42, 34),
    (178, 150, 122),
)


def _wood(rng: np.random.Generator) -> tuple[Floats, float]:
    """Draw boards cut from a trunk: wavy growth rings, pores along the grain, sometimes seams."""
    width, height = _SIZE
    base = linear(tuple(np.clip(np.array(_WOODS[rng.integers(len(_WOODS))]) + rng.normal(0, 7, 3), 8, 245)))
    y = np.mgrid[0:height, 0:width][0].astype(np.float32) / np.float32(TABLE_PX_PER_MM)
    board = float(rng.choice([10_000, rng.uniform(60, 160)]))
    number = np.floor(y / board + rng.uniform())
    shift = rng.uniform(0, 500, 64)[np.clip(number, 0, 63).astype(int)]
    tone = rng.normal(0, 0.09, 64)[np.clip(number, 0, 63).astype(int)]
    wander = smooth_noise(rng, _SIZE, 420, 90) * rng.uniform(4, 14)
    rings = (y + shift + wander) / rng.uniform(5, 16) + 0.4 * smooth_noise(rng, _SIZE, 600, 12)
    saw = rings - np.floor(rings)
    grain = np.where(saw < 0.75, saw / 0.75, (1 - saw) / 0.25) - 0.5
    pores = smooth_noise(rng, _SIZE, rng.uniform(14, 50), 2.0)
    cloud = smooth_noise(rng, _SIZE, 300, 200)
    contrast = rng.uniform(0.04, 0.2)
    log = (
        contrast * (grain + 0.25 * pores + 0.3 * cloud)
        - rng.uniform(0, 0.12) * np.maximum(pores - 1.2, 0)
        + (tone if board < 1000 else 0)
    )
    seam = np.abs((y / board + 0.0) % 1.0 - 0.5) > 0.5 - 0.6 / board
    log = log - (0.8 * seam if board < 1000 else 0)
    wood = base * np.exp(log)[..., None] ** np.array([1.25, 1.0, 0.85], np.float32)
    return _maybe_turn(rng, floats(wood)), float(rng.choice([rng.uniform(0.2, 0.4), rng.uniform(0.4, 0.8)]))


def _maybe_turn(rng: np.random.Generator, texture: Floats) -> Floats:
    if rng.random() < 0.5:
        texture = floats(cv2.resize(texture.transpose(1, 0, 2), _SIZE))
    return texture


def _draw_colour(rng: np.random.Generator) -> Floats:
    """Draw a colour for a table, mostly a muted one."""
    hsv = np.array([[[rng.uniform(0, 360), rng.beta(1.2, 2.5), rng.uniform(0.12, 0.92)]]], np.float32)
    return linear(cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0] * 255)


def _cloth(rng: np.random.Generator) -> tuple[Floats, float]:
    """Draw felt or weave with soft folds."""
    felt = ((30, 95, 60), (130, 30, 35), (35, 45, 90), (60, 60, 62), (25, 25, 27), (190, 180, 160))
    base = linear(felt[rng.integers(len(felt))]) if rng.random() < 0.6 else _draw_colour(rng)
    fluff = smooth_noise(rng, _SIZE, 2.4, 2.4) * 0.6 + smooth_noise(rng, _SIZE, 7, 7) * 0.4
    log = rng.uniform(0.02, 0.14) * fluff + 0.06 * smooth_noise(rng, _SIZE, 250, 250)
    if rng.random() < 0.5:
        y, x = np.mgrid[0 : _SIZE[1], 0 : _SIZE[0]].astype(np.float32)
        pitch = rng.uniform(2.6, 6)
        log = log + rng.uniform(0.03, 0.12) * (np.sin(x * 2 * np.pi / pitch) + np.sin(y * 2 * np.pi / pitch))
    return floats(base * np.exp(log)[..., None]), float(rng.uniform(0.8, 1.0))


def _plain(rng: np.random.Generator) -> tuple[Floats, float]:
    base = _draw_colour(rng) if rng.random() < 0.5 else linear(tuple(np.full(3, rng.uniform(25, 240))))
    log = 0.02 * smooth_noise(rng, _SIZE, 200, 200) + 0.015 * smooth_noise(rng, _SIZE, 3, 3)
    return floats(base * np.exp(log)[..., None]), float(rng.uniform(0.12, 0.8))


def _stone(rng: np.random.Generator) -> tuple[Floats, float]:
    """Draw marble with veins, or speckled granite."""
    base = linear(tuple(np.full(3, rng.uniform(50, 225)) + rng.normal(0, 7, 3)))
    if rng.random() < 0.5:
        warp = smooth_noise(rng, _SIZE, 260, 260) + 0.5 * smooth_noise(rng, _SIZE, 90, 90)
        log = -rng.uniform(0.1, 0.5) * np.exp(-np.abs(warp) * 14) + 0.06 * warp
    else:
        log = rng.uniform(0.05, 0.3) * (
            smooth_noise(rng, _SIZE, 4, 4) * 0.7 + smooth_noise(rng, _SIZE, 12, 12) * 0.5
        )
    return floats(base * np.exp(log)[..., None]), float(rng.uniform(0.08, 0.4))


def _checks(rng: np.random.Generator) -> tuple[Floats, float]:
    """Draw a striped or chequered tablecloth."""
    y, x = np.mgrid[0 : _SIZE[1], 0 : _SIZE[0]].astype(np.float32) / np.float32(TABLE_PX_PER_MM)
    pitch, first_colour, second_colour = rng.uniform(10, 60), _draw_colour(rng), _draw_colour(rng)
    across, down = ((v / pitch) % 1 < 0.5 for v in (x + y * 0.05, y))
    stripes = rng.random() < 0.4
    share = across.astype(np.float32) if stripes else (across.astype(np.float32) + down) / 2
    share = cv2.GaussianBlur(floats(share), (0, 0), 0.8)[..., None]
    weave = 0.05 * smooth_noise(rng, _SIZE, 2.5, 2.5)
    return floats((first_colour * share + second_colour * (1 - share)) * np.exp(weave)[..., None]), 0.9


def _printed(rng: np.random.Generator) -> tuple[Floats, float]:
    """Draw a game board or a magazine: fields of many colours, borders, rows of print."""
    width, height = _SIZE
    board = np.empty((height, width, 3), np.float32)
    board[:] = _draw_colour(rng)
    for _ in range(int(rng.integers(15, 60))):
        centre = rng.uniform((0, 0), (width, height))
        turn = np.sort(rng.uniform(0, 2 * np.pi, rng.integers(4, 9)))
        ring = centre + np.stack([np.cos(turn), np.sin(turn)], 1) * rng.uniform(20, 170)
        corners = ring.astype(np.int32)
        cv2.fillPoly(board, [corners], tuple(float(v) for v in _draw_colour(rng)), cv2.LINE_AA)
        if rng.random() < 0.6:
            cv2.polylines(board, [corners], True, tuple(float(v) for v in _draw_colour(rng)), 2, cv2.LINE_AA)
    print_mask = np.zeros((height, width), np.uint8)
    for _ in range(int(rng.integers(0, 80))):
        at = rng.integers((0, 0), (width, height))
        words = "".join(rng.choice(list("aeinorstlmcdu "), 14))
        place = (int(at[0]), int(at[1]))
        cv2.putText(
            print_mask, words, place, cv2.FONT_HERSHEY_SIMPLEX, rng.uniform(0.3, 1.0), 255, 1, cv2.LINE_AA
        )
    board *= 1 - 0.85 * print_mask[..., None].astype(np.float32) / 255
    return _maybe_turn(rng, floats(board * 0.9)), float(rng.uniform(0.25, 0.7))


def room(rng: np.random.Generator, sky: Floats) -> Floats:
    """Draw the (32, 64, 3) light from all sides, top row from above; white paper under it sends out `sky`."""
    size = (64, 32)
    light = np.exp(0.35 * smooth_noise(rng, size, 24, 12))[..., None] * np.ones(3, np.float32)
    light[size[1] // 2 :] *= 0.4  # the floor of the room
    for _ in range(int(rng.integers(0, 4))):
        left, top = int(rng.integers(0, 60)), int(rng.integers(2, 13))
        wide, high = int(rng.integers(2, 9)), int(rng.integers(2, 5))
        light[top : top + high, left : left + wide] *= rng.choice([rng.uniform(2, 10), rng.uniform(0.1, 0.5)])
    light *= np.exp(0.05 * rng.normal(size=3))
    up = np.cos((np.arange(size[1]) + 0.5) / size[1] * np.pi)
    weight = np.maximum(up, 0) * np.sin((np.arange(size[1]) + 0.5) / size[1] * np.pi)
    mean = (light * weight[:, None, None]).sum((0, 1)) / (weight.sum() * size[0])
    return floats(light / mean * sky)


def printed_mat(scene: Scene, px_per_mm: float) -> Floats:
    """Return the (H, W, 3) albedo of the printed A4 sheet."""
    size = (round(297 * px_per_mm), round(210 * px_per_mm))
    flat = np.array(
        [[px_per_mm, 0, 0, size[0] / 2 - 0.5], [0, px_per_mm, 0, size[1] / 2 - 0.5], [0, 0, 0, 1]], np.float32
    )
    camera = replace(scene.camera, matrix=flat, size_px=size)
    sheet = np.zeros((size[1], size[0], 3), np.float32)
    print_mat(replace(scene, camera=camera), sheet)
    return sheet
