"""One settled picture in, one `TrayReading` out: the stages in their order, each in a module of its own."""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from vision.cubes import Found, find_cubes
from vision.palette import SHOGUN, Palette
from vision.pictures import Picture
from vision.plane import Points, project
from vision.reading import Doubt, SeenCube, TrayReading
from vision.rectify import PX_PER_MM, KnownTable, Rectified, outline_px, rectify
from vision.tray import outline
from vision.trouble import Trouble, picture_trouble

USUAL_CUBE_MM = 8.0
_GROWN_MM = 2.0
"""The floor's outline is widened by this: a leaning cube's centre may lie over the foot of the wall."""


class TrayReader:
    """Reads trays with one palette; holds no state between pictures."""

    def __init__(
        self,
        palette: Palette | None = None,
        cube_mm: float | None = None,
        inner_mm: tuple[float, float] | None = None,
        known: KnownTable | None = None,
    ) -> None:
        """All come from a profile (`inner_mm` is the tray's floor); what is not given is estimated."""
        self.palette = palette or SHOGUN
        self.cube_mm = cube_mm
        self.inner_mm = inner_mm
        self.known = known

    def read(self, picture: Picture) -> TrayReading:
        """What lies in the tray of a (H, W, 3) uint8 BGR picture."""
        flat = rectify(picture, self.inner_mm, self.known)
        if flat is None:
            return self._nothing(picture, (Doubt.NO_TRAY, *_darkness(picture)))
        cube_mm = self.cube_mm or USUAL_CUBE_MM
        found = find_cubes(flat.image, inside_tray(flat), self.palette, cube_mm * PX_PER_MM)
        return self._reading(picture, flat, found, cube_mm)

    def _reading(
        self, picture: Picture, flat: Rectified, found: Sequence[Found], cube_mm: float
    ) -> TrayReading:
        counts = {colour: sum(f.colour == colour for f in found) for colour in self.palette.colours}
        doubts = [] if flat.mat_seen or flat.known else [Doubt.NO_MAT]
        if any(f.score < 0.75 for f in found):
            doubts.append(Doubt.UNCLEAR_COUNT)
        if "black" in counts and flat.image[::4, ::4].max(axis=2).mean() < 90:
            doubts.append(Doubt.BLACK_ON_BLACK)
        return TrayReading(
            counts=counts,
            cubes=tuple(_seen(f, flat) for f in found),
            confidence=_confidence(found, counts),
            certain=not doubts,
            doubts=tuple(doubts),
            mat_seen=flat.mat_seen,
            tray_outline_px=outline_px(flat.tray),
            cube_mm=cube_mm,
            size_px=(picture.shape[1], picture.shape[0]),
        )

    def _nothing(self, picture: Picture, doubts: tuple[Doubt, ...]) -> TrayReading:
        return TrayReading(
            counts=dict.fromkeys(self.palette.colours, 0),
            cubes=(),
            confidence=dict.fromkeys(self.palette.colours, 0.0),
            certain=False,
            doubts=doubts,
            mat_seen=False,
            tray_outline_px=(),
            cube_mm=self.cube_mm or USUAL_CUBE_MM,
            size_px=(picture.shape[1], picture.shape[0]),
        )


def inside_tray(flat: Rectified) -> Picture:
    """(H, W) uint8, 1 where a cube's centre may lie."""
    height, width = flat.image.shape[:2]
    size = (flat.tray.inner_mm[0] + 2 * _GROWN_MM, flat.tray.inner_mm[1] + 2 * _GROWN_MM)
    edge = outline(size, flat.tray.shape) * PX_PER_MM + np.array([(width - 1) / 2, (height - 1) / 2])
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [np.round(edge).astype(np.int32)], 1)
    return mask


def _darkness(picture: Picture) -> tuple[Doubt, ...]:
    trouble = picture_trouble(picture, mat_seen=True)
    if trouble is Trouble.LENS_CAP:
        return (Doubt.TOO_DARK,)
    return (Doubt.TOO_BRIGHT,) if trouble is Trouble.BURNT_OUT else ()


def _confidence(found: Sequence[Found], counts: Mapping[str, int]) -> dict[str, float]:
    return {
        colour: float(np.prod([f.score for f in found if f.colour == colour], initial=1.0))
        for colour in counts
    }


def _seen(found: Found, flat: Rectified) -> SeenCube:
    half = found.edge_px / 2
    x, y = found.centre_px
    corners = np.array([(x + sx * half, y + sy * half) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    centre = np.array([found.centre_px])
    return SeenCube(
        colour=found.colour,
        centre_px=_point(project(centre, flat.to_picture)),
        outline_px=tuple((float(px), float(py)) for px, py in project(corners, flat.to_picture)),
        centre_mm=_point(flat.to_mm(centre)),
        confidence=found.score,
    )


def _point(points: Points) -> tuple[float, float]:
    return float(points[0][0]), float(points[0][1])
