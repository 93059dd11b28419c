"""Colours of real cubes: different dyes, faded by sun, darkened by hands."""

from collections.abc import Callable, Mapping

import cv2
import numpy as np

from calibration.synth.scene import Floats, floats, linear


def sample_albedos(
    rng: np.random.Generator, palette: Mapping[str, tuple[int, int, int]], plain: bool
) -> Callable[[str], Floats]:
    """Sample one set of cubes: shared dyes and wear, then a small variation of each cube."""
    if plain:
        return lambda colour: linear(palette[colour])
    fade = rng.choice([0.0, rng.uniform(0, 0.45)])
    darker = rng.choice([1.0, rng.uniform(0.5, 1.0)])
    dyes = {name: _dye(rng, srgb) for name, srgb in palette.items()}
    uneven = rng.uniform(0.0, 0.12)

    def albedo(colour: str) -> Floats:
        dye = dyes[colour]
        grey = np.float32(dye.mean() * 0.6 + 0.16 * (0.4 if colour == "black" else 1.0))
        worn = (dye * (1 - fade) + grey * fade) * darker * np.exp(rng.normal(0, uneven))
        return floats(np.clip(worn, 0.008, 0.9))

    return albedo


def _dye(rng: np.random.Generator, srgb: tuple[int, int, int]) -> Floats:
    """Another maker's dye for the same colour name, never so different that it becomes its neighbour."""
    lab = cv2.cvtColor(np.array([[srgb[::-1]]], np.float32) / 255, cv2.COLOR_BGR2LAB)[0, 0]
    chroma, hue = float(np.hypot(lab[1], lab[2])), float(np.arctan2(lab[2], lab[1]))
    if chroma < 12:  # black stays black
        lab = np.array([lab[0] + rng.uniform(-6, 10), *rng.normal(0, 2.0, 2)], np.float32)
    else:
        hue += float(rng.normal(0, 0.1))
        chroma *= float(rng.uniform(0.75, 1.12))
        lab = np.array(
            [lab[0] + rng.normal(0, 5), chroma * np.cos(hue), chroma * np.sin(hue)], dtype=np.float32
        )
    bgr = cv2.cvtColor(lab.reshape(1, 1, 3), cv2.COLOR_LAB2BGR)[0, 0]
    return linear(np.clip(bgr[::-1] * 255, 2, 255).astype(np.float32))
