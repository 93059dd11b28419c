"""What the closer look learns from: places where the detector sees something, and what truly lies there."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.synth.truth import COUNTED
from calibration.training.crops import Crop
from calibration.training.views import relit
from vision.closer import LOWEST, PATCH_PX, look_closer, patches
from vision.detector import Detection, decode, look
from vision.finer import SIDE_PX, Source, apart, fine_patches
from vision.rectify import MULTIPLE_PX

STORED_PX = 96
"""Side of what is kept of a place: a patch may be turned and shifted in it."""
FINE_STORED_PX = 160
"""The same of a fine patch."""
_NEAR = 0.6
"""Edges between a peak and the cube that it found."""
_BESIDE = 0.9
"""Edges between a peak and a cube left over that can only lie on or under the one that it found."""
_CLEAR = 0.003
"""Places surer than this the finer look is hardly ever asked about."""
_CLEAR_SHARE = 0.2
"""Of them that it learns from all the same."""
_BORDER = 0.02
"""Shares this near to `COUNTED` teach nothing: the truth itself could tip over."""
_EXACT = 0.35
_COARSER = 0.15
NOT_KNOWN = -1
STACK = 2
"""Cubes at a place that count: this or more. Of a cube of which less can be seen a picture cannot tell."""

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Peaks:
    """N places, with their truth."""

    patches: npt.NDArray[np.uint8]
    """(N, STORED_PX, STORED_PX, 4) as `vision.closer.patches`."""
    truth: Ints
    """(N, 3): cubes there that count (0, 1, 2 or more), colour of the upper, of the lower; `NOT_KNOWN` where
    none is."""
    scores: Floats
    """(N,) what the detector gave for presence."""

    def __len__(self) -> int:
        return len(self.truth)


def joined(parts: Sequence[Peaks]) -> Peaks:
    """One after the other."""
    return Peaks(
        np.concatenate([part.patches for part in parts]),
        np.concatenate([part.truth for part in parts]),
        np.concatenate([part.scores for part in parts]),
    )


def peaks_of(crops: Iterable[Crop]) -> Peaks:
    """All places of crops that the shipped detector names."""
    kept, truth, scores = [], [], []
    for crop in crops:
        if not len(crop.cubes):
            continue
        picture = whole_cells(crop.picture)
        found = decode(look(picture), LOWEST)
        told = truth_of(found, crop.cubes)
        clear = [n for n, (number, _, _) in enumerate(told) if number != NOT_KNOWN]
        seen = patches(picture, found, float(np.median(crop.cubes[:, 4])), STORED_PX)
        kept += [seen[n] for n in clear]
        truth += [told[n] for n in clear]
        scores += [found[n].score for n in clear]
    return _peaks(kept, truth, scores, STORED_PX)


def fine_peaks_of(crops: Iterable[Crop]) -> Peaks:
    """Places that the finer look is asked about, and some that are clear."""
    rng = np.random.default_rng(12)
    kept, truth, scores = [], [], []
    for crop in crops:
        if not len(crop.cubes):
            continue
        picture = whole_cells(crop.picture)
        edge_px = float(np.median(crop.cubes[:, 4]))
        found, crowded = apart(decode(look(picture), LOWEST), edge_px)
        told, seen = truth_of(found, crop.cubes), look_closer(picture, found)
        which = [
            n
            for n, ((number, _, _), peak) in enumerate(zip(told, seen, strict=True))
            if number != NOT_KNOWN
            and (number == STACK or n in crowded or not _is_clear(peak) or rng.random() < _CLEAR_SHARE)
        ]
        source = crop.source or Source(picture, np.eye(3), None)
        kept += fine_patches(source, picture.shape, found, which, FINE_STORED_PX)
        truth += [told[n] for n in which]
        scores += [found[n].score for n in which]
    return _peaks(kept, truth, scores, FINE_STORED_PX)


def _is_clear(peak: Detection) -> bool:
    return min(peak.score, 1 - peak.score) < _CLEAR and peak.under < _CLEAR


def whole_cells(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """As much of a (H, W, 3) picture as the detector's cells fill."""
    height, width = (side // MULTIPLE_PX * MULTIPLE_PX for side in picture.shape[:2])
    return np.ascontiguousarray(picture[:height, :width])


def _peaks(
    kept: Sequence[npt.NDArray[np.uint8]],
    truth: Sequence[tuple[int, int, int]],
    scores: Sequence[float],
    side: int,
) -> Peaks:
    patches = np.stack(kept) if kept else np.zeros((0, side, side, 4), np.uint8)
    return Peaks(patches, np.array(truth, np.int64).reshape(-1, 3), np.array(scores, np.float32))


def truth_of(found: Sequence[Detection], cubes: Floats) -> list[tuple[int, int, int]]:
    """Of each peak; the nearest pairs of peak and cube first, what is left over lies on or under another.

    The number is `NOT_KNOWN` where a cube all but counts.
    """
    pairs = sorted(
        (float(np.hypot(*(cube[:2] - peak.centre_px))), p, c)
        for p, peak in enumerate(found)
        for c, cube in enumerate(cubes)
    )
    cube_of: dict[int, int] = {}
    peak_of: dict[int, int] = {}
    for away, p, c in pairs:
        if away < _NEAR * float(cubes[c, 4]) and p not in cube_of and c not in peak_of:
            cube_of[p], peak_of[c] = c, p
    second: dict[int, int] = {}
    for c in sorted(range(len(cubes)), key=lambda c: float(cubes[c, 3])):
        at = None if c in peak_of else _shared(c, cubes, pairs, cube_of, peak_of)
        if at is not None:
            second[at] = c  # the one that shows most comes last
    return [_told(p, cube_of, second, cubes) for p in range(len(found))]


def _shared(
    c: int,
    cubes: Floats,
    pairs: Sequence[tuple[float, int, int]],
    cube_of: Mapping[int, int],
    peak_of: Mapping[int, int],
) -> int | None:
    """The peak of the cube that lies on this one, or under it; else the nearest that found a cube."""
    under = next((other for other, cube in enumerate(cubes) if int(cube[5]) == c), NOT_KNOWN)
    for other in (int(cubes[c, 5]), under):
        if other in peak_of:
            return peak_of[other]
    reach = _BESIDE * float(cubes[c, 4])
    return next((p for away, p, of in pairs if of == c and away < reach and p in cube_of), None)


def _told(p: int, cube_of: dict[int, int], lower: dict[int, int], cubes: Floats) -> tuple[int, int, int]:
    here = [cubes[of[p]] for of in (cube_of, lower) if p in of]
    if any(abs(float(cube[3]) - COUNTED) < _BORDER for cube in here):
        return NOT_KNOWN, NOT_KNOWN, NOT_KNOWN
    colours = [int(cube[2]) for cube in here if cube[3] >= COUNTED]
    upper, under, *_ = [*colours, NOT_KNOWN, NOT_KNOWN]
    return len(colours), upper, under


def turned(
    rng: np.random.Generator, stored: npt.NDArray[np.uint8], side: int = PATCH_PX
) -> npt.NDArray[np.uint8]:
    """A patch of what was stored: turned, mirrored, a little off and larger or smaller, in another light."""
    whole = stored.shape[0]
    angle, scale = rng.uniform(0, 2 * np.pi), float(np.exp(rng.normal(0, 0.05)))
    mirror = rng.choice([-1.0, 1.0])
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    matrix = np.array([[c * mirror, -s], [s * mirror, c]])
    off = 0.7 * side / PATCH_PX
    shift = (side - 1) / 2 + rng.normal(0, off, 2) - matrix @ np.full(2, (whole - 1) / 2)
    affine = np.concatenate([matrix, shift[:, None]], axis=1)
    flat = cv2.warpAffine(stored, affine, (side, side), borderMode=cv2.BORDER_REPLICATE)
    return np.dstack([relit(rng, np.ascontiguousarray(flat[:, :, :3]).astype(np.uint8)), flat[:, :, 3]])


def fine_turned(rng: np.random.Generator, stored: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The same of a fine patch: some as of a coarser camera, one in three with no pixel but those stored."""
    if rng.random() < _COARSER:
        few = int(FINE_STORED_PX * rng.uniform(0.4, 0.8))
        small = cv2.resize(stored[:, :, :3], (few, few), interpolation=cv2.INTER_AREA)
        large = cv2.resize(small, (FINE_STORED_PX, FINE_STORED_PX))
        stored = np.dstack([large, stored[:, :, 3]]).astype(np.uint8)
    if rng.random() >= _EXACT:
        return turned(rng, stored, SIDE_PX)
    off = (FINE_STORED_PX - SIDE_PX) // 2 + np.clip(np.round(rng.normal(0, 1.2, 2)), -6, 6).astype(int)
    middle = stored[off[0] : off[0] + SIDE_PX, off[1] : off[1] + SIDE_PX]
    seen = np.rot90(middle, int(rng.integers(4)))
    seen = np.ascontiguousarray(seen[:, ::-1] if rng.random() < 0.5 else seen)
    return np.dstack([relit(rng, np.ascontiguousarray(seen[:, :, :3])), seen[:, :, 3]])
