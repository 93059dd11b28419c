"""Training data of the looks: places where the detector sees something, and what truly lies there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.training.crops import Crop
from calibration.training.packed import CHANNELS, place_of, stored_of
from calibration.training.pairs import NOT_KNOWN, STACK, truth_of
from calibration.training.views import add_blur_and_grain, slant_matrix, vary_light, vary_tone
from vision.finding.closer import LOWEST, PATCH_PX, look_closer, patches
from vision.finding.detector import Detection, compute_cells, decode
from vision.finding.faint import faint_places
from vision.finding.finer import drop_weak_neighbours
from vision.finding.stored import SIDE_PX, Source
from vision.finding.upright import UprightPlace, upright_patches, with_slope
from vision.finding.wide import COARSER
from vision.levels import DARK, floor_level
from vision.scene.rectify import MULTIPLE_PX

STORED_PX = 96
"""Side of a stored patch: leaves room to turn and shift the patch cut from it."""
UPRIGHT_STORED_PX = 144
"""Side of a stored patch that is held upright: it leans a little at most."""
_FAINTEST = 0.0003
"""Lowest detector score of places to learn from on dark floors. The reader asks only from three times that,
where there are too few cubes to learn from."""
_CLEAR_DOUBT = 0.003
"""The wide look is hardly ever asked about places surer than this."""
_CLEAR_UPRIGHT, _CLEAR_CLOSER = 0.08, 0.12
"""Share of these that it learns from nevertheless, and that is kept among the closer look's hard places."""
EXACT = 0.35
COARSER_CAMERA = 0.15
_DROP_PEAK_CHANNEL = cv2.COLOR_BGRA2BGR
"""Drops the channel of peaks from a patch."""
TURNED_SCALED, TURNED_OFF_PX = 0.05, 0.7
"""Standard deviations of scale (its logarithm) and position (px) of a place for the closer look."""
LEANING = 0.2
"""Deviation from upright, radians: more than the degree or two to which a camera is known, for variety."""
SCALED, SLOPE_OFF, OFF_PX = 0.025, 0.03, TURNED_OFF_PX * SIDE_PX / PATCH_PX

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Peaks:
    """N places, with their truth."""

    patches: npt.NDArray[np.uint8]
    """(N, STORED_PX, STORED_PX, 4) as `vision.finding.closer.patches`, or larger ones for the other looks."""
    truth: Ints
    """(N, 3): number of cubes that count (0, 1, 2 or more), colours of the upper and the lower; `NOT_KNOWN`
    if there is none."""
    scores: Floats
    """(N,) the detector's presence scores."""

    def __len__(self) -> int:
        return len(self.truth)


def join_peaks(parts: Sequence[Peaks]) -> Peaks:
    """Concatenate the parts."""
    return Peaks(
        np.concatenate([part.patches for part in parts]),
        np.concatenate([part.truth for part in parts]),
        np.concatenate([part.scores for part in parts]),
    )


def peaks_of(crops: Iterable[Crop]) -> Peaks:
    """Return all places of known truth that the shipped detector names in crops."""
    return _gather_peaks(crops, 1.0)


def hard_peaks_of(crops: Iterable[Crop]) -> Peaks:
    """Return of these the stacks, those the shipped closer look doubts, and a few clear ones."""
    return _gather_peaks(crops, _CLEAR_CLOSER)


def _gather_peaks(crops: Iterable[Crop], clear_share: float) -> Peaks:
    rng = np.random.default_rng(12)
    kept, truth, scores = [], [], []
    for crop in crops:
        if not len(crop.cubes):
            continue
        picture, found, faint = _detect_places(crop)
        found += faint
        truths = truth_of(found, crop.cubes)
        seen = look_closer(picture, found) if clear_share < 1 else found  # all are kept: no need to look
        chosen = _choose_places(rng, truths, seen, clear_share, _faint_indices(found, faint))
        kept += patches(picture, found, float(np.median(crop.cubes[:, 4])), chosen, side=STORED_PX)
        truth += [truths[n] for n in chosen]
        scores += [found[n].score for n in chosen]
    return _stack_peaks(kept, truth, scores, STORED_PX)


def upright_peaks_of(crops: Iterable[Crop]) -> Peaks:
    """Return places that the wide look is asked about, held upright, and some clear ones."""
    rng = np.random.default_rng(12)
    kept, truth, scores = [], [], []
    for crop in crops:
        if not len(crop.cubes):
            continue
        picture, peaks, faint = _detect_places(crop)
        found, crowded = drop_weak_neighbours(peaks, float(np.median(crop.cubes[:, 4])))
        found += faint
        truths, seen = truth_of(found, crop.cubes), look_closer(picture, found)
        chosen = _choose_places(rng, truths, seen, _CLEAR_UPRIGHT, crowded | _faint_indices(found, faint))
        source = crop.source or Source(picture, np.eye(3), None)
        kept += [
            stored_of(place)
            for place in upright_patches(source, picture, found, chosen, side=UPRIGHT_STORED_PX)
        ]
        truth += [truths[n] for n in chosen]
        scores += [found[n].score for n in chosen]
    return _stack_peaks(kept, truth, scores, UPRIGHT_STORED_PX, CHANNELS)


def _detect_places(crop: Crop) -> tuple[npt.NDArray[np.uint8], list[Detection], list[Detection]]:
    """Return the picture in whole cells, the detector's places, and faint places on a dark floor."""
    picture = whole_cells(crop.picture)
    detections = decode(compute_cells(picture), _FAINTEST)
    peaks = [peak for peak in detections if peak.score >= LOWEST]
    if floor_level(picture) >= DARK:
        return picture, peaks, []
    inside = np.ones(picture.shape[:2], np.uint8) if crop.inside is None else whole_cells(crop.inside)
    return picture, peaks, faint_places(detections, peaks, inside)


def _faint_indices(found: Sequence[Detection], faint: Sequence[Detection]) -> frozenset[int]:
    """Return the indices of the faint ones at the end: hardly anything else teaches what they are."""
    return frozenset(range(len(found) - len(faint), len(found)))


def _choose_places(
    rng: np.random.Generator,
    truths: Sequence[tuple[int, int, int]],
    seen: Sequence[Detection],
    clear_share: float,
    always_kept: frozenset[int] = frozenset(),
) -> list[int]:
    """Return the indices of places of known truth to keep: the hard ones, and a share of the others."""
    return [
        n
        for n, ((number, _, _), peak) in enumerate(zip(truths, seen, strict=True))
        if number != NOT_KNOWN
        and (number == STACK or n in always_kept or not _is_clear(peak) or rng.random() < clear_share)
    ]


def _is_clear(peak: Detection) -> bool:
    """Whether number and colour are clear: a faded cube in the sun may surely be one, yet be named black."""
    return max(min(peak.score, 1 - peak.score), peak.under, 1 - max(peak.colour_shares)) < _CLEAR_DOUBT


def whole_cells(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Crop an (H, W, …) picture to whole cells of the detector."""
    height, width = (side // MULTIPLE_PX * MULTIPLE_PX for side in picture.shape[:2])
    return np.ascontiguousarray(picture[:height, :width])


def _stack_peaks(
    kept: Sequence[npt.NDArray[np.uint8]],
    truth: Sequence[tuple[int, int, int]],
    scores: Sequence[float],
    side: int,
    channels: int = 4,
) -> Peaks:
    patches = np.stack(kept) if kept else np.zeros((0, side, side, channels), np.uint8)
    return Peaks(patches, np.array(truth, np.int64).reshape(-1, 3), np.array(scores, np.float32))


def cut_turned_view(
    rng: np.random.Generator, stored: npt.NDArray[np.uint8], side: int = PATCH_PX
) -> npt.NDArray[np.uint8]:
    """Cut a view from a stored patch: turned, mirrored, slightly shifted and scaled, in another light."""
    whole = stored.shape[0]
    angle, scale = rng.uniform(0, 2 * np.pi), float(np.exp(rng.normal(0, TURNED_SCALED)))
    mirror = rng.choice([-1.0, 1.0])
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    matrix = slant_matrix(rng) @ np.array([[c * mirror, -s], [s * mirror, c]])
    off = TURNED_OFF_PX * side / PATCH_PX
    shift = (side - 1) / 2 + rng.normal(0, off, 2) - matrix @ np.full(2, (whole - 1) / 2)
    affine = np.concatenate([matrix, shift[:, None]], axis=1)
    return _relight_patch(rng, cv2.warpAffine(stored, affine, (side, side), borderMode=cv2.BORDER_REPLICATE))


def cut_wide_view(rng: np.random.Generator, stored: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Vary a patch stored upright: leaning, mirrored, in another light; (SIDE_PX, SIDE_PX, CHANNELS)."""
    place = place_of(stored)
    slope = float(place.near[0, 0, -1]) / 255 + float(rng.normal(0, SLOPE_OFF))
    seen, wide = _maybe_coarsen(rng, np.ascontiguousarray(place.near[:, :, :-1])), place.about
    mirror = rng.choice([-1.0, 1.0])
    if rng.random() < EXACT:
        warped = np.ascontiguousarray(_cut_shifted_centre(rng, seen)[:, :: int(mirror)])
        matrix, shift = np.diag([mirror, 1.0]), np.zeros(2)
    else:
        lean = rng.normal(0, LEANING)
        c, s = np.array([np.cos(lean), np.sin(lean)]) * np.exp(rng.normal(0, SCALED))
        matrix, shift = (
            np.array([[c * mirror, -s * mirror], [s, c]]),
            OFF_PX * rng.normal(0, 1, 2),
        )
        warped = _warp(seen, matrix, shift, SIDE_PX)
    wide = _warp(wide, matrix, shift / COARSER, SIDE_PX // 2)
    light = int(rng.integers(2**32))  # the same for both
    warped = _tone_patch(np.random.default_rng(light), warped, SIDE_PX)
    wide = _tone_patch(np.random.default_rng(light), wide, SIDE_PX / COARSER)
    grain = cv2.merge(
        [add_blur_and_grain(rng, np.ascontiguousarray(warped[:, :, :3])), cv2.extractChannel(warped, 3)]
    )
    return stored_of(UprightPlace(with_slope(np.asarray(grain, np.uint8), slope), wide))


def _warp(
    seen: npt.NDArray[np.uint8], matrix: npt.NDArray[np.float64], off: npt.NDArray[np.float64], side: int
) -> npt.NDArray[np.uint8]:
    """Warp a larger square about its centre to (side, side, …)."""
    shift = (side - 1) / 2 + off - matrix @ np.full(2, (len(seen) - 1) / 2)
    affine = np.concatenate([matrix, shift[:, None]], axis=1)
    return np.asarray(cv2.warpAffine(seen, affine, (side, side), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _tone_patch(rng: np.random.Generator, seen: npt.NDArray[np.uint8], side: float) -> npt.NDArray[np.uint8]:
    """Relight an (H, W, 4) patch; a shadow's edge falls across the central square of this side."""
    light = vary_tone(rng, np.asarray(cv2.cvtColor(seen, _DROP_PEAK_CHANNEL), np.uint8), side)
    return np.asarray(cv2.merge([light, cv2.extractChannel(seen, 3)]), np.uint8)


def _maybe_coarsen(rng: np.random.Generator, stored: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Sometimes show the patch as a camera with fewer pixels would."""
    if rng.random() >= COARSER_CAMERA:
        return stored
    side = len(stored)
    few = int(side * rng.uniform(0.4, 0.8))
    small = cv2.resize(cv2.cvtColor(stored, _DROP_PEAK_CHANNEL), (few, few), interpolation=cv2.INTER_AREA)
    large = cv2.resize(small, (side, side))
    return np.asarray(cv2.merge([large, cv2.extractChannel(stored, 3)]), np.uint8)


def _cut_shifted_centre(rng: np.random.Generator, stored: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return the centre, shifted by whole pixels."""
    off = (len(stored) - SIDE_PX) // 2 + np.clip(np.round(rng.normal(0, 1.2, 2)), -6, 6).astype(int)
    return stored[off[0] : off[0] + SIDE_PX, off[1] : off[1] + SIDE_PX]


def _relight_patch(rng: np.random.Generator, patch: cv2.typing.MatLike) -> npt.NDArray[np.uint8]:
    """Relight a (side, side, 4) patch; the channel of other peaks stays as it is."""
    seen = vary_light(rng, np.asarray(cv2.cvtColor(patch, _DROP_PEAK_CHANNEL), np.uint8))
    return np.asarray(cv2.merge([seen, cv2.extractChannel(patch, 3)]), np.uint8)  # quicker than NumPy's
