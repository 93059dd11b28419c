"""What the cubes' colours look like under white light, whatever their shading; fitted, and teachable.

Oklab (Ottosson 2020) is homogeneous: light scaled by s scales L, a and b by the cube root of s. So a/L and
b/L are the same on a cube's bright top, its dark side and in a shadow, and a Gaussian mixture per colour in
(L, a/L, b/L) knows both the hue and how dark it may become. A lookup table of all colours makes it fast.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import exp, lgamma, log, pi
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from vision.pictures import Picture
from vision.scene.light import linear_to_srgb, srgb_to_linear

if TYPE_CHECKING:
    from sklearn.mixture import GaussianMixture

Floats = npt.NDArray[np.float64]
Samples = npt.NDArray[np.uint8]

SHOGUN_SRGB: Mapping[str, tuple[int, int, int]] = {
    "red": (186, 57, 52),
    "blue": (54, 90, 146),
    "black": (50, 48, 47),
    "yellow": (205, 180, 68),
    "purple": (123, 69, 113),
    "green": (50, 110, 63),
}
"""Usual wooden cubes: a sunlit face, with paper at 235."""
COLOURS_AT_LEAST, COLOURS_AT_MOST = 2, 8

_BITS = 5
"""Bits per channel of the lookup table."""
_LIGHTNESS_FLOOR = 0.12
"""Lightness below which a/L and b/L are noise."""
_UNLIKELY = -14.0
"""Natural log density below which a pixel is no cube at all: 0.1 % of the samples lie below."""
_SEED = 7
_OF_LIGHTNESS, _OF_HUE, _GRAIN = 0.06, 0.01, 0.003
"""Standard deviations between two tops of one colour on one table: of log L, of a/L and b/L, and what the
camera's grain adds to the latter, to be divided by L. Fitted to 2,600 cubes of 58 rendered tables with
colours other than Shogun's, and deliberately wider than the fit."""
_ALIKE = (0.1, 0.02, 0.02)
"""Differences of log L, a/L and b/L within which a floor and a colour look the same."""
_NORMAL = 1.48
"""Standard deviations per median absolute deviation."""
_TAILS = 6
"""Degrees of freedom (Student's t): a top that mirrors, or lies in a shadow, is further off."""
_UNTAUGHT = 0.005
"""Probability, before it was looked at, that a cube has a colour that was not taught."""
_ANY_DYE = 4.0
"""Density of dyes of any colour over log L, a/L and b/L: 1 / (1.3 x 0.45 x 0.45), the range of 22 dyes."""


@dataclass(frozen=True)
class Palette:
    """Two to eight named colours, each a cloud of pixels under white light."""

    samples: Mapping[str, Samples]
    """(N, 3) uint8 sRGB for each colour, with paper at `vision.scene.light.PAPER_LEVEL`."""
    usual: bool = False
    """Whether these are the colours of cubes in general, not of this table's own cubes."""
    taught: Mapping[str, Samples] = field(default_factory=dict)
    """(N, 3) uint8 sRGB as seen on the tops of this table's cubes, for all colours or for none."""

    def __post_init__(self) -> None:
        if not COLOURS_AT_LEAST <= len(self.samples) <= COLOURS_AT_MOST:
            raise ValueError(f"a palette has 2 to 8 colours, not {len(self.samples)}")

    @classmethod
    def of_colours(cls, srgb: Mapping[str, tuple[int, int, int]]) -> "Palette":
        """Make a palette from one colour each, simulating shading, gloss and an imperfect white."""
        return cls({name: _simulate_pixels(np.array([colour], np.uint8)) for name, colour in srgb.items()})

    @classmethod
    def of_samples(cls, srgb: Mapping[str, npt.ArrayLike]) -> "Palette":
        """Make a palette from pixels of real cubes under white light, (N, 3) sRGB each, as calibrated."""
        taught = {name: np.asarray(pixels, np.uint8).reshape(-1, 3) for name, pixels in srgb.items()}
        return cls({name: _simulate_pixels(pixels) for name, pixels in taught.items()}, taught=taught)

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """Names, in the order of the indices this class uses."""
        return tuple(self.samples)

    @cached_property
    def completed(self) -> "Palette":
        """This palette plus usual cubes of the Shogun colours it lacks; for palettes of Shogun colours
        only."""
        return Palette({**SHOGUN.samples, **self.samples}, self.usual)

    @cached_property
    def srgb(self) -> Mapping[str, tuple[int, int, int]]:
        """A typical colour for each name, for drawing."""
        return {n: _rgb(np.percentile(pixels, 70, axis=0)) for n, pixels in self.samples.items()}

    @cached_property
    def _models(self) -> "tuple[GaussianMixture, ...]":
        from sklearn.mixture import GaussianMixture  # noqa: PLC0415 - seconds, and only taught colours need it

        return tuple(
            GaussianMixture(2, reg_covar=4e-4, random_state=_SEED).fit(
                _features(pixels[:, ::-1].astype(np.float64))
            )
            for pixels in self.samples.values()
        )

    @cached_property
    def _table(self) -> npt.NDArray[np.float32]:
        """(32768, colours) log densities for each coarse colour."""
        steps = (np.arange(1 << _BITS) + 0.5) * (256 >> _BITS)
        blue, green, red = np.meshgrid(steps, steps, steps, indexing="ij")
        return self.log_density(np.stack([blue, green, red], -1).reshape(-1, 3)).astype(np.float32)

    @cached_property
    def _labels(self) -> npt.NDArray[np.int8]:
        best = np.where(self._table.max(axis=1) < _UNLIKELY, -1, self._table.argmax(axis=1))
        return np.asarray(best, np.int8)

    def log_density(self, bgr: npt.ArrayLike) -> Floats:
        """(N, colours) natural log densities of (N, 3) BGR pixels under white light."""
        features = _features(np.asarray(bgr, np.float64))
        return np.stack([model.score_samples(features) for model in self._models], axis=1)

    def label(self, image: Picture) -> npt.NDArray[np.int8]:
        """(H, W) index of the likeliest colour of each pixel, -1 if none is likely."""
        return np.asarray(np.take(self._labels, _coarse_index(image)), np.int8)

    def shares(self, bgr: npt.NDArray[np.uint8]) -> Floats:
        """(colours,) probabilities of the colour that these (N, 3) pixels of one cube show together."""
        if not len(bgr):
            return np.full(len(self.samples), 1 / len(self.samples))
        if self.taught:
            return self._shares_beside_taught(bgr)
        logs = np.clip(self._table[_coarse_index(bgr)], _UNLIKELY, None).astype(np.float64).mean(axis=0)
        # Pixels of one face err together (tint, gloss), so their evidence is averaged, not summed.
        shares = np.exp(1.5 * (logs - logs.max()))
        return np.asarray(shares / shares.sum(), np.float64)

    def likes(self, bgr: npt.NDArray[np.uint8]) -> Mapping[str, float]:
        """Fraction of these (N, 3) pixels that look like each taught colour; empty if none was taught."""
        if not self.taught or not len(bgr):
            return {}
        features = _top_features(bgr)
        near = [(np.abs(features - top) < _ALIKE).all(axis=1).mean() for top in self._taught_tops[0]]
        return {colour: float(share) for colour, share in zip(self.taught, near, strict=True)}

    def untaught(self, bgr: npt.NDArray[np.uint8]) -> float:
        """Probability that these (N, 3) pixels of one cube show a colour that was not taught; 0 if none
        was."""
        if not self.taught or not len(bgr):
            return 0.0
        logs = self._densities_beside_taught(bgr) + log((1 - _UNTAUGHT) / len(self.taught))
        other = log(_UNTAUGHT * _ANY_DYE)
        return exp(other - float(np.logaddexp.reduce([*logs, other])))

    def _shares_beside_taught(self, bgr: npt.NDArray[np.uint8]) -> Floats:
        """`shares` from the taught tops, which vary far less on one table than what a mixture must accept."""
        logs = self._densities_beside_taught(bgr)
        shares = np.exp(logs - logs.max())
        return np.asarray(shares / shares.sum(), np.float64)

    def _densities_beside_taught(self, bgr: npt.NDArray[np.uint8]) -> Floats:
        """(colours,) natural log densities (Student's t) of the median of these tops beside the taught
        ones."""
        means, spreads = self._taught_tops
        squared_distances = ((np.median(_top_features(bgr), axis=0) - means) / spreads) ** 2
        power, wide = (_TAILS + means.shape[1]) / 2, means.shape[1] / 2
        level = lgamma(power) - lgamma(_TAILS / 2) - wide * log(_TAILS * pi)
        tails = power * np.log1p(squared_distances.sum(axis=1) / _TAILS)
        return np.asarray(level - np.log(spreads).sum(axis=1) - tails, np.float64)

    @cached_property
    def _taught_tops(self) -> tuple[Floats, Floats]:
        """(colours, 3) medians of the taught tops, and the standard deviations expected of another cube's
        top."""
        features = [_top_features(pixels[:, ::-1]) for pixels in self.taught.values()]
        medians = np.array([np.median(tops, axis=0) for tops in features])
        spreads = np.array(
            [_NORMAL * np.median(np.abs(t - m), axis=0) for t, m in zip(features, medians, strict=True)]
        )
        hue = np.hypot(_OF_HUE, _GRAIN / np.exp(medians[:, 0]))
        usual = np.stack([np.full(len(features), _OF_LIGHTNESS), hue, hue], axis=1)
        return medians, np.asarray(np.hypot(usual, spreads), np.float64)


def oklab(bgr: npt.ArrayLike) -> Floats:
    """Convert (N, 3) BGR, 0..255, to Oklab L, a, b (Ottosson, "A perceptual color space", 2020)."""
    linear = srgb_to_linear(np.asarray(bgr, np.float64)[:, ::-1])
    cones = np.cbrt(linear @ _TO_CONES.T)
    return np.asarray(cones @ _TO_LAB.T, np.float64)


_TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def _features(bgr: Floats) -> Floats:
    lab = oklab(bgr)
    lightness = lab[:, :1]
    return np.concatenate([lightness, lab[:, 1:] / np.maximum(lightness, _LIGHTNESS_FLOOR)], axis=1)


def _top_features(bgr: npt.ArrayLike) -> Floats:
    """(N, 3) log L, a/L and b/L: shading only adds to the first."""
    features = _features(np.asarray(bgr, np.float64))
    features[:, 0] = np.log(np.maximum(features[:, 0], _LIGHTNESS_FLOOR))
    return features


def _coarse_index(bgr: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
    coarse = (bgr >> (8 - _BITS)).astype(np.uint16)
    return np.asarray(coarse[..., 0] << (2 * _BITS) | coarse[..., 1] << _BITS | coarse[..., 2], np.uint16)


def _simulate_pixels(srgb: Samples) -> Samples:
    """(2000, 3): the given pixels in more and less light, with gloss and a slightly wrong white."""
    rng = np.random.default_rng(_SEED)
    linear = srgb_to_linear(srgb[rng.integers(0, len(srgb), 2000)])
    shade = np.exp(rng.normal(-0.25, 0.42, (2000, 1)))
    tint = np.exp(rng.normal(0, 0.09, (2000, 3)))
    gloss = np.abs(rng.normal(0, 0.008, (2000, 1)))
    stored = linear_to_srgb(linear * shade * tint + gloss) + rng.normal(0, 2.5, (2000, 3))
    return np.asarray(np.clip(np.round(stored), 0, 255), np.uint8)


def _rgb(values: Floats) -> tuple[int, int, int]:
    red, green, blue = (int(v) for v in values)
    return red, green, blue


SHOGUN = Palette(Palette.of_colours(SHOGUN_SRGB).samples, usual=True)
"""The palette if nothing was calibrated."""
