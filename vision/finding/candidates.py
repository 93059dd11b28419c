"""Where cubes may be and which colour each may have, from the network's places and colours and the
palette."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.finding.detector import COLOURS, Detection
from vision.levels import quantile, strongest_channel
from vision.palette import Palette
from vision.pictures import Mask, Picture
from vision.scene.light import srgb_to_linear

TAUGHT_WEIGHT = 0.5
"""Exponent of a taught palette's shares when combined with the network's: the palette sees only a few pixels
and no context. A palette of usual cubes is left out: it has nothing to add
(`calibration.measuring.colours`)."""
_GLOSSY = 0.25
"""Linear light, 1 at full scale, of a top's weakest channel above which the top mirrors a lamp and hardly
shows its dye: three cubes in a hundred on path-traced tables, next to none on rendered ones. On such tops the
networks with a taught palette misnamed seven of 151, the networks alone three."""
_SURE = 0.95
_SURER = 0.4
"""Fraction of the error that a score above `_SURE` implies that was observed: 1 in 755 on real pictures, not
1 in 100."""
_SHADOW_FROM = 0.45
"""Fraction of the floor's stored level: 95 % of black cubes on light floors are darker, cast shadows are
not."""
_SHADOW_LOGITS = 12.0
"""Logits that a black candidate loses per unit by which that fraction exceeds `_SHADOW_FROM`."""
_LIGHT_FLOOR = 110
_AROUND = 2.5
"""Half the side of the surroundings, in edges."""
_DARK_COLOUR = 80
_OTHERS, _NO_OTHER = 0.5, 0.5
"""Logits that sure black cubes add to another black candidate: per unit of log(1 + their number), and a
constant that holds even without any. The networks see a place and its neighbours, not what else was thrown.
Of 25 black places in doubt on the light floors of 2,400 trays 20 held a cube, where the looks alone predict
ten; shadows had already been removed (`vision.comparing.cast`). Other colours gain nothing."""
_OTHERS_DARK, _NO_OTHER_DARK, _UNLIKELY = 0.7, -0.4, -1.0
"""The same on dark floors, where faint places were looked at, and what doubtful places lose if there is no
other black cube: of 1,223 such places in 1,480 dark trays none held a cube."""
_FAINT = 0.05
"""Odds of a black cube on a dark floor below which they shrink with their square: of 2,200 places to which
the networks gave 0.1 to 3 %, six held one, not the fourteen that would imply."""
_OTHER = 0.9
"""Presence from which a black cube vouches for others."""
_MAY_LIE_UNDER = 0.002
_ITSELF = 0.8
"""Distance, in edges, within which a cube beside the upper one may itself be the lower one."""
_LEAST = 1e-12
_FACE = 0.28
"""Half the side, in edges, of the square from which the palette takes its pixels."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may be a cube, in the rectified picture."""

    centre_px: tuple[float, float]
    edge_px: float
    presence: float
    """Probability that it is one cube."""
    shares: tuple[float, ...]
    """Probability of each colour of the palette."""
    under: bool = False
    """Whether it lies under the cube that has the same centre."""
    foreign: float = 0.0
    """Probability that it is a cube of a colour that the palette lacks."""

    @property
    def colour_index(self) -> int:
        """Index of the likeliest colour."""
        return self.shares.index(max(self.shares))

    @property
    def confidence(self) -> float:
        """Probability that it is one cube of its likeliest colour."""
        return self.presence * max(self.shares)


def find_candidates(image: Picture, palette: Palette, peaks: Sequence[Detection]) -> list[Candidate]:
    """Return what the peaks of a (H, W, 3) uint8 BGR picture under white light may be, in the palette's
    colours."""
    known = all(colour in COLOURS for colour in palette.colours)
    tops = [face(image, round(p.centre_px[0]), round(p.centre_px[1]), p.edge_px) for p in peaks]
    shares = [_colour_shares(top, peak, palette, known=known) for top, peak in zip(tops, peaks, strict=True)]
    dark = [max(palette.srgb[colour]) < _DARK_COLOUR for colour in palette.colours]
    levels: Mask | None = None
    found = []
    for peak, top, colour_shares in zip(peaks, tops, shares, strict=True):
        presence = _raise_high_score(peak.score)
        if dark[colour_shares.index(max(colour_shares))]:
            levels = strongest_channel(image) if levels is None else levels
            presence = _lower_if_shadow(presence, levels, peak)
        of_palette = _palette_probability(top, peak, palette) if known else 1 - palette.untaught(top)
        foreign = presence * (1 - of_palette)
        found.append(
            Candidate(peak.centre_px, peak.edge_px, presence * of_palette, colour_shares, foreign=foreign)
        )
        if peak.under > _MAY_LIE_UNDER:
            found.append(_lower_candidate(peak, presence, palette, known=known))
    return _discount_doubles(found)


def peaks_inside(peaks: Sequence[Detection], inside: Mask) -> list[Detection]:
    """Return the peaks whose centres lie where `inside`, (H, W), is not zero."""
    height, width = inside.shape
    places = [tuple(round(v) for v in peak.centre_px) for peak in peaks]
    return [
        peak
        for peak, (x, y) in zip(peaks, places, strict=True)
        if 0 <= x < width and 0 <= y < height and inside[y, x]
    ]


def _colour_shares(top: Picture, peak: Detection, palette: Palette, *, known: bool) -> tuple[float, ...]:
    """Return the share of each colour of the palette, from the (N, 3) pixels of a top."""
    if not known:
        return tuple(palette.shares(top).tolist())
    shares = [peak.colour_shares[COLOURS.index(c)] for c in palette.colours]
    if not (palette.usual or is_glossy(top)):
        taught = palette.shares(top) ** TAUGHT_WEIGHT
        shares = [seen * own for seen, own in zip(shares, taught.tolist(), strict=True)]
    return _normalise(shares)


def _normalise(shares: Sequence[float]) -> tuple[float, ...]:
    """Normalise the shares to a sum of 1."""
    total = max(1e-12, sum(shares))
    return tuple(share / total for share in shares)


def _palette_probability(top: Picture, peak: Detection, palette: Palette) -> float:
    """Probability that a cube has one of the palette's colours, if the palette lacks some that the network
    knows.

    Black cubes that could not be taught in a dark tray are to be counted by hand, not as purple ones.
    """
    if len(palette.colours) == len(COLOURS):
        return 1.0
    completed = palette.completed
    shares = _colour_shares(top, peak, completed, known=True)
    return sum(shares[completed.colours.index(c)] for c in palette.colours)


def _lower_candidate(peak: Detection, presence: float, palette: Palette, *, known: bool) -> Candidate:
    """Return what may lie under a cube; colours that the network does not know get equal shares."""
    shares = [peak.under_shares[COLOURS.index(c)] if known else 1.0 for c in palette.colours]
    return Candidate(peak.centre_px, peak.edge_px, presence * peak.under, _normalise(shares), under=True)


def _discount_doubles(found: Sequence[Candidate]) -> list[Candidate]:
    """Discount each lower cube by the probability that it is the cube seen beside the upper one."""
    upper = [candidate for candidate in found if not candidate.under]
    if len(upper) == len(found):
        return list(found)
    centres = np.array([candidate.centre_px for candidate in upper])
    chances = np.array([candidate.presence for candidate in upper])[:, None] * np.array(
        [candidate.shares for candidate in upper]
    )
    discounted = []
    for candidate in found:
        if candidate.under:
            distances = np.hypot(*(centres - candidate.centre_px).T)
            beside = (distances > 0) & (distances < _ITSELF * candidate.edge_px)
            distinct = np.prod(1 - chances[beside, candidate.colour_index])
            discounted.append(replace(candidate, presence=candidate.presence * float(distinct)))
        else:
            discounted.append(candidate)
    return discounted


def adjust_black_cubes(
    found: Sequence[Candidate], palette: Palette, *, dark: bool = False
) -> list[Candidate]:
    """Adjust black cubes to what the other black ones suggest: cubes of one dye on one floor fare alike.

    `dark`: whether the floor is dark, so that faint places were looked at (`vision.finding.faint`).
    """
    if "black" not in palette.colours:
        return list(found)
    black = palette.colours.index("black")
    may_be_black = [candidate.colour_index == black and not candidate.under for candidate in found]
    sure_count = sum(
        candidate.presence > _OTHER
        for candidate, is_black in zip(found, may_be_black, strict=True)
        if is_black
    )
    return [
        _weigh_by_others(candidate, sure_count - (candidate.presence > _OTHER), dark=dark)
        if is_black
        else candidate
        for candidate, is_black in zip(found, may_be_black, strict=True)
    ]


def _weigh_by_others(candidate: Candidate, others: int, *, dark: bool) -> Candidate:
    odds = candidate.presence / max(_LEAST, 1 - candidate.presence)
    if not dark:
        odds *= float(np.exp(_NO_OTHER + _OTHERS * np.log1p(others)))
    elif others or odds > 1:
        odds *= float(np.exp(_NO_OTHER_DARK + _OTHERS_DARK * np.log1p(others)))
    else:
        odds *= float(np.exp(_UNLIKELY))
    if dark and odds < _FAINT:
        odds *= odds / _FAINT
    return replace(candidate, presence=odds / (1 + odds))


def usual_edge_px(candidates: Sequence[Candidate]) -> float | None:
    """Return the edge the cubes share, the median of the sure ones; None if there are none."""
    edges = [c.edge_px for c in candidates if c.presence > 0.5]
    return float(np.median(edges)) if edges else None


def _raise_high_score(score: float) -> float:
    """Raise high scores: the network's scores are probabilities, fitted where it is unsure, and too modest at
    the top."""
    return 1 - (1 - score) * _SURER if score > _SURE else score


def _lower_if_shadow(presence: float, levels: Mask, peak: Detection) -> float:
    """Return a black cube's probability, lowered if it is hardly darker than a shadow on a light floor."""
    share, floor = share_of_floor(levels, peak.centre_px, peak.edge_px)
    if floor < _LIGHT_FLOOR or share < _SHADOW_FROM:
        return presence
    return add_logits(presence, -_SHADOW_LOGITS * (share - _SHADOW_FROM))


def share_of_floor(levels: Mask, centre_px: tuple[float, float], edge_px: float) -> tuple[float, float]:
    """Return how bright a face is relative to the floor around it (1: as bright), and that floor's level,
    0..255.

    `levels`: (H, W), from `strongest_channel`.
    """
    x, y = (round(v) for v in centre_px)
    reach = round(_AROUND * edge_px)
    around = levels[max(0, y - reach) : y + reach + 1 : 2, max(0, x - reach) : x + reach + 1 : 2]
    floor = float(quantile(around.ravel(), 0.7))
    return float(quantile(_square(levels, x, y, edge_px).ravel(), 0.5)) / max(1.0, floor), floor


def add_logits(probability: float, logits: float) -> float:
    """Update a probability (below 1) by evidence given in logits, which add to its own (Bayes)."""
    odds = probability / max(_LEAST, 1 - probability) * float(np.exp(logits))
    return odds / (1 + odds)


def face(image: Picture, x: int, y: int, edge_px: float) -> Picture:
    """(N, 3) pixels of the cube's top; a cube seen from above shows its top around its centre."""
    return _square(image, x, y, edge_px).reshape(-1, 3)


def is_glossy(top: Picture) -> bool:
    """Whether the (N, 3) pixels of a top under white light mirror a lamp."""
    return len(top) > 0 and float(srgb_to_linear(quantile(top, 0.5)).min()) > _GLOSSY


def _square(image: Picture, x: int, y: int, edge_px: float) -> Picture:
    reach = max(1, round(_FACE * edge_px))
    return image[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
