"""Lamps and windows of a room in the evening, at noon, under a ceiling spot."""

import numpy as np
import numpy.typing as npt

from calibration.synth.scene import Floats, Lamp, LightName, floats

_WARM, _COOL = 0.55, -0.25
"""Logarithm of red over blue: a bulb, a window on a blue day."""


def sample_light(rng: np.random.Generator, name: LightName) -> tuple[tuple[Lamp, ...], Floats]:
    """Sample lamps, and the light from the rest of the room (linear BGR of white paper lit by it alone)."""
    if name in ("daylight", "shadow"):
        key = _sample_lamp(
            rng, 900, (30, 350) if name == "daylight" else (4, 60), rng.uniform(-0.2, 0.35), 0.6
        )
        share = rng.uniform(0.2, 0.75) if name == "daylight" else rng.uniform(0.55, 0.93)
        return _mix_light(rng, (key,), share, rng.uniform(-0.4, 0.1))
    if name == "led":
        key = _sample_lamp(rng, 600, (10, 90), rng.uniform(-0.1, 0.2), 0.35)
        return _mix_light(rng, (key,), rng.uniform(0.5, 0.95), rng.uniform(-0.3, 0.2))
    if name == "mixed":
        window = _sample_lamp(rng, 900, (60, 450), rng.uniform(_COOL, 0.0), 0.9)
        bulb = _sample_lamp(rng, 500, (8, 80), rng.uniform(0.2, _WARM), 0.7)
        return _mix_light(rng, (window, bulb), rng.uniform(0.6, 0.96), rng.uniform(-0.35, 0.2))
    number = int(rng.choice([1, 1, 2]))
    bulbs = tuple(_sample_lamp(rng, 550, (5, 80), rng.uniform(0.15, _WARM), 0.65) for _ in range(number))
    return _mix_light(rng, bulbs, rng.uniform(0.6, 0.96), rng.uniform(-0.4, 0.35))


def _sample_lamp(
    rng: np.random.Generator, height: float, radius: tuple[float, float], warmth: float, spread: float
) -> Lamp:
    azimuth, height_mm = rng.uniform(0, 2 * np.pi), height * rng.uniform(0.6, 1.6)
    distance = height_mm * abs(rng.normal(0, 1)) * spread * 1.4
    place = np.array([np.cos(azimuth) * distance, np.sin(azimuth) * distance, height_mm], np.float32)
    return Lamp(place, float(rng.uniform(*radius)), tint(warmth))


def tint(warmth: float) -> Floats:
    """Linear BGR with luminance near 1; `warmth` is the logarithm of red over blue."""
    return floats(np.exp(np.array([-0.55, 0.0, 0.45]) * warmth))


def _mix_light(
    rng: np.random.Generator, lamps: tuple[Lamp, ...], share: float, sky_warmth: float
) -> tuple[tuple[Lamp, ...], Floats]:
    """Scale the lamps to give `share` of the light at the mat's centre; the room gives the rest."""
    parts = rng.dirichlet(np.full(len(lamps), 3.0)) * share
    scaled = tuple(
        Lamp(lamp.place_mm, lamp.radius_mm, (lamp.colour * part).astype(np.float32))
        for lamp, part in zip(lamps, parts, strict=True)
    )
    return scaled, (tint(sky_warmth) * (1 - share)).astype(np.float32)


def sample_shade(rng: np.random.Generator, name: LightName) -> tuple[tuple[Floats, float], ...]:
    """Sample shadows of window bars, a head or a lampshade: (polygon on the table, softness in mm)."""
    if name != "shadow" and rng.random() < 0.75:
        return ()
    soft = float(rng.choice([rng.uniform(0.5, 4), rng.uniform(4, 30)]))
    return tuple((_sample_strip(rng), soft) for _ in range(rng.integers(1, 4)))


def _sample_strip(rng: np.random.Generator) -> Floats:
    angle, width = rng.uniform(0, np.pi), rng.uniform(15, 160)
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    middle = rng.uniform(-110, 110, 2)
    corners: npt.NDArray[np.float64] = np.array(
        [middle + 500 * i * along + width / 2 * j * across for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    )
    return floats(corners)


def lambert(lamp: Lamp, points_mm: Floats, normals: Floats) -> Floats:
    """(..., 1) light on surfaces; 1 at the mat's centre, facing up, with the lamp straight above."""
    to_lamp = lamp.place_mm - points_mm
    distance = np.linalg.norm(to_lamp, axis=-1, keepdims=True)
    facing = np.maximum((to_lamp / distance * normals).sum(-1, keepdims=True), 0)
    reference = float(np.linalg.norm(lamp.place_mm))
    return floats(facing * (reference / distance) ** 2)
