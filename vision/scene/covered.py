"""What lies or reaches over the tray and is no cube, a sleeve, a sheet or a card: a small network's map.

It looks coarsely at the tray and what is about it: a sleeve is larger than a heap, comes in over the rim, and
no floor shows through it.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.network import network
from vision.pictures import Picture
from vision.scene.light import Light, whitened
from vision.scene.plane import Points
from vision.scene.tray import Tray, outline

VIEW_PX = 128
"""Sides of what the network sees."""
MM_PER_PX = 1.75
STRIDE = 4
"""Pixels of a cell of its map."""
_OVER = 3
"""Points on each side of a pixel that are averaged: grain and fine print go."""
_SURE = 0.85
"""Of a cell; half of what it learned from was covered, hardly a tray in a hundred is at the table."""
_MAY_BE = 0.3
"""Of a cell of an empty tray."""
_AS_BEFORE = 0.3
"""Natural logarithm of levels, of 255."""
_JUST_AS = 0.1
"""The same of a cell that nothing can lie over. Of 160 rendered tables with a thing over the tray, of any of
eight colours, it is still seen on the 148 where it was; 0.3, and cells about it as good, would lose 48."""
_DARK = 8.0
"""Levels added before: noise in the dark is no change."""
_FLOOR = 0.5
"""Share of a cell."""
_LEAST_MM2 = 220.0
"""Of the floor: more than three cubes' faces. A fingertip beside the wall hides less."""

_CUBE_MM = 14.0
"""From a cube's centre: the cube, however it lies, and some of its shadow."""

Floats = npt.NDArray[np.float32]
Cells = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Belonging:
    """What something always covers of a tray's view, and how all of it looked when the tray was empty."""

    cells: Cells
    """(32, 32)."""
    logs: Floats
    """(32, 32, 3)."""

    def seen_in(self, view: Picture) -> Cells:
        """(32, 32) of each cell whether it is one of them and looks as it did: a hand over them does not.

        Or as the cells about it did: a camera that is pushed by a few millimetres moves its edges.
        """
        if not self.cells.any():
            return self.cells
        seen = _logs(view)
        seen -= np.median((seen - self.logs)[self.cells], axis=0)  # lamps
        about = np.ones((3, 3), np.uint8)
        darker = seen < cv2.erode(self.logs, about) - _AS_BEFORE
        lighter = seen > cv2.dilate(self.logs, about) + _AS_BEFORE
        return np.asarray(self.cells & ~(darker | lighter).any(axis=2), np.bool_)

    def unchanged_in(self, view: Picture, floor: Cells) -> Cells:
        """(32, 32) of each cell whether it looks just as it did; most of `floor` tells what lamps do."""
        seen = _logs(view) - self.logs
        seen -= np.median(seen[floor], axis=0)
        return np.asarray((np.abs(seen) < _JUST_AS).all(axis=2), np.bool_)


def is_covered(
    picture: Picture,
    tray: Tray,
    light: Light,
    belongs: Belonging | None = None,
    seen_mm: Points | None = None,
) -> bool:
    """Whether something hides more of the floor of a (H, W, 3) uint8 BGR picture than a few cubes would.

    `belongs`: what `belonging` said of the same tray when it was empty, if that is known. `seen_mm`: (N, 2)
    from the tray's centre, cubes that are surely seen: what belonged there is hidden by them, and by no hand.
    """
    view = view_of(picture, tray, light)
    over = _covered(view, tray, _SURE)
    if belongs is not None:
        over &= ~(belongs.seen_in(view) | belongs.unchanged_in(view, floor_cells(tray) > _FLOOR))
        if seen_mm is not None:
            over &= ~(belongs.cells & _beside(seen_mm))
    return float(np.count_nonzero(over)) * (STRIDE * MM_PER_PX) ** 2 > _LEAST_MM2


def _beside(places_mm: Points) -> Cells:
    """(32, 32) of each cell whether a cube lies on it, or so near that its shadow may."""
    middles = (np.arange(VIEW_PX // STRIDE) + 0.5) * STRIDE * MM_PER_PX - VIEW_PX * MM_PER_PX / 2
    across, down = (middles[None] - places_mm[:, axis, None] for axis in (0, 1))
    away = np.hypot(across[:, None, :], down[:, :, None])
    return np.asarray((away < _CUBE_MM).any(axis=0), np.bool_)


def belonging(empty: Picture, tray: Tray, light: Light) -> Belonging:
    """Of each cell of an empty tray's view whether something always covers it, or the next one."""
    view = view_of(empty, tray, light)
    over = _covered(view, tray, _MAY_BE).astype(np.uint8)
    return Belonging(np.asarray(cv2.dilate(over, np.ones((3, 3), np.uint8)), np.bool_), _logs(view))


def _logs(view: Picture) -> Floats:
    """(32, 32, 3) natural logarithms of each cell's levels; of dark ones noise says nothing."""
    size = (VIEW_PX // STRIDE, VIEW_PX // STRIDE)
    levels = cv2.resize(view, size, interpolation=cv2.INTER_AREA)
    return np.asarray(np.log(levels.astype(np.float32) + _DARK), np.float32)


def _covered(view: Picture, tray: Tray, sure: float) -> Cells:
    """(32, 32) of each cell whether it is floor that something hides, as sure as that."""
    over = cover_map(view) > sure
    return np.asarray(over & (floor_cells(tray) > _FLOOR), np.bool_)


def cover_map(view: Picture) -> Floats:
    """(32, 32) 0..1 of each cell of a view: how sure it is covered."""
    cells: Floats = network("cover").run(view[None])[0, 0]
    return np.asarray(1 / (1 + np.exp(-cells)), np.float32)


def warm() -> None:
    """Load what the first reading would have to wait for."""
    cover_map(np.zeros((VIEW_PX, VIEW_PX, 3), np.uint8))


def view_of(picture: Picture, tray: Tray, light: Light) -> Picture:
    """(128, 128, 3) uint8 BGR: the tray from straight above under white light; black beside the picture."""
    fine = VIEW_PX * _OVER
    middle = (fine - 1) / 2
    pitch = MM_PER_PX / _OVER
    to_mm = np.array([[pitch, 0, -middle * pitch], [0, pitch, -middle * pitch], [0, 0, 1]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(picture, tray.to_px @ to_mm, (fine, fine), flags=flags)
    small = cv2.resize(seen, (VIEW_PX, VIEW_PX), interpolation=cv2.INTER_AREA)
    return whitened(np.asarray(small, np.uint8), light)


def floor_cells(tray: Tray) -> Floats:
    """(32, 32) share of each cell of a view that is the tray's floor."""
    edge = outline(tray.inner_mm, tray.shape) / MM_PER_PX + (VIEW_PX - 1) / 2
    mask = np.zeros((VIEW_PX, VIEW_PX), np.uint8)
    cv2.fillPoly(mask, [np.round(edge).astype(np.int32)], 255)
    cells = cv2.resize(mask, (VIEW_PX // STRIDE, VIEW_PX // STRIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(cells / np.float32(255), np.float32)
