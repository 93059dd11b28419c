"""What a picture says about the table before any cube is counted: mat, light, and how dark the tray is.

Shared by `doctor`, which advises, and by profiles, which notice later that light or camera has changed.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture
from vision.scene.fiducials import Points, find_fiducials, project
from vision.scene.light import brightest_light, light_of_mat
from vision.scene.mat import unseen_markers

_WHITE_AT_LEAST = 70.0
_WHITE_AT_MOST = 252.0
_DARK_TRAY = 0.30
"""Share of the paper's stored level: black plastic is at 0.10 to 0.25, clear plastic over wood above 0.4."""
_TRAY_HALF_MM = 70.0


@dataclass(frozen=True, slots=True)
class Scene:
    """The mat as seen; levels are 0..255 as stored in the picture, None if they could not be measured."""

    markers_px: Mapping[int, tuple[tuple[float, float], ...]]
    """Corners of each visible marker, clockwise from its top left."""
    to_px: Points | None
    """3×3 homography from millimetres on the mat to pixels; None without a mat."""
    white_bgr: tuple[float, float, float]
    """Levels of the mat's paper; without a mat, of the brightest parts."""
    tray_level: float | None
    """Lower quartile where the tray should stand: its floor, even if many cubes lie there."""

    @property
    def missing_markers(self) -> tuple[int, ...]:
        """Ids of the markers that were not seen."""
        return unseen_markers(self.markers_px)

    @property
    def white_level(self) -> float:
        """The level of white's strongest channel."""
        return max(self.white_bgr)

    @property
    def too_dark(self) -> bool:
        """Whether white paper is too dark to tell colours apart."""
        return self.white_level < _WHITE_AT_LEAST

    @property
    def too_bright(self) -> bool:
        """Whether white paper is clipped in every channel, so that the light's colour cannot be measured."""
        return min(self.white_bgr) > _WHITE_AT_MOST

    @property
    def dark_tray(self) -> bool:
        """Whether black cubes would hardly show in the tray."""
        return self.tray_level is not None and self.tray_level < _DARK_TRAY * self.white_level


def inspect_scene(picture: Picture) -> Scene:
    """Inspect one (H, W, 3) uint8 BGR picture."""
    fiducials = find_fiducials(picture)
    if fiducials is None:
        return Scene({}, None, brightest_light(picture).white_bgr, None)
    to_px = fiducials.to_px
    light = light_of_mat(picture, fiducials) or brightest_light(picture)
    tray = _pixels_inside(picture, _square_corners((0.0, 0.0), _TRAY_HALF_MM), to_px)
    return Scene(
        markers_px={
            marker: tuple((float(x), float(y)) for x, y in corners)
            for marker, corners in fiducials.markers_px.items()
        },
        to_px=to_px,
        white_bgr=light.white_bgr,
        tray_level=float(np.percentile(tray.max(axis=1), 25)) if tray.size else None,
    )


def _square_corners(centre_mm: tuple[float, float], half_mm: float) -> Points:
    x, y = centre_mm
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.array([(x + sx * half_mm, y + sy * half_mm) for sx, sy in signs], np.float64)


def _pixels_inside(picture: Picture, corners_mm: Points, to_px: Points) -> npt.NDArray[np.uint8]:
    """(N, 3) pixels inside a quadrilateral on the mat; empty if it lies outside the picture."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(project(corners_mm, to_px)).astype(np.int32), 1)
    return np.asarray(picture[mask.astype(bool)], np.uint8)
