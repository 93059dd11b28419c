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
    crowd_of,
    doubt_of,
    is_doubtful,
    is_slightly_doubtful,
    joined,
    looked_at,
    peaks_edge_px,
    presence_logit,
    under_logit,
)
from vision.finding.detector import Detection
from vision.finding.stored import Source
from vision.finding.upright import Upright, said_both_ways, said_wide, upright_patches
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

FINER = Curves((0.24, 0.98, -0.04), (1.25, -1.65), (0.2, 1.0), 1.34, 1.3)
"""Chosen like `CLOSER`, from the places that the closer look leaves in doubt (docs/training.md)."""
_OWN, _LESS, _LESS_ALIKE = 0.7, -0.5, -1.2
"""For a weak peak beside a surer one: factor on its logit, offset, and a further offset if both have one
colour, since it may be the other's own side. Halfway to the best fit to 580 such places of 4,400 trays, of
which 15 were cubes: on them the log loss falls to 66, from 104 without a look and 89 with its output
unchanged."""


def apart(peaks: Sequence[Detection], edge_px: float) -> tuple[list[Detection], frozenset[int]]:
    """Return the peaks, surest first, without weak ones close to a surer one; and the indices of those surer
    ones."""
    kept: list[Detection] = []
    crowded: set[int] = set()
    for peak in sorted(peaks, key=lambda peak: -peak.score):
        near = [
            n for n, other in enumerate(kept) if peak.score < _WEAK and _away(peak, other) < _APART * edge_px
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
    to surer ones (`apart`) come last, if at all. `before`: what the closer look saw.
    """
    if not peaks:
        return []
    places, told, open_ = doubted(image, peaks, before)
    slight = [n for n, peak in enumerate(told) if n not in open_ and is_slightly_doubtful(peak)]
    which = _most_doubted(told, [*open_, *slight], _MOST_PLACES)
    if not which:
        return told
    asked = _Asked.of(image, source, places, which)
    weak = _weak_beside(peaks, places.peaks)[: _MOST_PLACES - len(which)]
    if weak:
        every = looked_at(image, [*places.peaks, *weak], before)
        asked = asked.with_others(_Asked.of(image, source, every, range(len(places.peaks), len(every.peaks))))
    again = asked.told()
    for n, peak in zip(which, again, strict=False):
        told[n] = peak
    return [*told, *(_if_its_own(peak, told) for peak in again[len(which) :])]


@dataclass(frozen=True, slots=True)
class _Asked:
    """Places to be examined by the wide look."""

    peaks: list[Detection]
    closer: Floats
    """(N, OUTPUTS) logits of the closer look."""
    crowd: Floats
    """(N,) from `crowd_of`."""
    seen: list[Upright]

    @classmethod
    def of(cls, image: Picture, source: Source, places: Places, which: Sequence[int]) -> "_Asked":
        """Cut out the places with the numbers `which` of a rectified picture."""
        seen = upright_patches(source, image, places.peaks, which)
        peaks = [places.peaks[n] for n in which]
        return cls(peaks, places.said[list(which)], crowd_of(places.peaks)[list(which)], seen)

    def with_others(self, others: "_Asked") -> "_Asked":
        """Return these places followed by the others."""
        return _Asked(
            self.peaks + others.peaks,
            np.concatenate([self.closer, others.closer]),
            np.concatenate([self.crowd, others.crowd]),
            self.seen + others.seen,
        )

    def told(self) -> list[Detection]:
        """Return the peaks as all looks together see them."""
        wide = said_wide(self.seen)
        again = joined(self.peaks, _weighed(self.closer, wide), self.crowd, FINER)
        still = _most_doubted(again, [n for n, peak in enumerate(again) if is_doubtful(peak)], _MOST_TWICE)
        if not still:
            return again
        wide[still] = said_both_ways([self.seen[n] for n in still], wide[still])
        return joined(self.peaks, _weighed(self.closer, wide), self.crowd, FINER)


def _weak_beside(peaks: Sequence[Detection], kept: Sequence[Detection]) -> list[Detection]:
    """Return peaks that are neither `kept` nor belong to one that is; the surest first."""
    reach, own = _ITSELF * peaks_edge_px(peaks), {peak.centre_px for peak in kept}
    weak = [peak for peak in peaks if peak.centre_px not in own]
    far = [peak for peak in weak if all(_away(peak, other) > reach for other in kept)]
    return sorted(far, key=lambda peak: -peak.score)


def _if_its_own(weak: Detection, told: Sequence[Detection]) -> Detection:
    """Lower a weak peak's probability by that of two cubes at the places beside it: it would be the
    second."""
    reach = _APART * peaks_edge_px(told)
    beside = [other for other in told if _away(weak, other) < reach]
    under = max((other.under for other in beside), default=0.0)
    if under > _STACKED:
        return replace(weak, score=0.0, under=0.0)
    alike = any(other.colour == weak.colour for other in beside)
    odds = weak.score / max(_LEAST, 1 - weak.score)
    odds = odds**_OWN * float(np.exp(_LESS + _LESS_ALIKE * alike))
    return replace(weak, score=odds / (1 + odds) * (1 - under), under=0.0)


def _most_doubted(told: Sequence[Detection], which: Sequence[int], most: int) -> list[int]:
    return sorted(which, key=lambda n: -doubt_of(told[n]))[:most]


def doubted(
    image: Picture, peaks: Sequence[Detection], before: Places = NOWHERE
) -> tuple[Places, list[Detection], list[int]]:
    """Return the separate places, what the closer look says of them, and which to look at again; needs a
    peak."""
    kept, crowded = apart(peaks, peaks_edge_px(peaks))
    places = looked_at(image, kept, before, crowded)
    told = places.told()
    return places, told, [n for n, peak in enumerate(told) if n in crowded or is_doubtful(peak)]


def said_finer(image: Picture, source: Source, places: Places, which: Sequence[int]) -> Floats:
    """(N, OUTPUTS) combined logits of both looks for the places `which`, at least one, each also seen
    mirrored.

    `image` is the rectified picture.
    """
    seen = upright_patches(source, image, places.peaks, which)
    return _weighed(places.said[which], said_both_ways(seen, said_wide(seen)))


def _weighed(closer: Floats, wide: Floats) -> Floats:
    there = presence_logit(closer) + _WIDE * (presence_logit(wide) - presence_logit(closer))
    two = under_logit(closer) + _WIDE_STACKS * (under_logit(wide) - under_logit(closer))
    one = there - np.logaddexp(0, two)
    numbers = np.stack([np.zeros_like(one), one, one + two], axis=1)
    colours = closer[:, MOST:] + _WIDE_COLOURS * (wide[:, MOST:] - closer[:, MOST:])
    return np.concatenate([numbers, colours], axis=1)


def _away(one: Detection, other: Detection) -> float:
    (ax, ay), (bx, by) = one.centre_px, other.centre_px
    return float(np.hypot(ax - bx, ay - by))
