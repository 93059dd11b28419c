"""Places in doubt, as fine as the camera stored them: of a cube under another often only a strip shows.

The rectified picture has 2.5 px a millimetre, a picture of 1280 px about 4: what lies under is told by what
is lost between the two. So a third small network looks at the places that the first two doubt, cut from the
picture itself. One peak stands for one place there: a weak one close to a surer one is no place of its own,
since two cubes of one layer cannot be that near; the question at the surer one is how many cubes there are.
How it was trained, and what it brings: docs/training.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.closer import (
    NOWHERE,
    Curves,
    Floats,
    Places,
    crowd_of,
    dots_of,
    hollow,
    in_turns,
    is_doubtful,
    joined,
    looked_at,
    patches,
    peaks_edge_px,
)
from vision.detector import EDGE_PX, Detection
from vision.light import Light, whitened
from vision.network import network
from vision.pictures import Picture
from vision.plane import Points

FINE = 2.0
"""Pixels of a patch to one of the closer look's."""
SIDE_PX = 128
_WEAK = 0.5
"""Detector's score below which a peak may be another's."""
_APART = 0.8
"""Edges between two peaks that may both be cubes of one layer: seen aslant a little below 1."""


FINER = Curves((0.15, 0.80, -0.20), (1.45, -1.75), (0.2, 1.0), 1.34)
"""Chosen as those of the closer look, from the places that it leaves in doubt (docs/training.md)."""


@dataclass(frozen=True, slots=True)
class Source:
    """What a rectified picture was made of."""

    picture: Picture
    """(H, W, 3) uint8 BGR."""
    to_picture: Points
    """3×3, pixels of the rectified picture to pixels of this one."""
    light: Light | None
    """That was taken out; None where nothing was."""

    def cut(self, centre_px: tuple[float, float], scale: float, side: int) -> Picture:
        """(side, side, 3) about a place of the rectified picture, `scale` px for each px of that."""
        seen = _cut(self.picture, self.to_picture, centre_px, scale, side)
        return seen if self.light is None else whitened(seen, self.light)


def apart(peaks: Sequence[Detection], edge_px: float) -> tuple[list[Detection], frozenset[int]]:
    """The surest first, without the weak ones that are close to a surer one; and at which such were."""
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


def fine_patches(
    source: Source,
    shape: tuple[int, ...],
    peaks: Sequence[Detection],
    which: Sequence[int],
    side: int = SIDE_PX,
) -> list[Picture]:
    """(side, side, 4) about `which` of the peaks; `shape` is the rectified picture's.

    As `vision.closer.patches`, with twice the pixels.
    """
    edge_px = peaks_edge_px(peaks)
    scale = FINE * EDGE_PX / edge_px
    dots = dots_of(shape, peaks, edge_px)
    fine = []
    for centre_px in (peaks[n].centre_px for n in which):
        others = _cut(dots, np.eye(3), centre_px, scale, side)
        hollow(others, FINE)
        fine.append(np.asarray(cv2.merge([source.cut(centre_px, scale, side), others]), np.uint8))
    return fine


def look_finer(
    image: Picture, source: Source, peaks: Sequence[Detection], turns: int = 1, before: Places = NOWHERE
) -> list[Detection]:
    """The peaks of a (H, W, 3) rectified picture, with presence and what lies under as all networks see it.

    `turns`, 1 to 8, is how many ways a doubtful place is turned and mirrored: more take more time and doubt
    less. Weak peaks close to surer ones are left out (`apart`). `before`: what the closer look saw of them.
    """
    if not peaks:
        return []
    places, told, open_ = doubted(image, peaks, before)
    if not open_:
        return told
    said = said_finer(image, source, places.peaks, open_, turns)
    again = joined([places.peaks[n] for n in open_], said, crowd_of(places.peaks)[open_], FINER)
    for n, peak in zip(open_, again, strict=True):
        told[n] = peak
    return told


def doubted(
    image: Picture, peaks: Sequence[Detection], before: Places = NOWHERE
) -> tuple[Places, list[Detection], list[int]]:
    """At least one peak: places that are left, what the closer look says of them, which to look at again."""
    kept, crowded = apart(peaks, peaks_edge_px(peaks))
    places = looked_at(image, kept, before, crowded)
    told = places.told()
    return places, told, [n for n, peak in enumerate(told) if n in crowded or is_doubtful(peak)]


def said_finer(
    image: Picture, source: Source, peaks: Sequence[Detection], which: Sequence[int], turns: int
) -> Floats:
    """(N, OUTPUTS) logits of some of the places: the mean of the closer and the finer look."""
    fine = in_turns("finer", fine_patches(source, image.shape, peaks, which), range(turns))
    closer = in_turns("closer", patches(image, peaks, peaks_edge_px(peaks), which), range(turns))
    return np.asarray((fine + closer) / (2 * turns), np.float32)


def warm() -> None:
    """Load the network, which the first reading in doubt would have to wait for."""
    network("finer").run([np.zeros((SIDE_PX, SIDE_PX, 4), np.uint8)])


def _cut(
    picture: Picture, to_picture: Points, centre_px: tuple[float, float], scale: float, side: int
) -> Picture:
    x, y = (v - (side - 1) / 2 / scale for v in centre_px)
    back = np.array([[1 / scale, 0, x], [0, 1 / scale, y], [0, 0, 1]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(
        picture, to_picture @ back, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(seen, np.uint8)


def _away(one: Detection, other: Detection) -> float:
    (ax, ay), (bx, by) = one.centre_px, other.centre_px
    return float(np.hypot(ax - bx, ay - by))
