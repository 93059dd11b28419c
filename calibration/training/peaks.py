"""What the closer look learns from: places where the detector sees something, and what truly lies there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.synth.truth import COUNTED
from calibration.training.crops import Crop
from calibration.training.views import relit
from vision.closer import LOWEST, PATCH_PX, patches
from vision.detector import Detection, decode, look
from vision.rectify import MULTIPLE_PX

STORED_PX = 96
"""Side of what is kept of a place: a patch may be turned and shifted in it."""
_NEAR = 0.6
"""Edges between a peak and the cube that it found."""
_BORDER = 0.02
"""Shares this near to `COUNTED` teach nothing: the truth itself could tip over."""
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
        height, width = (side // MULTIPLE_PX * MULTIPLE_PX for side in crop.picture.shape[:2])
        picture = np.ascontiguousarray(crop.picture[:height, :width])
        found = decode(look(picture), LOWEST)
        edge_px = float(np.median(crop.cubes[:, 4]))
        told = truth_of(found, crop.cubes)
        clear = [n for n, (number, _, _) in enumerate(told) if number != NOT_KNOWN]
        seen = patches(picture, found, edge_px, STORED_PX)
        kept += [seen[n] for n in clear]
        truth += [told[n] for n in clear]
        scores += [found[n].score for n in clear]
    if not kept:
        return Peaks(
            np.zeros((0, STORED_PX, STORED_PX, 4), np.uint8),
            np.zeros((0, 3), np.int64),
            np.zeros(0, np.float32),
        )
    return Peaks(np.stack(kept), np.array(truth, np.int64), np.array(scores, np.float32))


def truth_of(found: Sequence[Detection], cubes: Floats) -> list[tuple[int, int, int]]:
    """Of each peak; the nearest pairs of peak and cube first, what is left over lies under its upper cube.

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
    lower: dict[int, int] = {}
    for c in sorted(range(len(cubes)), key=lambda c: float(cubes[c, 3])):
        if c not in peak_of and int(cubes[c, 5]) in peak_of:
            lower[peak_of[int(cubes[c, 5])]] = c  # the one that shows most comes last
    return [_told(p, cube_of, lower, cubes) for p in range(len(found))]


def _told(p: int, cube_of: dict[int, int], lower: dict[int, int], cubes: Floats) -> tuple[int, int, int]:
    here = [cubes[of[p]] for of in (cube_of, lower) if p in of]
    if any(abs(float(cube[3]) - COUNTED) < _BORDER for cube in here):
        return NOT_KNOWN, NOT_KNOWN, NOT_KNOWN
    colours = [int(cube[2]) for cube in here if cube[3] >= COUNTED]
    upper, under, *_ = [*colours, NOT_KNOWN, NOT_KNOWN]
    return len(colours), upper, under


def turned(rng: np.random.Generator, stored: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """A patch of what was stored: turned, mirrored, a little off and larger or smaller, in another light."""
    angle, scale = rng.uniform(0, 2 * np.pi), float(np.exp(rng.normal(0, 0.05)))
    mirror = rng.choice([-1.0, 1.0])
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    matrix = np.array([[c * mirror, -s], [s * mirror, c]])
    shift = (PATCH_PX - 1) / 2 + rng.normal(0, 0.7, 2) - matrix @ np.full(2, (STORED_PX - 1) / 2)
    affine = np.concatenate([matrix, shift[:, None]], axis=1)
    flat = cv2.warpAffine(stored, affine, (PATCH_PX, PATCH_PX), borderMode=cv2.BORDER_REPLICATE)
    return np.dstack([relit(rng, np.ascontiguousarray(flat[:, :, :3]).astype(np.uint8)), flat[:, :, 3]])
