"""Whether the colours of a picture can be right, if only the cubes themselves tell.

Without mat and calibration the light is a guess, and the networks name each cube relative to the others. So
they also name cubes, some of them confidently, when the camera swaps red and blue or a magenta lamp lights
them. The usual look of wooden cubes was measured (`calibration.measuring.dyes`): a/L and b/L of Oklab, which
shading leaves as they are, and how light each dye is relative to the others of its tray.
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
"""Least presence of a cube whose face is looked at, and twice the least share of its colour."""
_DARKEST, _LIGHTNESS_FLOOR = 0.05, 0.12
"""L below which its logarithm, and below which a/L and b/L, are noise."""
_STRANGE, _EXCHANGED = 8.0, 2.0
"""Strangeness, and gain by exchanging red and blue, above which colours are false. Of 1,333 trays that were
answered without a mat, twelve of them wrongly, this asks about nine, three of them wrong; with red and blue
exchanged it finds 139 of 189 that were silently wrong, by candlelight 17 of 49 (by a script that spoils
pictures as `tests.bench.spoilt` does)."""
_BLACK = "black"
_TURNS = 2
"""Iterations in which names and lightness of an exchanged picture, which depend on each other, are found."""

Floats = npt.NDArray[np.float64]
Faces = Mapping[str, Floats]
"""For each colour, (N, 3) median BGR (0..255, under white light) of the faces of its N cubes."""


@dataclass(frozen=True, slots=True)
class Dye:
    """The usual look of cubes of one colour."""

    mean: Floats
    """(3,) mean of log L, a/L and b/L."""
    precision: Floats
    """(3, 3) inverse of their covariance; L is relative to the tray's other dyes."""

    def with_lightness_deviation(self, deviation: float) -> "Dye":
        """Return the same dye with an additional standard `deviation` of log lightness."""
        covariance = np.linalg.inv(self.precision) + np.diag((deviation**2, 0.0, 0.0))
        return Dye(self.mean, np.linalg.inv(covariance))

    def strangeness(self, looks: Floats) -> Floats:
        """Return (N,) squared Mahalanobis distances of (N, 3) looks."""
        offsets = looks - self.mean
        return np.asarray(np.einsum("ni,ij,nj->n", offsets, self.precision, offsets))

    def unlikeliness(self, looks: Floats) -> Floats:
        """Return (N,) negative log densities, up to a constant that all dyes share."""
        return np.asarray(0.5 * (self.strangeness(looks) - np.linalg.slogdet(self.precision)[1]))


def faces_of(image: Picture, candidates: Sequence[Candidate], palette: Palette) -> Faces:
    """Return the faces of the surest cubes in a (H, W, 3) uint8 BGR picture under white light."""
    seen: dict[str, list[Floats]] = {}
    for candidate in candidates:
        if candidate.presence < _LOOKS or candidate.under or max(candidate.shares) < _LOOKS / 2:
            continue
        x, y = (round(v) for v in candidate.centre_px)
        pixels = face(image, x, y, candidate.edge_px)
        if len(pixels):
            colour = palette.colours[candidate.colour_index]
            seen.setdefault(colour, []).append(quantile(pixels, 0.5))
    return {colour: np.array(cubes) for colour, cubes in seen.items()}


def are_colours_false(faces: Faces) -> bool:
    """Return whether the faces fit no usual cubes, or fit better with red and blue exchanged.

    Black cubes alone never count as false: they are black in any light.
    """
    if not set(faces) - {_BLACK}:
        return False
    return strangeness(faces) > _STRANGE or exchange_gain(faces) > _EXCHANGED


def strangeness(faces: Faces) -> float:
    """Return the mean squared Mahalanobis distance of the tray's dyes from their names; 0 without cubes."""
    if not faces:
        return 0.0
    names = list(faces)
    looks = normalise_lightness(names, np.array([looks_of(cubes).mean(axis=0) for cubes in faces.values()]))
    return float(np.mean(_select_named(names, [dye.strangeness(looks) for dye in usual_dyes().values()])))


def exchange_gain(faces: Faces) -> float:
    """Return the gain in log likelihood with red and blue exchanged and each cube given its likeliest name.

    All cubes of a colour count as one, since they err together.
    """
    named = [colour for colour, cubes in faces.items() for _ in cubes]
    if not named:
        return 0.0
    cubes = np.vstack([*faces.values()])
    seen, turned = looks_of(cubes), looks_of(cubes[:, ::-1])
    turned_names = _likeliest(turned, lightness=False)
    for _ in range(_TURNS):
        turned_names = _likeliest(normalise_lightness(turned_names, turned))
    gains = _unlikeliness(named, normalise_lightness(named, seen)) - _unlikeliness(
        turned_names, normalise_lightness(turned_names, turned)
    )
    return float(sum(gains[[name == colour for name in named]].mean() for colour in faces))


def looks_of(cubes: Floats) -> Floats:
    """Convert (N, 3) BGR to (N, 3) looks: log L, a/L, b/L."""
    lab = oklab(cubes)
    lightness = lab[:, :1]
    ratios = lab[:, 1:] / np.maximum(lightness, _LIGHTNESS_FLOOR)
    return np.hstack([np.log(np.maximum(lightness, _DARKEST)), ratios])


def normalise_lightness(
    names: Sequence[str], looks: Floats, means: Mapping[str, Floats] | None = None
) -> Floats:
    """Return (N, 3) looks with the tray's own light removed: their median lightness is the usual one.

    Black gets its usual lightness, as how much of it is gloss is unknown. `means`: those of the dyes, instead
    of the usual ones.
    """
    means = means or {colour: dye.mean for colour, dye in usual_dyes().items()}
    lightness = np.array([means[name][0] for name in names])
    is_black = np.array([name == _BLACK for name in names], bool)
    normalised = looks.copy()
    if not is_black.all():
        normalised[:, 0] -= np.median((looks[:, 0] - lightness)[~is_black])
    normalised[is_black, 0] = lightness[is_black]
    return normalised


@cache
def usual_dyes() -> Mapping[str, Dye]:
    """Return the usual dye of each of Shogun's colours."""
    entries = json.loads(_FILE.read_text(encoding="utf-8"))
    return {
        colour: Dye(np.array(entry["mean"]), np.linalg.inv(np.array(entry["covariance"])))
        for colour, entry in entries.items()
    }


def _likeliest(looks: Floats, *, lightness: bool = True) -> list[str]:
    """Return the dye that each of (N, 3) looks fits best; without `lightness`, by tint alone."""
    unlikeliness = []
    for name, dye in usual_dyes().items():
        compared = looks.copy()
        if not lightness or name == _BLACK:
            compared[:, 0] = dye.mean[0]
        unlikeliness.append(dye.unlikeliness(compared))
    names = list(usual_dyes())
    return [names[best] for best in np.argmin(unlikeliness, axis=0)]


def _unlikeliness(names: Sequence[str], looks: Floats) -> Floats:
    """Return (N,) unlikeliness of each of (N, 3) looks as what it is named."""
    return _select_named(names, [dye.unlikeliness(looks) for dye in usual_dyes().values()])


def _select_named(names: Sequence[str], values_by_dye: Sequence[Floats]) -> Floats:
    """Return (N,) values, for each of N cubes the one of the dye that it is named."""
    row_of = {name: number for number, name in enumerate(usual_dyes())}
    return np.array(values_by_dye)[[row_of[name] for name in names], np.arange(len(names))]
