"""Locator of the tray's floor in a whole picture: a small network gives four corners and square or oval.

It works on a picture 160 px wide. The corners are the centres of mass of heat maps, so they have sub-pixel
precision and may lie outside the picture; the width of a map says how sure its corner is.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.network import network
from vision.pictures import Picture
from vision.scene.drawn import Shape
from vision.scene.plane import Points, project

INPUT_PX = (160, 128)
"""Width and height; a picture is scaled to fit, and the rest stays black."""
STRIDE = 4
CORNER_INSET = 0.8
"""Share of the way from the floor's centre to its box's corners at which the located corners lie."""
SIGNS: Points = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
_OVAL_REACH = 0.8
"""Share of the half sides at which a square tray still has floor in the corners and an oval one has not."""
_USUAL_SPREAD_PX = 6.0
"""Standard deviation, in pixels of the small picture, of the heat map of a sure corner."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Located:
    """Where the tray of a picture seems to be."""

    corners_px: Points
    """(4, 2) in the picture: at `CORNER_INSET` of the floor's box, clockwise from the top left."""
    spread_px: float
    """Standard deviation of a corner, in pixels of the picture."""
    shape: Shape
    certainty: float
    """0..1."""


def locate(picture: Picture) -> Located:
    """Locate the tray in a (H, W, 3) uint8 BGR picture; always answers, see `certainty`.

    The network was trained on wide pictures. A tall one, from an upright phone or a camera on its side, is
    first searched turned, then in a part of a wide picture's proportions about the tray found there.
    """
    height, width = picture.shape[:2]
    if height <= width:
        return _locate_wide(picture)
    lying = locate_turned(picture, 3)
    lying = replace(lying, corners_px=np.roll(lying.corners_px, 1, axis=0))
    part_height = round(width * INPUT_PX[1] / INPUT_PX[0])
    top = int(np.clip(lying.corners_px[:, 1].mean() - part_height / 2, 0, height - part_height))
    standing = _locate_wide(picture[top : top + part_height])
    if lying.certainty > standing.certainty:
        return lying
    return replace(standing, corners_px=standing.corners_px + np.array([0, top]))


def locate_turned(picture: Picture, quarters: int) -> Located:
    """Locate in the picture after so many clockwise quarter turns.

    The corners start at the turned picture's top left.
    """
    found = locate(np.ascontiguousarray(np.rot90(picture, -quarters)))
    x, y = found.corners_px.T
    last_x, last_y = picture.shape[1] - 1, picture.shape[0] - 1
    coordinates = {0: (x, y), 1: (y, last_y - x), 2: (last_x - x, last_y - y), 3: (last_x - y, x)}[quarters]
    return replace(found, corners_px=np.stack(coordinates, axis=1))


def _locate_wide(picture: Picture) -> Located:
    small, scale = reduce_for_network(picture)
    cells = network("tray").run(small[None])[0]
    corners, spreads = _corner_centres(cells[:4])
    floor = 1 / (1 + np.exp(-cells[4]))
    shape = _decide_shape(floor, corners)
    filled = _floor_in_box(floor, corners)
    certainty = filled * min(1.0, _USUAL_SPREAD_PX / max(1e-3, float(spreads.max())))
    return Located((corners + 0.5) / scale - 0.5, float(spreads.mean()) / scale / 3, shape, certainty)


def reduce_for_network(picture: Picture) -> tuple[Picture, float]:
    """Return the picture as small as the network sees it, and the scale factor."""
    width, height = INPUT_PX
    scale = min(width / picture.shape[1], height / picture.shape[0])
    size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
    # Reduce by skipping pixels first: averaging all two million would take longer than the network.
    step = max(1, int(0.25 / scale))
    coarse = (picture.shape[1] // step, picture.shape[0] // step)
    skipped = cv2.resize(picture, coarse, interpolation=cv2.INTER_NEAREST)
    reduced = cv2.resize(skipped, size, interpolation=cv2.INTER_AREA)
    small = np.zeros((height, width, 3), np.uint8)
    small[: size[1], : size[0]] = reduced
    return small, scale


def _corner_centres(maps: Floats) -> tuple[Points, npt.NDArray[np.float64]]:
    """Return (4, 2) centres of mass in the small picture, and the standard deviation of each map about it."""
    heights, widths = maps.shape[1:]
    rows, columns = np.mgrid[0:heights, 0:widths].astype(np.float64)
    heat = np.exp(maps - maps.max(axis=(1, 2), keepdims=True)).astype(np.float64)
    heat /= heat.sum(axis=(1, 2), keepdims=True)
    x, y = (heat * columns).sum(axis=(1, 2)), (heat * rows).sum(axis=(1, 2))
    squared_distances = (columns - x[:, None, None]) ** 2 + (rows - y[:, None, None]) ** 2
    spread = np.sqrt((heat * squared_distances).sum(axis=(1, 2)))
    return (np.stack([x, y], axis=1) + 0.5) * STRIDE - 0.5, spread * STRIDE


def _box_to_picture(corners: Points) -> Points:
    """Return the homography from the floor's box, -1..1, to the small picture."""
    unit = (SIGNS * CORNER_INSET).astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(unit, corners.astype(np.float32)), np.float64)


def _sample_floor(floor: Floats, corners: Points, points: Points) -> Floats:
    """Return the floor probability at points of the box; 0.5, for unknown, outside the picture."""
    cells = (project(points, _box_to_picture(corners)) + 0.5) / STRIDE - 0.5
    columns, rows = np.round(cells).astype(int).T
    heights, widths = floor.shape
    is_inside = (columns >= 0) & (columns < widths) & (rows >= 0) & (rows < heights)
    probabilities = np.full(len(points), 0.5, np.float32)
    probabilities[is_inside] = floor[rows[is_inside], columns[is_inside]]
    return probabilities


def _decide_shape(floor: Floats, corners: Points) -> Shape:
    at_corners = _sample_floor(floor, corners, SIGNS * _OVAL_REACH)
    return "oval" if float(np.mean(at_corners)) < 0.5 else "square"


def _floor_in_box(floor: Floats, corners: Points) -> float:
    """Return the mean probability that the middle of the box is floor."""
    steps = np.linspace(-0.6, 0.6, 5)
    grid = np.array([(x, y) for x in steps for y in steps])
    return float(np.mean(_sample_floor(floor, corners, grid)))
