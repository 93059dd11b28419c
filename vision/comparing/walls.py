"""Glossy walls: a cube at the foot of one appears in it again, darker, beyond the floor's edge.

Taken for a cube, the image is counted, or asked about as one on the rim, throw after throw: of some hundred
path-traced tables one had such a tray. Images have a tenth of their cubes' light, which is less than shadows
leave; of 27 cubes whose centres lay beyond the edge none was so dark beside one of its colour.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.finding.candidates import Candidate, Floats, face, moved
from vision.levels import quantile
from vision.palette import Palette, oklab
from vision.scene.rectify import PX_PER_MM, Rectified
from vision.scene.tray import outline

_ASIDE = 0.5
"""Most that image and cube may be offset along the wall, in edges."""
_INWARD = (0.5, 3.5)
"""Distance from the wall's foot to the cube's centre, in edges: what stands further in is mirrored above the
wall."""
_BEYOND = 0.1
"""Least distance from there to the image's centre, in edges; nearer, it counts as on the edge itself."""
_DARKER = 0.5
"""Most lightness (L of Oklab) of an image, as a share of its cube's."""
_SEEN = 0.5
"""Least presence of a cube that is mirrored."""
_LOGITS = -6.0
"""Logits added for a cube if it is an image."""
Place = tuple[float, float]


class Walls:
    """Images in the walls of the cubes that were found in a tray under white light."""

    def __init__(self, flat: Rectified, found: Sequence[Candidate], palette: Palette) -> None:
        self._image = flat.image
        self._beyond = flat.floor() == 0
        height, width = self._beyond.shape
        middle = np.array([(width - 1) / 2, (height - 1) / 2])
        self._edge = outline(flat.tray.inner_mm, flat.tray.shape) * PX_PER_MM + middle
        self._colours = palette.colours
        self._found = [one for one in found if one.presence >= _SEEN and not one.under]

    def mirror(self, centre_px: Place, edge_px: float, colour: str) -> bool:
        """Return whether what looks like a cube of that colour there is another's image."""
        x, y = (round(v) for v in centre_px)
        height, width = self._beyond.shape
        if not (0 <= x < width and 0 <= y < height and self._beyond[y, x]):
            return False
        foot = self._foot(np.array(centre_px))
        outward = centre_px - foot
        away = float(np.hypot(*outward))
        if away < _BEYOND * edge_px:
            return False
        outward /= away
        twins = [one for one in self._found if self._colours[one.colour_index] == colour]
        facing = [one for one in twins if _faces(foot, outward, one)]
        return any(
            self._light(centre_px, edge_px) < _DARKER * self._light(o.centre_px, o.edge_px) for o in facing
        )

    def _foot(self, point: Floats) -> Floats:
        """Return the (2,) point of the floor's edge nearest to a point."""
        way = np.roll(self._edge, -1, axis=0) - self._edge
        share = ((point - self._edge) * way).sum(1) / (way * way).sum(1).clip(1e-9)
        near = self._edge + share.clip(0, 1)[:, None] * way
        return np.asarray(near[np.hypot(*(near - point).T).argmin()], np.float64)

    def _light(self, centre_px: Place, edge_px: float) -> float:
        """Return the lightness of a top, L of Oklab."""
        x, y = (round(v) for v in centre_px)
        top = face(self._image, x, y, edge_px)
        return float(oklab(quantile(top, 0.5)[None])[0, 0]) if len(top) else 1.0


def _faces(foot: Floats, outward: Floats, one: Candidate) -> bool:
    """Return whether a cube stands in front of the place of the wall where its image would be."""
    apart = foot - one.centre_px
    inward = float(apart @ outward)
    aside = float(np.hypot(*(apart - inward * outward)))
    return aside < _ASIDE * one.edge_px and _INWARD[0] * one.edge_px < inward < _INWARD[1] * one.edge_px


def without_images(found: Sequence[Candidate], flat: Rectified, palette: Palette) -> list[Candidate]:
    """Make candidates less probable that are another cube's image in a wall."""
    walls, colours = Walls(flat, found, palette), palette.colours
    return [
        replace(one, presence=moved(one.presence, _LOGITS))
        if not one.under and walls.mirror(one.centre_px, one.edge_px, colours[one.colour_index])
        else one
        for one in found
    ]
