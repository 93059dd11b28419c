"""Whether something other than a cube covers the tray, such as a sleeve, a sheet or a card.

A small network maps it. It looks coarsely at the tray and its surroundings: a sleeve is larger than a heap,
comes in over the rim, and no floor shows through it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.network import network
from vision.pictures import Picture
from vision.scene.light import Light, whiten
from vision.scene.plane import Points
from vision.scene.tray import Tray, outline

VIEW_PX = 128
"""Side of the network's square input, in pixels."""
MM_PER_PX = 1.75
STRIDE = 4
"""Side of a cell of its map, in pixels."""
_OVER = 3
"""Samples averaged along each side of a pixel, which removes grain and fine print."""
_SURE = 0.85
"""Score above which a cell is covered. High, as half of the training trays were covered and at the table
hardly one in a hundred is."""
_MAY_BE = 0.3
"""Score above which a cell of an empty tray is covered."""
_AS_BEFORE = 0.3
"""Largest change of a cell that looks as before, as a natural logarithm of levels (0..255)."""
_JUST_AS = 0.1
"""The same for a cell so unchanged that nothing can lie over it. On 160 rendered tables with an object of any
of eight colours over the tray, it is still seen on all 148 where it was seen before; with 0.3 and
neighbouring cells accepted, 48 would be lost."""
_DARK = 8.0
"""Levels added before taking the logarithm, so that noise in the dark is no change."""
_FLOOR = 0.5
"""Share of a cell above which it counts as floor."""
_LEAST_MM2 = 220.0
"""Covered floor, in mm², above which the tray is covered: more than three cubes' faces. A fingertip beside
the wall hides less."""

_CUBE_MM = 14.0
"""Radius about a cube's centre, in millimetres, that takes in the cube, however it lies, and some of its
shadow."""

_MIDDLE = (0.0, 0.0)
Floats = npt.NDArray[np.float32]
Cells = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class AlwaysCovered:
    """Cells of a tray's view that are always covered, and how the view looked when the tray was empty."""

    cells: Cells
    """(32, 32) mask."""
    logs: Floats
    """(32, 32, 3) natural logarithms of the empty view's levels."""
    centre_mm: tuple[float, float] = _MIDDLE
    """The middle of the view, in mm from the tray's."""

    def visible_cells(self, view: Picture) -> Cells:
        """Return the (32, 32) mask of these cells that look as before; under a hand they do not.

        A cell may also look as its neighbours did: a camera that is pushed by a few millimetres moves its
        edges.
        """
        if not self.cells.any():
            return self.cells
        view_logs = _cell_logs(view)
        view_logs -= np.median((view_logs - self.logs)[self.cells], axis=0)  # lamps
        neighbours = np.ones((3, 3), np.uint8)
        darker = view_logs < cv2.erode(self.logs, neighbours) - _AS_BEFORE
        lighter = view_logs > cv2.dilate(self.logs, neighbours) + _AS_BEFORE
        return np.asarray(self.cells & ~(darker | lighter).any(axis=2), np.bool_)

    def unchanged_cells(self, view: Picture, floor: Cells) -> Cells:
        """Return the (32, 32) mask of unchanged cells.

        The median change over `floor` is attributed to the lamps.
        """
        log_change = _cell_logs(view) - self.logs
        log_change -= np.median(log_change[floor], axis=0)
        return np.asarray((np.abs(log_change) < _JUST_AS).all(axis=2), np.bool_)


def is_covered(
    picture: Picture,
    tray: Tray,
    light: Light,
    always_covered: Sequence[AlwaysCovered] | None = None,
    seen_mm: Points | None = None,
) -> bool:
    """Return whether something hides more floor in a (H, W, 3) uint8 BGR picture than a few cubes would.

    A tray that is larger than a view is looked at in several. `always_covered`: the result of
    `find_always_covered` for the same tray when it was empty, if known. `seen_mm`: (N, 2) from the tray's
    centre, cubes that are surely seen; what always covers the tray there is hidden by them, not by a hand.
    """
    views: list[tuple[tuple[float, float], AlwaysCovered | None]]
    if always_covered is None:
        views = [(centre_mm, None) for centre_mm in _view_centres(tray)]
    else:  # as many as then, though the tray may be found a little larger or smaller beside the mat
        views = [(usual.centre_mm, usual) for usual in always_covered]
    for centre_mm, usual in views:
        view = view_of(picture, tray, light, centre_mm)
        floor = floor_cells(tray, centre_mm) > _FLOOR
        covered = (cover_map(view) > _SURE) & floor
        if usual is not None:
            covered &= ~(usual.visible_cells(view) | usual.unchanged_cells(view, floor))
            if seen_mm is not None:
                covered &= ~(usual.cells & _near_cubes(seen_mm - centre_mm))
        if float(np.count_nonzero(covered)) * (STRIDE * MM_PER_PX) ** 2 > _LEAST_MM2:
            return True
    return False


def _view_centres(tray: Tray) -> list[tuple[float, float]]:
    """Return the middles, in mm from the tray's, of the views that show all of its floor: one to four."""
    offsets = [(side - VIEW_PX * MM_PER_PX) / 2 for side in tray.inner_mm]
    across, down = ([-most, most] if most > 0 else [0.0] for most in offsets)
    return [(x, y) for y in down for x in across]


def _near_cubes(places_mm: Points) -> Cells:
    """Return the (32, 32) mask of cells on which a cube lies or may cast its shadow."""
    middles = (np.arange(VIEW_PX // STRIDE) + 0.5) * STRIDE * MM_PER_PX - VIEW_PX * MM_PER_PX / 2
    across, down = (middles[None] - places_mm[:, axis, None] for axis in (0, 1))
    distances = np.hypot(across[:, None, :], down[:, :, None])
    return np.asarray((distances < _CUBE_MM).any(axis=0), np.bool_)


def find_always_covered(empty: Picture, tray: Tray, light: Light) -> list[AlwaysCovered]:
    """Find, for each view of an empty tray, the cells that are always covered, and those next to them."""
    found = []
    for centre_mm in _view_centres(tray):
        view = view_of(empty, tray, light, centre_mm)
        covered = (cover_map(view) > _MAY_BE) & (floor_cells(tray, centre_mm) > _FLOOR)
        cells = cv2.dilate(covered.astype(np.uint8), np.ones((3, 3), np.uint8))
        found.append(AlwaysCovered(np.asarray(cells, np.bool_), _cell_logs(view), centre_mm))
    return found


def _cell_logs(view: Picture) -> Floats:
    """Return (32, 32, 3) natural logarithms of each cell's levels, offset to hide noise in the dark."""
    size = (VIEW_PX // STRIDE, VIEW_PX // STRIDE)
    levels = cv2.resize(view, size, interpolation=cv2.INTER_AREA)
    return np.asarray(np.log(levels.astype(np.float32) + _DARK), np.float32)


def cover_map(view: Picture) -> Floats:
    """Return (32, 32) scores 0..1 that each cell of a view is covered."""
    cells: Floats = network("cover").run(view[None])[0, 0]
    return np.asarray(1 / (1 + np.exp(-cells)), np.float32)


def warm() -> None:
    """Load the network in advance, so that the first reading does not wait for it."""
    cover_map(np.zeros((VIEW_PX, VIEW_PX, 3), np.uint8))


def view_of(picture: Picture, tray: Tray, light: Light, centre_mm: tuple[float, float] = _MIDDLE) -> Picture:
    """Return the tray from straight above in white light, (128, 128, 3) uint8 BGR; black outside.

    `centre_mm`: the middle of the view, in mm from the tray's.
    """
    fine = VIEW_PX * _OVER
    middle = (fine - 1) / 2
    pitch = MM_PER_PX / _OVER
    x, y = centre_mm
    to_mm = np.array([[pitch, 0, x - middle * pitch], [0, pitch, y - middle * pitch], [0, 0, 1]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    warped = cv2.warpPerspective(picture, tray.to_px @ to_mm, (fine, fine), flags=flags)
    small = cv2.resize(warped, (VIEW_PX, VIEW_PX), interpolation=cv2.INTER_AREA)
    return whiten(np.asarray(small, np.uint8), light)


def floor_cells(tray: Tray, centre_mm: tuple[float, float] = _MIDDLE) -> Floats:
    """Return the (32, 32) share of each cell of a view about `centre_mm` that is the tray's floor."""
    edge = (outline(tray.inner_mm, tray.shape) - centre_mm) / MM_PER_PX + (VIEW_PX - 1) / 2
    mask = np.zeros((VIEW_PX, VIEW_PX), np.uint8)
    cv2.fillPoly(mask, [np.round(edge).astype(np.int32)], 255)
    cells = cv2.resize(mask, (VIEW_PX // STRIDE, VIEW_PX // STRIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(cells / np.float32(255), np.float32)
