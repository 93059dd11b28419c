"""Where cubes may be and which colour each may have: the network's places, the palette's and its colours."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.cubes import Mask, find_cubes
from vision.detector import COLOURS, Detection
from vision.palette import Palette
from vision.pictures import Picture
from vision.rectify import PX_PER_MM

TAUGHT_WEIGHT = 0.5
"""Exponent of a taught palette's shares beside the network's: it looks at a few pixels and knows no context.
One of cubes in general is left out: it has nothing to add (`calibration.evaluate_colours`)."""
_SURE = 0.95
_SURER = 0.4
"""Of the error that a score above `_SURE` admits, what was seen: 1 in 755 on real pictures, not 1 in 100."""
_SHADOW_FROM = 0.45
"""Of the floor's level as stored: 95 % of black cubes on light floors are darker, cast shadows are not."""
_SHADOW_LOGITS = 12.0
"""Per unit of that share: what a black cube half as dark as it should be loses."""
_LIGHT_FLOOR = 110
_AROUND = 2.5
"""Half side of the surroundings, in edges."""
_DARK_COLOUR = 80
_MAY_LIE_UNDER = 0.002
_ITSELF = 0.8
"""Edges between two cubes of which the further out may be the lower one."""
_FACE = 0.28
"""Half side of the square, in edges, from which the palette takes its pixels."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may be a cube, in the rectified picture."""

    centre_px: tuple[float, float]
    edge_px: float
    presence: float
    """0..1: that it is one cube."""
    shares: tuple[float, ...]
    """Probability of each colour of the palette."""
    under: bool = False
    """It lies under the cube that has the same centre."""

    @property
    def colour_index(self) -> int:
        """The likeliest colour."""
        return int(np.argmax(self.shares))

    @property
    def confidence(self) -> float:
        """0..1: that it is one cube of its likeliest colour."""
        return self.presence * max(self.shares)


def find_candidates(image: Picture, palette: Palette, peaks: Sequence[Detection]) -> list[Candidate]:
    """What the peaks of a (H, W, 3) uint8 BGR picture under white light may be, in the palette's colours."""
    found = []
    known = all(colour in COLOURS for colour in palette.colours)
    for peak in peaks:
        x, y = (round(v) for v in peak.centre_px)
        top = face(image, x, y, peak.edge_px)
        shares = _shares(top, peak, palette, known=known)
        presence = _surer(peak.score)
        if max(palette.srgb[palette.colours[int(np.argmax(shares))]]) < _DARK_COLOUR:
            presence = _not_a_shadow(presence, image, x, y, peak.edge_px)
        counted = presence * (_of_palette(top, peak, palette) if known else 1.0)
        found.append(Candidate(peak.centre_px, peak.edge_px, counted, tuple(float(s) for s in shares)))
        if peak.under > _MAY_LIE_UNDER:
            found.append(_lower(peak, presence, palette, known=known))
    return [_not_twice(one, found) if one.under else one for one in found]


def lying(peaks: Sequence[Detection], inside: Mask) -> list[Detection]:
    """Those whose centres lie where `inside`, (H, W), is not zero."""
    height, width = inside.shape
    places = [tuple(round(v) for v in peak.centre_px) for peak in peaks]
    return [
        peak
        for peak, (x, y) in zip(peaks, places, strict=True)
        if 0 <= x < width and 0 <= y < height and inside[y, x]
    ]


def _shares(top: Picture, peak: Detection, palette: Palette, *, known: bool) -> Floats:
    """(C,) of each colour of the palette, of the (N, 3) pixels of a top."""
    if not known:
        return palette.shares(top)
    shares = np.array([peak.colour_shares[COLOURS.index(c)] for c in palette.colours])
    if not palette.usual:
        shares = shares * palette.shares(top) ** TAUGHT_WEIGHT
    return np.asarray(shares / max(1e-12, float(shares.sum())))


def _of_palette(top: Picture, peak: Detection, palette: Palette) -> float:
    """0..1: that a cube has one of the palette's colours, where that lacks some that the network knows.

    Black cubes that could not be taught in a dark tray are to be counted by hand, not as purple ones.
    """
    if len(palette.colours) == len(COLOURS):
        return 1.0
    every = palette.completed
    shares = _shares(top, peak, every, known=True)
    return float(sum(shares[every.colours.index(c)] for c in palette.colours))


def _lower(peak: Detection, presence: float, palette: Palette, *, known: bool) -> Candidate:
    """What may lie under a cube; of a palette that the network does not know it cannot tell the colour."""
    shares = [peak.under_shares[COLOURS.index(c)] if known else 1.0 for c in palette.colours]
    shares = [share / max(1e-12, sum(shares)) for share in shares]
    return Candidate(peak.centre_px, peak.edge_px, presence * peak.under, tuple(shares), under=True)


def _not_twice(lower: Candidate, found: Sequence[Candidate]) -> Candidate:
    """A cube beside the upper one may itself be what the network says lies under it."""
    free = 1.0
    for other in found:
        apart = float(np.hypot(*np.subtract(other.centre_px, lower.centre_px)))
        if not other.under and 0 < apart < _ITSELF * lower.edge_px:
            free *= 1 - other.presence * other.shares[lower.colour_index]
    return replace(lower, presence=lower.presence * free)


def classical_candidates(image: Picture, inside: Mask, palette: Palette, edge_mm: float) -> list[Candidate]:
    """The same by colour and size alone."""
    return [
        Candidate(
            f.centre_px,
            f.edge_px,
            f.score,
            tuple(float(c == f.colour) for c in palette.colours),
        )
        for f in find_cubes(image, inside, palette, edge_mm * PX_PER_MM)
    ]


def usual_edge_px(candidates: Sequence[Candidate]) -> float | None:
    """The edge that the cubes share, by the median of the sure ones; None without any."""
    edges = [c.edge_px for c in candidates if c.presence > 0.5]
    return float(np.median(edges)) if edges else None


def _surer(score: float) -> float:
    """The network's scores are probabilities, fitted where it is unsure; its sure ones are too modest."""
    return 1 - (1 - score) * _SURER if score > _SURE else score


def _not_a_shadow(presence: float, image: Picture, x: int, y: int, edge_px: float) -> float:
    """A black cube's probability, less where it is hardly darker than a shadow on a light floor."""
    reach = round(_AROUND * edge_px)
    around = image[max(0, y - reach) : y + reach + 1 : 2, max(0, x - reach) : x + reach + 1 : 2]
    floor = float(np.percentile(around.max(axis=2), 70))
    share = float(np.median(face(image, x, y, edge_px).max(axis=1))) / max(1.0, floor)
    if floor < _LIGHT_FLOOR or share < _SHADOW_FROM:
        return presence
    odds = presence / max(1e-9, 1 - presence) * float(np.exp(-_SHADOW_LOGITS * (share - _SHADOW_FROM)))
    return odds / (1 + odds)


def face(image: Picture, x: int, y: int, edge_px: float) -> Picture:
    """(N, 3) pixels of the cube's top; a cube seen from above shows its top about its centre."""
    reach = max(1, round(_FACE * edge_px))
    return image[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1].reshape(-1, 3)
