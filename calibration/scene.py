"""What a picture says of the table before any cube is counted: mat, light, and how dark the tray is.

Shared by `doctor`, which advises, and by profiles, which notice later that light or camera has changed.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.mat import (
    MARKER_CENTRES_MM,
    MARKER_DICTIONARY,
    PATCH_MM,
    PATCHES,
    marker_corners_mm,
)
from vision.pictures import Picture

_Points = npt.NDArray[np.float64]
_WHITE_AT_LEAST = 70.0
_WHITE_AT_MOST = 252.0
_DARK_TRAY = 0.30
"""Of the paper's level as stored: black plastic lies at 0.10 to 0.25, clear over wood above 0.4."""
_TRAY_HALF_MM = 70.0


@dataclass(frozen=True, slots=True)
class Scene:
    """The mat as seen; levels are 0..255 as stored in the picture, None where nothing could be measured."""

    markers_px: Mapping[int, tuple[tuple[float, float], ...]]
    """Corners of each marker seen, clockwise from its top left."""
    white_bgr: tuple[float, float, float] | None
    """Of the printed white patch or the paper about the markers; without a mat, of the brightest parts."""
    patches_bgr: Mapping[str, tuple[float, float, float]]
    """Mean colour of each printed patch that is in the picture and unclipped by its edge."""
    tray_level: float | None
    """Lower quartile inside of where the tray stands: its floor, even when many cubes lie there."""

    @property
    def missing_markers(self) -> tuple[int, ...]:
        """Ids that were not seen."""
        return tuple(i for i in range(len(MARKER_CENTRES_MM)) if i not in self.markers_px)

    @property
    def white_level(self) -> float | None:
        """The strongest channel of white."""
        return max(self.white_bgr) if self.white_bgr else None

    @property
    def too_dark(self) -> bool:
        """White paper is stored too dark to tell colours apart."""
        return self.white_level is not None and self.white_level < _WHITE_AT_LEAST

    @property
    def too_bright(self) -> bool:
        """White paper is clipped in every channel: the colour of the light cannot be measured."""
        return self.white_bgr is not None and min(self.white_bgr) > _WHITE_AT_MOST

    @property
    def dark_tray(self) -> bool:
        """Black cubes would hardly show in it."""
        if self.tray_level is None or not self.white_level:
            return False
        return self.tray_level / self.white_level < _DARK_TRAY


def inspect(picture: Picture) -> Scene:
    """Look at one (H, W, 3) uint8 BGR picture."""
    markers = find_markers(picture)
    to_px = mat_to_picture(markers)
    if to_px is None:
        return Scene(markers, _white_about_markers(picture, markers) or _brightest(picture), {}, None)
    patches = {
        patch.name: _mean(picture, _square(patch.centre_mm, PATCH_MM * 0.3), to_px) for patch in PATCHES
    }
    seen = {name: colour for name, colour in patches.items() if colour is not None}
    tray = _pixels(picture, _square((0.0, 0.0), _TRAY_HALF_MM), to_px)
    return Scene(
        markers_px=markers,
        white_bgr=seen.get("white") or _white_about_markers(picture, markers),
        patches_bgr=seen,
        tray_level=float(np.percentile(tray.max(axis=1), 25)) if tray.size else None,
    )


def find_markers(picture: Picture) -> dict[int, tuple[tuple[float, float], ...]]:
    """Corners in pixels of the mat's markers; a second look at another threshold finds dim ones."""
    dictionary = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
    found: dict[int, tuple[tuple[float, float], ...]] = {}
    for constant in (7, 2):
        parameters = cv2.aruco.DetectorParameters()
        parameters.adaptiveThreshConstant = constant
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
        corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(picture)
        for quad, marker in zip(corners, [] if ids is None else ids.ravel(), strict=True):
            if int(marker) < len(MARKER_CENTRES_MM):
                points = tuple((float(x), float(y)) for x, y in np.asarray(quad).reshape(4, 2))
                found.setdefault(int(marker), points)
        if len(found) == len(MARKER_CENTRES_MM):
            break
    return found


def mat_to_picture(markers_px: Mapping[int, tuple[tuple[float, float], ...]]) -> _Points | None:
    """3×3 homography from the mat's millimetres to pixels; needs two markers to be of use."""
    if len(markers_px) < 2:
        return None
    on_mat = np.array([p for marker in markers_px for p in marker_corners_mm(marker)], np.float64)
    in_picture = np.array([p for corners in markers_px.values() for p in corners], np.float64)
    homography, _ = cv2.findHomography(on_mat, in_picture)
    return None if homography is None else np.asarray(homography, np.float64)


def project(points_mm: _Points, to_px: _Points) -> _Points:
    """(N, 2) points through a homography."""
    projected = cv2.perspectiveTransform(np.asarray(points_mm, np.float64).reshape(-1, 1, 2), to_px)
    return np.asarray(projected, np.float64).reshape(-1, 2)


def _white_about_markers(
    picture: Picture, markers: Mapping[int, tuple[tuple[float, float], ...]]
) -> tuple[float, float, float] | None:
    """The paper is the brightest thing in a marker's box."""
    boxes = [cv2.boundingRect(np.array(corners, np.float32)) for corners in markers.values()]
    cuts = [picture[max(0, y) : y + height, max(0, x) : x + width] for x, y, width, height in boxes]
    pixels = [cut.reshape(-1, 3) for cut in cuts if cut.size]
    return _bright_part(np.concatenate(pixels), 90) if pixels else None


def _brightest(picture: Picture) -> tuple[float, float, float]:
    return _bright_part(picture[::8, ::8].reshape(-1, 3), 95)


def _bright_part(pixels: npt.NDArray[np.uint8], percentile: float) -> tuple[float, float, float]:
    blue, green, red = np.percentile(pixels, percentile, axis=0)
    return float(blue), float(green), float(red)


def _square(centre_mm: tuple[float, float], half_mm: float) -> _Points:
    x, y = centre_mm
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.array([(x + sx * half_mm, y + sy * half_mm) for sx, sy in signs], np.float64)


def _mean(picture: Picture, corners_mm: _Points, to_px: _Points) -> tuple[float, float, float] | None:
    outline = project(corners_mm, to_px)
    height, width = picture.shape[:2]
    if (outline < 0).any() or (outline >= (width, height)).any():
        return None
    blue, green, red = _pixels(picture, corners_mm, to_px).mean(axis=0)
    return float(blue), float(green), float(red)


def _pixels(picture: Picture, corners_mm: _Points, to_px: _Points) -> npt.NDArray[np.uint8]:
    """(N, 3) pixels inside of a quadrilateral on the mat; empty when it lies outside of the picture."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(project(corners_mm, to_px)).astype(np.int32), 1)
    return np.asarray(picture[mask.astype(bool)], np.uint8)
