"""The mat's four markers in a picture, and the plane they lie in.

Most pictures show all markers at half size in a few milliseconds. Missing ones are searched for again where
the found ones say they must be.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture
from vision.scene.camera import corner_spread_px, fitted_homography
from vision.scene.mat import (
    MARKER_CENTRES_MM,
    MARKER_DICTIONARY,
    MARKER_MM,
    marker_corners_mm,
    unseen_markers,
)
from vision.scene.plane import Points, project

__all__ = ["Fiducials", "Points", "find_fiducials", "markers_inside", "project"]

Grey = npt.NDArray[np.uint8]

_QUICK_WIDTH_PX = 640
"""Width of the quick search: 25 mm markers are about 45 px wide in it, which is enough, and it is four times
as fast as at 1280 px."""
_AROUND_MM = 10.0
"""Margin, in millimetres, of the second search about the place where a marker must be."""
_EDGE_PX = 4.0
_CUT_SPREAD_PX = 15.0
"""Standard deviation, in pixels, of a corner at the picture's edge: a marker cut off there may still be read,
with its corners on the edge."""
_STRAY_PX = 6.0
"""Misfit, in pixels, from which a marker that contradicts the others is a misreading."""


@dataclass(frozen=True, slots=True)
class Fiducials:
    """The markers seen and the homography they agree on."""

    markers_px: Mapping[int, Points]
    """(4, 2) corners by marker id, clockwise from the marker's own top left."""
    to_px: Points
    """3×3, millimetres on the mat (see `vision.scene.mat`) to pixels of the picture."""

    spread_px: npt.NDArray[np.float64]
    """(4 × markers,) standard deviation of each corner; large at the picture's edge, where markers are
    cut."""

    @property
    def plane_mm(self) -> tuple[Points, ...]:
        """(4, 2) corners on the mat of each marker seen."""
        return tuple(_marker_corners(marker) for marker in self.markers_px)

    @property
    def missing(self) -> tuple[int, ...]:
        """Ids of the markers that were not seen."""
        return unseen_markers(self.markers_px)


def find_fiducials(picture: Picture) -> Fiducials | None:
    """Find the mat's markers in a (H, W, 3) uint8 BGR picture; None if there are none."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    found = _search_small(grey)
    if not found:
        return None
    steps = _refinement_steps(grey)
    refined = {marker: _refine(steps, corners) for marker, corners in found.items()}
    size = (picture.shape[1], picture.shape[0])
    agreed = _fit_agreeing(refined, size)
    missing_found = _search_missing(steps, agreed)
    return _fit_agreeing({**agreed.markers_px, **missing_found}, size) if missing_found else agreed


def count_markers(picture: Picture) -> int:
    """Return how many of the mat's markers the quick search finds."""
    return len(_search_small(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)))


@cache
def _detector(constant: float, finest: bool) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.adaptiveThreshConstant = constant
    parameters.minMarkerPerimeterRate = 0.06
    if not finest:  # one window about as wide as a cell of the marker, one as wide as half the marker
        parameters.adaptiveThreshWinSizeMin = 13
        parameters.adaptiveThreshWinSizeMax = 33
        parameters.adaptiveThreshWinSizeStep = 20
    else:  # twice as many windows would find one more marker in a thousand, for a quarter more time
        parameters.adaptiveThreshWinSizeMin = 5
        parameters.adaptiveThreshWinSizeMax = 45
        parameters.adaptiveThreshWinSizeStep = 20
        parameters.errorCorrectionRate = 0.8
        parameters.maxErroneousBitsInBorderRate = 0.5
        parameters.polygonalApproxAccuracyRate = 0.05
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY), parameters)


def _detect(grey: Grey, detector: cv2.aruco.ArucoDetector) -> dict[int, Points]:
    corners, ids, _ = detector.detectMarkers(grey)
    found: dict[int, Points] = {}
    for quad, marker in zip(corners, [] if ids is None else np.ravel(ids), strict=True):
        if int(marker) < len(MARKER_CENTRES_MM):
            found.setdefault(int(marker), np.asarray(quad, np.float64).reshape(4, 2))
    return found


def _search_small(grey: Grey) -> dict[int, Points]:
    """Search a reduced picture, and again with looser thresholds if nothing shows.

    The second search costs as much as the network.
    """
    scale = 1 / max(1, round(grey.shape[1] / _QUICK_WIDTH_PX))  # a whole factor, for a fast average
    small = np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    found = _detect(small, _detector(7, False)) or _detect(small, _detector(3, True))
    return {marker: (corners + 0.5) / scale - 0.5 for marker, corners in found.items()}


def _search_missing(steps: tuple[tuple[Grey, int], ...], known: Fiducials) -> dict[int, Points]:
    """Search for missing markers in enlarged crops about the places where they must be."""
    grey = steps[-1][0]
    found: dict[int, Points] = {}
    for marker in known.missing:
        centre = np.array(MARKER_CENTRES_MM[marker])
        half = MARKER_MM / 2 + _AROUND_MM * (1 if len(known.markers_px) > 1 else 3)
        box = project(
            centre + np.array([(-half, -half), (half, -half), (half, half), (-half, half)]), known.to_px
        )
        left, top = np.floor(box.min(axis=0)).astype(int).clip(0)
        right, bottom = np.ceil(box.max(axis=0)).astype(int).clip(0)
        crop = grey[top:bottom, left:right]
        if min(crop.shape, default=0) < 12:
            continue
        scale = float(np.clip(160 / max(crop.shape), 1.0, 3.0))
        enlarged = cv2.resize(crop, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        enlarged = cv2.normalize(enlarged, np.empty(0), 0, 255, cv2.NORM_MINMAX)
        quad = _detect(np.asarray(enlarged, np.uint8), _detector(3, True)).get(marker)
        if quad is not None:
            corners = (quad + 0.5) / scale - 0.5 + (left, top)
            found[marker] = _refine(steps, corners)
    return found


def _refinement_steps(grey: Grey) -> tuple[tuple[Grey, int], ...]:
    """Return the pictures in which corners are refined in turn, each with its reduction factor.

    A large picture has a reduced one first: one pixel of the quick search is six of a 4K picture.
    """
    factor = round(grey.shape[1] / (2 * _QUICK_WIDTH_PX))
    if factor <= 1:
        return ((grey, 1),)
    small = cv2.resize(grey, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)
    return (np.asarray(small, np.uint8), factor), (grey, 1)


def _refine(steps: tuple[tuple[Grey, int], ...], corners: Points) -> Points:
    """Refine corners to a fraction of a pixel."""
    for grey, factor in steps:
        corners = (_move_to_corners(grey, (corners + 0.5) / factor - 0.5) + 0.5) * factor - 0.5
    return corners


def _move_to_corners(grey: Grey, corners: Points) -> Points:
    """Move each to the nearest corner; the window stays within one of the marker's six cells."""
    edge = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).min())
    window = int(np.clip(edge / 14, 1, 7))
    inside = ((corners > window + 1) & (corners < np.array(grey.shape[::-1]) - window - 2)).all()
    if not inside:
        return corners
    points = corners.astype(np.float32).reshape(-1, 1, 2)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.02)
    refined = cv2.cornerSubPix(grey, points, (window, window), (-1, -1), criteria)
    refined_corners = np.asarray(refined, np.float64).reshape(4, 2)
    return refined_corners if float(np.abs(refined_corners - corners).max()) <= window + 1 else corners


def _fit_agreeing(markers: Mapping[int, Points], size_px: tuple[int, int]) -> Fiducials:
    """Fit the homography of all markers; of more than two, one that the others contradict is dropped."""
    to_px = _homography(markers, size_px)
    if len(markers) > 2:
        worst = max(markers, key=lambda marker: _misfit_px(markers, to_px, marker))
        if _misfit_px(markers, to_px, worst) > _STRAY_PX:
            agreeing = {marker: c for marker, c in markers.items() if marker != worst}
            agreeing_to_px = _homography(agreeing, size_px)
            if max(_misfit_px(agreeing, agreeing_to_px, marker) for marker in agreeing) < _STRAY_PX / 2:
                return Fiducials(agreeing, agreeing_to_px, _corner_spreads(agreeing, size_px))
    return Fiducials(dict(markers), to_px, _corner_spreads(markers, size_px))


def _misfit_px(markers: Mapping[int, Points], to_px: Points, marker: int) -> float:
    return float(np.abs(project(marker_corners_mm(marker), to_px) - markers[marker]).max())


def _homography(markers: Mapping[int, Points], size_px: tuple[int, int]) -> Points:
    """Return the homography of four whole markers, or the likeliest camera's if some are cut or missing."""
    on_mat = np.concatenate([_marker_corners(m) for m in markers])
    in_picture = np.concatenate(list(markers.values()))
    spreads = _corner_spreads(markers, size_px)
    if len(markers) < len(MARKER_CENTRES_MM) or spreads.max() >= _CUT_SPREAD_PX:
        fitted = fitted_homography(on_mat, in_picture, size_px, spreads)
        if fitted is not None:
            return fitted
    found, _ = cv2.findHomography(on_mat, in_picture)
    return np.asarray(found, np.float64)


def _corner_spreads(markers: Mapping[int, Points], size_px: tuple[int, int]) -> npt.NDArray[np.float64]:
    corners = np.concatenate(list(markers.values()))
    far = np.array(size_px) - 1 - _EDGE_PX
    is_cut = ((corners < _EDGE_PX) | (corners > far)).any(axis=1)
    return np.asarray(np.where(is_cut, _CUT_SPREAD_PX, corner_spread_px(size_px)), np.float64)


def _marker_corners(marker: int) -> Points:
    return np.array(marker_corners_mm(marker), np.float64)


def markers_inside(fiducials: Fiducials, size_px: tuple[int, int]) -> Iterable[int]:
    """Yield the ids of the markers that should be whole in a picture of (width, height)."""
    for marker in range(len(MARKER_CENTRES_MM)):
        corners = project(marker_corners_mm(marker), fiducials.to_px)
        if (corners >= 2).all() and (corners < np.array(size_px) - 2).all():
            yield marker
