"""Doubtful places at the camera's own resolution: often only a strip shows of a cube under another.

The rectified picture has 2.5 px per millimetre, a picture of 1280 px about 4: the detail lost between the two
tells what lies under. So the wide look (`vision.finding.upright`) sees the places that the first two looks
doubt, cut from the picture itself. Here one peak stands for one place: a weak peak close to a surer one is no
place of its own, since two cubes of one layer cannot be that close; the question at the surer one is how many
cubes are there. If that is one, and the weak peak is no nearer than two leaning cubes are, the weak one is
examined as well. How the network was trained, and what it brings: docs/training.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.finding.closer import (
    MOST,
    NOWHERE,
    Curves,
    Floats,
    Places,
    combine_looks,
    crowd_of,
    doubt_of,
    is_doubtful,
    is_slightly_doubtful,
    look_at_places,
    peaks_edge_px,
    presence_logit,
    under_logit,
)
from vision.finding.detector import Detection
from vision.finding.stored import Source
from vision.finding.upright import UprightPlace, both_ways_logits, upright_patches, wide_logits
from vision.pictures import Picture

_WEAK = 0.5
"""Detector's score below which a peak may belong to another one."""
_APART = 0.8
"""Smallest distance, in edges, of two cubes of one layer: seen obliquely a little below 1."""
_ITSELF = 0.6
"""Distance, in edges, within which a weak peak belongs to the surer one: its other side, or what lies under
it. Of 427 such peaks beside places with one cube, four were cubes that nothing else showed."""
_STACKED = 0.3
"""Probability of two cubes at a place from which a weak peak beside it is taken to be the second."""
_LEAST = 1e-9

_WIDE, _WIDE_STACKS, _WIDE_COLOURS = 0.85, 0.68, 0.6
"""Weights of the wide look for presence, for whether there are two, and for colours; the closer look has the
rest. The wide look is less good at stacks, and at colours of throws without a mat, than at presence."""

_MOST_PLACES, _MOST_TWICE = 24, 10
"""Largest number of places looked at again, and of those looked at twice: with more in doubt nobody would be
sure in the end, and each costs a millisecond."""

FINER_CURVES = Curves((0.24, 0.98, -0.04), (1.25, -1.65), (0.2, 1.0), 1.34, 1.3)
"""Chosen like `CLOSER_CURVES`, from the places that the closer look leaves in doubt (docs/training.md)."""
_OWN, _LESS, _LESS_ALIKE = 0.7, -0.5, -1.2
"""For a weak peak beside a surer one: factor on its logit, offset, and a further offset if both have one
colour, since it may be the other's own side. Halfway to the best fit to 580 such places of 4,400 trays, of
which 15 were cubes: on them the log loss falls to 66, from 104 without a look and 89 with its output
unchanged."""


def drop_weak_neighbours(
    peaks: Sequence[Detection], edge_px: float
) -> tuple[list[Detection], frozenset[int]]:
    """Return the peaks, surest first, without weak ones close to a surer one; and the indices of those surer
    ones."""
    kept: list[Detection] = []
    crowded: set[int] = set()
    for peak in sorted(peaks, key=lambda peak: -peak.score):
        near = [
            n
            for n, other in enumerate(kept)
            if peak.score < _WEAK and _distance_px(peak, other) < _APART * edge_px
        ]
        crowded.update(near)
        if not near:
            kept.append(peak)
    return kept, frozenset(crowded)


def look_finer(
    image: Picture, source: Source, peaks: Sequence[Detection], before: Places = NOWHERE
) -> list[Detection]:
    """Return the peaks of a (H, W, 3) rectified picture with presence and what lies under, as all networks
    see them.

    The wide look sees each doubtful place once, and what it leaves in doubt also mirrored. Weak peaks close
    to surer ones (`drop_weak_neighbours`) come last, if at all. `before`: what the closer look saw.
    """
    if not peaks:
        return []
    places, judged, doubtful = find_doubtful_places(image, peaks, before)
    slight = [n for n, peak in enumerate(judged) if n not in doubtful and is_slightly_doubtful(peak)]
    which = _most_doubted(judged, [*doubtful, *slight], _MOST_PLACES)
    if not which:
        return judged
    asked = _DoubtfulPlaces.of(image, source, places, which)
    weak = _separate_weak_peaks(peaks, places.peaks)[: _MOST_PLACES - len(which)]
    if weak:
        all_places = look_at_places(image, [*places.peaks, *weak], before)
        asked = asked.with_others(
            _DoubtfulPlaces.of(image, source, all_places, range(len(places.peaks), len(all_places.peaks)))
        )
    rejudged = asked.judged_peaks()
    for n, peak in zip(which, rejudged, strict=False):
        judged[n] = peak
    return [*judged, *(_discount_second_cube(peak, judged) for peak in rejudged[len(which) :])]


@dataclass(frozen=True, slots=True)
class _DoubtfulPlaces:
    """Places to be examined by the wide look."""

    peaks: list[Detection]
    closer: Floats
    """(N, OUTPUTS) logits of the closer look."""
    crowd: Floats
    """(N,) from `crowd_of`."""
    seen: list[UprightPlace]

    @classmethod
    def of(cls, image: Picture, source: Source, places: Places, which: Sequence[int]) -> "_DoubtfulPlaces":
        """Cut out the places with the numbers `which` of a rectified picture."""
        seen = upright_patches(source, image, places.peaks, which)
        peaks = [places.peaks[n] for n in which]
        return cls(peaks, places.logits[list(which)], crowd_of(places.peaks)[list(which)], seen)

    def with_others(self, others: "_DoubtfulPlaces") -> "_DoubtfulPlaces":
        """Return these places followed by the others."""
        return _DoubtfulPlaces(
            self.peaks + others.peaks,
            np.concatenate([self.closer, others.closer]),
            np.concatenate([self.crowd, others.crowd]),
            self.seen + others.seen,
        )

    def judged_peaks(self) -> list[Detection]:
        """Return the peaks as all looks together see them."""
        wide = wide_logits(self.seen)
        judged = combine_looks(self.peaks, _blend_logits(self.closer, wide), self.crowd, FINER_CURVES)
        still_doubtful = _most_doubted(
            judged, [n for n, peak in enumerate(judged) if is_doubtful(peak)], _MOST_TWICE
        )
        if not still_doubtful:
            return judged
        wide[still_doubtful] = both_ways_logits([self.seen[n] for n in still_doubtful], wide[still_doubtful])
        return combine_looks(self.peaks, _blend_logits(self.closer, wide), self.crowd, FINER_CURVES)


def _separate_weak_peaks(peaks: Sequence[Detection], kept: Sequence[Detection]) -> list[Detection]:
    """Return peaks that are neither `kept` nor belong to one that is; the surest first."""
    reach, kept_centres = _ITSELF * peaks_edge_px(peaks), {peak.centre_px for peak in kept}
    weak = [peak for peak in peaks if peak.centre_px not in kept_centres]
    separate = [peak for peak in weak if all(_distance_px(peak, other) > reach for other in kept)]
    return sorted(separate, key=lambda peak: -peak.score)


def _discount_second_cube(weak: Detection, peaks: Sequence[Detection]) -> Detection:
    """Lower a weak peak's probability by that of two cubes at the places beside it: it would be the
    second."""
    reach = _APART * peaks_edge_px(peaks)
    neighbours = [other for other in peaks if _distance_px(weak, other) < reach]
    under = max((other.under for other in neighbours), default=0.0)
    if under > _STACKED:
        return replace(weak, score=0.0, under=0.0)
    is_same_colour = any(other.colour == weak.colour for other in neighbours)
    odds = weak.score / max(_LEAST, 1 - weak.score)
    odds = odds**_OWN * float(np.exp(_LESS + _LESS_ALIKE * is_same_colour))
    return replace(weak, score=odds / (1 + odds) * (1 - under), under=0.0)


def _most_doubted(peaks: Sequence[Detection], which: Sequence[int], most: int) -> list[int]:
    return sorted(which, key=lambda n: -doubt_of(peaks[n]))[:most]


def find_doubtful_places(
    image: Picture, peaks: Sequence[Detection], before: Places = NOWHERE
) -> tuple[Places, list[Detection], list[int]]:
    """Return the separate places, what the closer look says of them, and which to look at again; needs a
    peak."""
    kept, crowded = drop_weak_neighbours(peaks, peaks_edge_px(peaks))
    places = look_at_places(image, kept, before, crowded)
    judged = places.judged_peaks()
    return places, judged, [n for n, peak in enumerate(judged) if n in crowded or is_doubtful(peak)]


def finer_logits(image: Picture, source: Source, places: Places, which: Sequence[int]) -> Floats:
    """(N, OUTPUTS) combined logits of both looks for the places `which`, at least one, each also seen
    mirrored.

    `image` is the rectified picture.
    """
    seen = upright_patches(source, image, places.peaks, which)
    return _blend_logits(places.logits[which], both_ways_logits(seen, wide_logits(seen)))


def _blend_logits(closer: Floats, wide: Floats) -> Floats:
    presence = presence_logit(closer) + _WIDE * (presence_logit(wide) - presence_logit(closer))
    stacked = under_logit(closer) + _WIDE_STACKS * (under_logit(wide) - under_logit(closer))
    single = presence - np.logaddexp(0, stacked)
    numbers = np.stack([np.zeros_like(single), single, single + stacked], axis=1)
    colours = closer[:, MOST:] + _WIDE_COLOURS * (wide[:, MOST:] - closer[:, MOST:])
    return np.concatenate([numbers, colours], axis=1)


def _distance_px(one: Detection, other: Detection) -> float:
    (ax, ay), (bx, by) = one.centre_px, other.centre_px
    return float(np.hypot(ax - bx, ay - by))
