"""Stray light in the lens: it lies over the whole picture like fog and turns black grey.

Each of the mat's markers has black beside white: no shadow and no lamp makes all their blacks grey. Even
where no mat shows, something in a picture is dark.
"""

import cv2
import numpy as np
import numpy.typing as npt

from vision.levels import quantile, strongest_channel, subsample, weakest_channel
from vision.pictures import Picture
from vision.scene.fiducials import Fiducials
from vision.scene.light import srgb_to_linear

_SIDE_PX = 24
"""Side of a rectified marker, in pixels: four for each of its cells."""
_BLACK, _WHITE = 0.1, 0.93
"""Quantiles of black and white: of six by six cells at least twenty are black and at least five white."""
_BURNT, _BURNT_WHITE = 250, 1.7
"""Stored level from which white is clipped, and the linear white assumed for it then."""
_VEILED = 0.15
"""Ratio of black to white in linear light above which a picture is veiled: ink on plain paper gives 0.03 to
0.09, that of 305 labelled pictures, rendered and path-traced, less than 0.02. From 0.2 on black cubes are
taken for others, or for none."""

_DARKEST, _WHITEST = 0.001, 0.98
_LACKS_BLACK = 0.16
"""Light, as a share of a picture's white, that its darkest thousandth sends back in the weakest channel if it
is veiled. Of 1,010 pictures without a mat none has more than 0.12, as gaps and shadows are dark on any table;
under the fog of `tests.bench.spoilt` 255 of them have 0.3 and more."""


def lacks_black(picture: Picture) -> bool:
    """Return whether nothing at all is dark in a (H, W, 3) uint8 BGR picture that shows no mat."""
    reduced = subsample(picture, 4)
    darkest = srgb_to_linear(quantile(weakest_channel(reduced).ravel(), _DARKEST))
    white = srgb_to_linear(quantile(strongest_channel(reduced).ravel(), _WHITEST))
    return bool(darkest > _LACKS_BLACK * white)


def is_veiled(picture: Picture, fiducials: Fiducials) -> bool:
    """Return whether black is grey on every marker of a (H, W, 3) uint8 BGR picture."""
    return (
        min((_black_share(picture, corners) for corners in fiducials.markers_px.values()), default=0.0)
        > _VEILED
    )


def _black_share(picture: Picture, corners: npt.ArrayLike) -> float:
    """Return the light from a marker's black as a share of that from its white."""
    side = float(_SIDE_PX - 1)
    square = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    to_square = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), square)
    marker = cv2.warpPerspective(picture, to_square, (_SIDE_PX, _SIDE_PX)).reshape(-1, 3)
    black, white = np.quantile(srgb_to_linear(marker).mean(axis=1), (_BLACK, _WHITE))
    is_burnt = np.quantile(marker.max(axis=1), _WHITE) >= _BURNT
    return float(black / (_BURNT_WHITE if is_burnt else max(white, 1e-4)))
