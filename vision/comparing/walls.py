"""Glossy walls: a cube at the foot of one appears in it again, darker, beyond the floor's edge.

Taken for a cube, the image is counted, or asked about as one on the rim, throw after throw: of some hundred
path-traced tables one had such a tray. Images have a tenth of their cubes' light, which is less than shadows
leave; of 27 cubes whose centres lay beyond the edge none was so dark beside one of its colour.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.finding.candidates import Candidate, Floats, add_logits, face
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
        self._off_floor = flat.floor() == 0
        height, width = self._off_floor.shape
        middle = np.array([(width - 1) / 2, (height - 1) / 2])
        self._outline = outline(flat.tray.inner_mm, flat.tray.shape) * PX_PER_MM + middle
        self._colours = palette.colours
        self._cubes = [one for one in found if one.presence >= _SEEN and not one.under]

    def is_image(self, centre_px: Place, edge_px: float, colour: str) -> bool:
        """Return whether what looks like a cube of that colour there is another's image."""
        x, y = (round(v) for v in centre_px)
        height, width = self._off_floor.shape
        if not (0 <= x < width and 0 <= y < height and self._off_floor[y, x]):
            return False
        foot = self._nearest_foot(np.array(centre_px))
        outward = centre_px - foot
        distance = float(np.hypot(*outward))
        if distance < _BEYOND * edge_px:
            return False
        outward /= distance
        same_colour = [one for one in self._cubes if self._colours[one.colour_index] == colour]
        facing = [one for one in same_colour if _stands_before(foot, outward, one)]
        return any(
            self._lightness(centre_px, edge_px) < _DARKER * self._lightness(cube.centre_px, cube.edge_px)
            for cube in facing
        )

    def _nearest_foot(self, point: Floats) -> Floats:
        """Return the (2,) point of the floor's edge nearest to a point."""
        segments = np.roll(self._outline, -1, axis=0) - self._outline
        along = ((point - self._outline) * segments).sum(1) / (segments * segments).sum(1).clip(1e-9)
        nearest = self._outline + along.clip(0, 1)[:, None] * segments
        return np.asarray(nearest[np.hypot(*(nearest - point).T).argmin()], np.float64)

    def _lightness(self, centre_px: Place, edge_px: float) -> float:
        """Return the lightness of a top, L of Oklab."""
        x, y = (round(v) for v in centre_px)
        top = face(self._image, x, y, edge_px)
        return float(oklab(quantile(top, 0.5)[None])[0, 0]) if len(top) else 1.0


def _stands_before(foot: Floats, outward: Floats, cube: Candidate) -> bool:
    """Return whether a cube stands in front of the place of the wall where its image would be."""
    offset = foot - cube.centre_px
    inward = float(offset @ outward)
    aside = float(np.hypot(*(offset - inward * outward)))
    return aside < _ASIDE * cube.edge_px and _INWARD[0] * cube.edge_px < inward < _INWARD[1] * cube.edge_px


def without_images(found: Sequence[Candidate], flat: Rectified, palette: Palette) -> list[Candidate]:
    """Make candidates less probable that are another cube's image in a wall."""
    walls, colours = Walls(flat, found, palette), palette.colours
    return [
        replace(one, presence=add_logits(one.presence, _LOGITS))
        if not one.under and walls.is_image(one.centre_px, one.edge_px, colours[one.colour_index])
        else one
        for one in found
    ]
