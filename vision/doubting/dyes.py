"""Whether the colours of a picture can be right, where only the cubes themselves tell.

Without mat and calibration the light is a guess, and the networks name each cube by what it is beside the
others. So cubes whose red and blue the camera exchanges, or which a magenta lamp lights, are named too, and
some of them surely. What wooden cubes usually look like was measured (`calibration.measuring.dyes`): a/L and
b/L of Oklab, which shading leaves as they are, and how light each dye is beside the others of its tray.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.finding.candidates import Candidate, face
from vision.levels import quantile
from vision.palette import Palette, oklab
from vision.pictures import Picture

_FILE = Path(__file__).parents[1] / "data" / "dyes.json"
_LOOKS = 0.9
"""Presence from which a cube's face is looked at, and half of that the share of its colour."""
_DARKEST, _LIGHTNESS_FLOOR = 0.05, 0.12
"""L below which its logarithm, and a/L and b/L, are noise."""
_STRANGE, _EXCHANGED = 8.0, 2.0
"""Of 1,333 trays that were answered without a mat, twelve of them wrongly, nine are asked about by that,
three of them wrong; with red and blue exchanged 139 of 189 that were wrong in silence, by a candle 17 of 49
(by a script that spoils pictures as `tests.bench.spoilt` does)."""
_BLACK = "black"
_TURNS = 2
"""Names and lightness of an exchanged picture hang on each other: each is found again so often."""

Floats = npt.NDArray[np.float64]
Faces = Mapping[str, Floats]
"""(N, 3) of each colour: of each of its N cubes the median BGR of its face, 0..255, under white light."""


@dataclass(frozen=True, slots=True)
class Dye:
    """What cubes of one colour usually look like."""

    mean: Floats
    """(3,): logarithm of L, a/L, b/L."""
    precision: Floats
    """(3, 3): inverse of what that varies by; L beside the tray's other dyes."""

    def shaded(self, by: float) -> "Dye":
        """The same where lightness varies by so much besides (standard deviation)."""
        covariance = np.linalg.inv(self.precision) + np.diag((by**2, 0.0, 0.0))
        return Dye(self.mean, np.linalg.inv(covariance))

    def strangeness(self, looks: Floats) -> Floats:
        """(N,) squared Mahalanobis distances of (N, 3) looks."""
        away = looks - self.mean
        return np.asarray(np.einsum("ni,ij,nj->n", away, self.precision, away))

    def unlikeliness(self, looks: Floats) -> Floats:
        """(N,) minus the logarithms of their densities, but for what all dyes have in common."""
        return np.asarray(0.5 * (self.strangeness(looks) - np.linalg.slogdet(self.precision)[1]))


def faces_of(image: Picture, candidates: Sequence[Candidate], palette: Palette) -> Faces:
    """What the surest cubes of a (H, W, 3) uint8 BGR picture under white light look like."""
    seen: dict[str, list[Floats]] = {}
    for one in candidates:
        if one.presence < _LOOKS or one.under or max(one.shares) < _LOOKS / 2:
            continue
        x, y = (round(v) for v in one.centre_px)
        pixels = face(image, x, y, one.edge_px)
        if len(pixels):
            colour = palette.colours[one.colour_index]
            seen.setdefault(colour, []).append(quantile(pixels, 0.5))
    return {colour: np.array(cubes) for colour, cubes in seen.items()}


def are_false(faces: Faces) -> bool:
    """Whether no usual cubes look like that, or cubes whose red and blue are exchanged do better.

    Black cubes alone are black by any light.
    """
    if not set(faces) - {_BLACK}:
        return False
    return strangeness(faces) > _STRANGE or exchange(faces) > _EXCHANGED


def strangeness(faces: Faces) -> float:
    """Mean squared Mahalanobis distance of the tray's dyes from those they are named as; 0 without cubes."""
    if not faces:
        return 0.0
    names = list(faces)
    looks = levelled(names, np.array([looks_of(cubes).mean(axis=0) for cubes in faces.values()]))
    return float(np.mean(_as_named(names, [dye.strangeness(looks) for dye in usual().values()])))


def exchange(faces: Faces) -> float:
    """Logarithm of how much likelier the tray's dyes are with red and blue exchanged, each cube by any name.

    A colour's cubes count as one, as they err together.
    """
    named = [colour for colour, cubes in faces.items() for _ in cubes]
    if not named:
        return 0.0
    cubes = np.vstack([*faces.values()])
    seen, turned = looks_of(cubes), looks_of(cubes[:, ::-1])
    there = _likeliest(turned, lightness=False)
    for _ in range(_TURNS):
        there = _likeliest(levelled(there, turned))
    gained = _unlikeliness(named, levelled(named, seen)) - _unlikeliness(there, levelled(there, turned))
    return float(sum(gained[[name == colour for name in named]].mean() for colour in faces))


def looks_of(cubes: Floats) -> Floats:
    """(N, 3) of (N, 3) BGR: logarithm of L, a/L, b/L."""
    lab = oklab(cubes)
    lightness = lab[:, :1]
    ratios = lab[:, 1:] / np.maximum(lightness, _LIGHTNESS_FLOOR)
    return np.hstack([np.log(np.maximum(lightness, _DARKEST)), ratios])


def levelled(names: Sequence[str], looks: Floats, means: Mapping[str, Floats] | None = None) -> Floats:
    """(N, 3) looks of cubes of these dyes under the tray's own light: as light as they are in the middle.

    Black is as light as it should be: how much of it is gloss nobody knows. `means`: of each dye, instead of
    the usual ones.
    """
    means = means or {colour: dye.mean for colour, dye in usual().items()}
    lightness = np.array([means[name][0] for name in names])
    black = np.array([name == _BLACK for name in names], bool)
    out = looks.copy()
    if not black.all():
        out[:, 0] -= np.median((looks[:, 0] - lightness)[~black])
    out[black, 0] = lightness[black]
    return out


@cache
def usual() -> Mapping[str, Dye]:
    """Of each of Shogun's colours."""
    kept = json.loads(_FILE.read_text(encoding="utf-8"))
    return {
        colour: Dye(np.array(one["mean"]), np.linalg.inv(np.array(one["covariance"])))
        for colour, one in kept.items()
    }


def _likeliest(looks: Floats, *, lightness: bool = True) -> list[str]:
    """The dye that each of (N, 3) looks most like; without `lightness`, by tint alone."""
    each = []
    for name, dye in usual().items():
        own = looks.copy()
        if not lightness or name == _BLACK:
            own[:, 0] = dye.mean[0]
        each.append(dye.unlikeliness(own))
    names = list(usual())
    return [names[best] for best in np.argmin(each, axis=0)]


def _unlikeliness(names: Sequence[str], looks: Floats) -> Floats:
    """(N,) of each of (N, 3) looks as what it is named."""
    return _as_named(names, [dye.unlikeliness(looks) for dye in usual().values()])


def _as_named(names: Sequence[str], of_dyes: Sequence[Floats]) -> Floats:
    """(N,) of what each dye says of N cubes, that of the dye which each is named."""
    order = {name: number for number, name in enumerate(usual())}
    return np.array(of_dyes)[[order[name] for name in names], np.arange(len(names))]
