"""Where the tray stands: from the mat, in whose middle it is, or from the tray alone."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.pictures import Picture
from vision.scene.camera import fitted_homography, plane_aspect
from vision.scene.drawn import DrawnOutline, Shape
from vision.scene.fiducials import Fiducials
from vision.scene.locator import CORNER_INSET, SIGNS, Located, locate, locate_turned
from vision.scene.mat import MARKER_CENTRES_MM
from vision.scene.plane import Points, project

__all__ = ["INNER_MM", "Shape", "Tray", "drawn_of", "find_tray", "outline", "tray_drawn"]

INNER_MM = (170.0, 170.0)
"""Width and depth of the floor, in millimetres, if no profile says otherwise."""
_CORNER_MM = 25.0
_ALMOST_SQUARE = 0.12
"""Difference from 1 below which an aspect ratio is taken for 1: the network's corners are no more exact."""
_ENOUGH_MARKERS = 3
"""Number of markers below which the tray itself helps to fix the plane."""
_LEAST_CERTAINTY = 0.25
_TELLS_CERTAINTY = 0.5
"""Certainty of the locator from which it may tell that the tray stands elsewhere."""
_CENTRED_MM = 4.0
"""Distance from the mat's middle, in millimetres, up to which a tray is centred: of 62 labelled trays that
are none seems further off than 3.3."""
_FEWER_TELL_LESS = {1: 3.0, 2: 1.7}
"""Divisor of the tray's offset when so few markers are seen: four are that much surer of it."""
_MOST_EDGE_MM = 12.0
_LEAST_SIDE_MM, _MOST_SIDE_MM = 90.0, 260.0
_MEASURED_MM = 4.5
"""Standard deviation of a side measured on the mat, on 48 rendered tables (2.7 on 43 labelled pictures)."""
_UNUSUAL_MM = 2 * _MEASURED_MM
"""Difference from the usual size below which a side is taken for it: most trays have it."""
_EDGE_TOLD_MM, _EDGE_MEASURED_MM, _EDGE_ALONE_MM = 0.0, 3.0, 8.0
"""Uncertainty of the floor's edge: on the mat with the size given or usual; measured on the mat; located, or
drawn by hand, without a mat."""
_LONGEST = 3.0
"""Largest ratio between the sides of a floor that was drawn and not measured."""
_HANDLES: Mapping[Shape, Points] = {
    "square": SIGNS,
    "oval": np.array([(0, -1), (1, 0), (0, 1), (-1, 0)], np.float64),
}
"""Handles by which a person draws a floor, (4, 2) each, in half sides from its centre."""


@dataclass(frozen=True, slots=True)
class Tray:
    """Floor plane and outline of one tray."""

    to_px: Points
    """3×3 homography from millimetres on the floor, from the tray's centre, to pixels of the picture."""
    inner_mm: tuple[float, float]
    shape: Shape
    certainty: float
    """0..1: 1 with three or more of the mat's markers, or if drawn; less where the tray itself fixes the
    plane."""
    edge_mm: float = _EDGE_TOLD_MM
    """Uncertainty of the outline."""
    off: tuple[float, float] | None = None
    """Offset at which it seems to stand from here, mm to the right and to the front; None if unknown."""

    @property
    def off_mm(self) -> float:
        """Distance from here at which it seems to stand; 0 if unknown."""
        return 0.0 if self.off is None else float(np.hypot(*self.off))

    @property
    def outline_mm(self) -> Points:
        """(N, 2) outline of the floor, millimetres from its centre, clockwise."""
        return outline(self.inner_mm, self.shape)


def outline(inner_mm: tuple[float, float], shape: Shape, corner_mm: float = _CORNER_MM) -> Points:
    """Return (64, 2) points of a rounded rectangle or an ellipse about the origin."""
    around = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    directions = np.stack([np.cos(around), np.sin(around)], axis=1)
    half = np.array(inner_mm) / 2
    if shape == "oval":
        return np.asarray(directions * half, np.float64)
    corner = min(corner_mm, float(half.min()))
    return np.asarray(np.sign(np.round(directions, 9)) * (half - corner) + directions * corner, np.float64)


def find_tray(
    picture: Picture,
    fiducials: Fiducials | None,
    inner_mm: tuple[float, float] | None = None,
    located: Located | None = None,
) -> Tray | None:
    """Find the tray on the mat, or the one that the picture shows; None if there is none."""
    located = located or locate(picture)
    size_px = (picture.shape[1], picture.shape[0])
    if fiducials is None:
        return _tray_without_mat(located, size_px, inner_mm)
    located = _turn_to_mat(picture, fiducials, located)
    to_px = fiducials.to_px
    if len(fiducials.markers_px) < _ENOUGH_MARKERS:
        to_px = _fit_plane_with_tray(fiducials, located, size_px, inner_mm)
    inner = inner_mm or _measured_size(located, to_px)
    edge = _EDGE_TOLD_MM if inner in (inner_mm, INNER_MM) else _EDGE_MEASURED_MM
    divisor = _FEWER_TELL_LESS.get(len(fiducials.markers_px), 1.0)
    offset = find_offset(located, fiducials.to_px, inner)
    has_few_markers = len(fiducials.markers_px) < _ENOUGH_MARKERS
    certainty = located.certainty if has_few_markers else 1.0
    offset = offset and (offset[0] / divisor, offset[1] / divisor)
    tray = Tray(to_px, inner, located.shape, certainty, edge, offset)
    if not is_centred(tray) and to_px is fiducials.to_px:  # the locator, which knows mats, shows half of it
        return replace(tray, edge_mm=max(edge, min(2 * tray.off_mm, _MOST_EDGE_MM)))
    return tray


def is_centred(tray: Tray) -> bool:
    """Return whether it seems to stand where it is taken to be, as far as the network can tell."""
    return tray.off_mm <= _CENTRED_MM


def find_offset(located: Located, to_px: Points, inner_mm: tuple[float, float]) -> tuple[float, float] | None:
    """Return the located tray's offset from where it is taken to be, mm; None if it does not show well."""
    if located.certainty < _TELLS_CERTAINTY:
        return None
    corners_mm = project(located.corners_px, np.asarray(np.linalg.inv(to_px), np.float64))
    x, y = (corners_mm - SIGNS * CORNER_INSET * np.array(inner_mm) / 2).mean(axis=0)
    return float(x), float(y)


def drawn_of(tray: Tray, size_px: tuple[int, int]) -> DrawnOutline:
    """Return its floor in a picture of `size_px` as a person would draw it."""
    points = project(_HANDLES[tray.shape] * np.array(tray.inner_mm) / 2, tray.to_px)
    first, second, third, fourth = ((float(x), float(y)) for x, y in (points + 0.5) / size_px)
    return DrawnOutline(tray.shape, (first, second, third, fourth))


def tray_drawn(
    drawn: DrawnOutline, size_px: tuple[int, int], inner_mm: tuple[float, float] | None = None
) -> Tray | None:
    """Return the tray whose floor a person drew into a picture of `size_px`; None if it is no valid floor."""
    if not drawn.is_floor():
        return None
    unit = _HANDLES[drawn.shape]
    points = np.array(drawn.handles) * size_px - 0.5
    inner = inner_mm or _size_of_aspect(plane_aspect(unit, points, size_px))
    if inner is not inner_mm and min(inner) * _LONGEST < max(inner):
        return None
    plane = unit * np.array(inner) / 2
    to_px = cv2.getPerspectiveTransform(plane.astype(np.float32), points.astype(np.float32))
    return Tray(np.asarray(to_px, np.float64), inner, drawn.shape, 1.0, _EDGE_ALONE_MM)


def _turn_to_mat(picture: Picture, fiducials: Fiducials, located: Located) -> Located:
    """Let the corners start at the mat's top left, even if the camera stands at another side of the table.

    The locator was trained on upright pictures, so it looks again at the turned one.
    """
    expected = project(SIGNS * INNER_MM[0] / 2, fiducials.to_px)
    expected -= expected.mean(axis=0)
    turns = int(np.argmax([float((np.roll(SIGNS, n, axis=0) * expected).sum()) for n in range(4)]))
    if turns == 0:
        return located
    return locate_turned(picture, turns)


def _tray_without_mat(
    located: Located, size_px: tuple[int, int], inner_mm: tuple[float, float] | None
) -> Tray | None:
    if located.certainty < _LEAST_CERTAINTY:
        return None
    inner = inner_mm or _assumed_size(located, size_px)
    on_floor = SIGNS * CORNER_INSET * np.array(inner) / 2
    to_px = fitted_homography(on_floor, located.corners_px, size_px, located.spread_px)
    return None if to_px is None else Tray(to_px, inner, located.shape, located.certainty, _EDGE_ALONE_MM)


def _assumed_size(located: Located, size_px: tuple[int, int]) -> tuple[float, float]:
    """Return the usual width, with the depth that a usual camera would make of the corners."""
    return _size_of_aspect(plane_aspect(SIGNS, located.corners_px, size_px))


def _size_of_aspect(aspect: float) -> tuple[float, float]:
    width, depth = INNER_MM
    if abs(aspect - 1) < _ALMOST_SQUARE:
        return INNER_MM
    return (width, width / aspect) if aspect > 1 else (depth * aspect, depth)


def _fit_plane_with_tray(
    fiducials: Fiducials, located: Located, size_px: tuple[int, int], inner_mm: tuple[float, float] | None
) -> Points:
    """Fit the plane to one or two markers and the corners of the tray, whose centre is the mat's."""
    if located.certainty < _LEAST_CERTAINTY:
        return fiducials.to_px
    on_floor = SIGNS * CORNER_INSET * np.array(inner_mm or _assumed_size(located, size_px)) / 2
    plane_mm = np.concatenate([*fiducials.plane_mm, on_floor])
    seen_px = np.concatenate([*fiducials.markers_px.values(), located.corners_px])
    spread = np.concatenate([fiducials.spread_px, np.full(len(on_floor), max(0.7 * located.spread_px, 1.0))])
    fitted = fitted_homography(plane_mm, seen_px, size_px, spread)
    return fiducials.to_px if fitted is None else fitted


def _measured_size(located: Located, to_px: Points) -> tuple[float, float]:
    """Return width and depth of the floor on the mat, within the usual limits; the usual size if that fails.

    The corners are only known to a few millimetres: a square tray that is nearly as large as the usual one,
    or nearly as deep as wide, is taken to be exactly so.
    """
    to_mm = np.asarray(np.linalg.inv(to_px), np.float64)
    corners_mm = project(located.corners_px, to_mm) / CORNER_INSET
    sides = np.roll(corners_mm, -1, axis=0) - corners_mm
    width = float(sides[0, 0] - sides[2, 0]) / 2
    depth = float(sides[1, 1] - sides[3, 1]) / 2
    mat_width = 2 * max(abs(v) for centre in MARKER_CENTRES_MM for v in centre)
    if not (
        _LEAST_SIDE_MM < width < min(_MOST_SIDE_MM, mat_width) and _LEAST_SIDE_MM < depth < _MOST_SIDE_MM
    ):
        return INNER_MM
    if located.shape == "oval":
        return width, depth
    if max(abs(width - INNER_MM[0]), abs(depth - INNER_MM[1])) < _UNUSUAL_MM:
        return INNER_MM
    if abs(width - depth) < _UNUSUAL_MM:
        width = depth = (width + depth) / 2
    return width, depth
