"""Where the tray stands: from the mat, in whose middle it is, or from its own outline."""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.fiducials import Fiducials
from vision.pictures import Picture
from vision.plane import Points

INNER_MM = (170.0, 170.0)
"""Width and depth of the floor when no profile says otherwise."""
_RIM_MM = 12.0
"""From the floor's edge to the outer edge of the rim: flare and rim of usual baking and storage trays."""
_CORNER_MM = 25.0
_SEARCH_PX = 320
"""Width at which the outline is looked for."""

Shape = Literal["square", "oval"]


@dataclass(frozen=True, slots=True)
class Tray:
    """Floor plane and outline of one tray."""

    to_px: Points
    """3×3, millimetres on the floor from the tray's centre to pixels of the picture."""
    inner_mm: tuple[float, float]
    shape: Shape
    certainty: float
    """0..1: 1 with the mat; less from an outline alone."""

    @property
    def outline_mm(self) -> Points:
        """(N, 2) edge of the floor, millimetres from its centre, clockwise."""
        return outline(self.inner_mm, self.shape)


def outline(inner_mm: tuple[float, float], shape: Shape, corner_mm: float = _CORNER_MM) -> Points:
    """(64, 2) points of a rounded rectangle or an ellipse about the origin."""
    around = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    way = np.stack([np.cos(around), np.sin(around)], axis=1)
    half = np.array(inner_mm) / 2
    if shape == "oval":
        return np.asarray(way * half, np.float64)
    corner = min(corner_mm, float(half.min()))
    return np.asarray(np.sign(np.round(way, 9)) * (half - corner) + way * corner, np.float64)


def find_tray(
    picture: Picture, fiducials: Fiducials | None, inner_mm: tuple[float, float] | None = None
) -> Tray | None:
    """The tray on the mat, or the one whose outline fills the picture; None when there is none."""
    size = inner_mm or INNER_MM
    if fiducials is not None:
        return Tray(fiducials.to_px, size, "square", 1.0)
    corners = _outline_corners(picture)
    if corners is None:
        return None
    half = np.array(size) / 2 + _RIM_MM
    there = (np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half).astype(np.float32)
    to_px = cv2.getPerspectiveTransform(there, corners.astype(np.float32))
    return Tray(np.asarray(to_px, np.float64), size, "square", 0.5)


def _outline_corners(picture: Picture) -> Points | None:
    """(4, 2) corners of the rim's box in the picture, clockwise from the top left."""
    scale = _SEARCH_PX / picture.shape[1]
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    hull = _dark_blob(np.asarray(small, np.uint8))
    if hull is None:
        height, width = picture.shape[:2]
        half = 0.44 * height
        return np.array([(width / 2 + sx * half, height / 2 + sy * half) for sx, sy in _SIGNS])
    box = cv2.boxPoints(cv2.minAreaRect(hull)) / scale
    order = np.argsort(np.arctan2(*(box - box.mean(axis=0)).T[::-1]))
    return np.asarray(box[order], np.float64)


_SIGNS = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def _dark_blob(small: Picture) -> npt.NDArray[np.int32] | None:
    """A black tray is the large dark thing in the middle."""
    level = cv2.GaussianBlur(small.max(axis=2), (0, 0), 2)
    bound, _ = cv2.threshold(level, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    dark = (level < min(bound, 110)).astype(np.uint8)
    dark = np.asarray(cv2.morphologyEx(dark, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)), np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(dark)
    height, width = dark.shape
    if len(stats) < 2:
        return None
    best = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    area = stats[best, cv2.CC_STAT_AREA] / (height * width)
    if not 0.15 < area < 0.85:
        return None
    mask = cv2.morphologyEx((labels == best).astype(np.uint8), cv2.MORPH_OPEN, np.ones((15, 15), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    return np.asarray(cv2.convexHull(max(contours, key=cv2.contourArea)), np.int32)
