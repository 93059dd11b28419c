"""Floors that look like cubes: a tray lined with felt in one of the game's colours hides its cubes.

The networks confidently overlook such cubes if their dye differs from the floor by a shadow alone.
"""

from collections.abc import Mapping
from functools import cache

import numpy as np
import numpy.typing as npt

from vision.doubting.dyes import Dye, looks_of, usual_dyes
from vision.finding.detector import COLOURS
from vision.levels import quantile
from vision.palette import Palette, oklab
from vision.scene.light import whiten
from vision.scene.plane import Points, project
from vision.scene.rectify import KnownTable, Rectified
from vision.scene.tray import Tray, outline

_SPARSE = 4
_TAUGHT = 0.8
"""Share of the floor that looks like a taught colour, above which it hides cubes: on 25 rendered tables 0.62
at most where white cubes were seen; 0.9 where none was."""
_USUAL, _GUESSED = 5.0, 2.0
"""Squared Mahalanobis distance of the floor's look from a usual dye's, below which it hides cubes, and the
same if the light is a guess: of 305 labelled trays on the mat none has less, of 126 lined with felt of a
dye's colour all but 16. Without the mat 16 of 500 trays have less than 5, in which nothing is hidden, three
less than 2; of those on felt most ask anyway."""
_SHADED = 0.15
"""Standard deviation of the log lightness of the floor relative to the cubes'."""
_ABOUT_MM = (18.0, 24.0, 30.0, 36.0)
_SAME_TINT, _SHOWS = 0.03, 0.5
"""Distance to the floor in Oklab's a and b, and share of the tray's surroundings that is nearer, above which
the floor is the table: of 25 clear trays on a table that looks like a dye one has 0.2, the others 0.57 to 1;
of 40 lined with felt none has any."""
_BLACK = "black"
"""Left out, since black cubes on dark floors have a model of their own (`vision.doubting.unseen`)."""


def colours_of(flat: Rectified, palette: Palette, *, lit: bool, through: bool = False) -> tuple[str, ...]:
    """Return the palette's colours that the floor looks like; never black if the networks know the palette.

    `lit`: whether white is known, by the mat or a calibration. `through`: whether the floor is the table seen
    through a clear tray: the networks have learned to see their colours on tables of all kinds.
    """
    sparse = slice(None, None, _SPARSE)
    floor = flat.image[sparse, sparse][flat.floor()[sparse, sparse] > 0]
    if not len(floor):
        return ()
    if not all(colour in COLOURS for colour in palette.colours):
        return tuple(colour for colour, share in palette.likes(floor).items() if share > _TAUGHT)
    if through:
        return ()
    looks = looks_of(np.array([quantile(floor, 0.5)]))
    limit = _USUAL if lit else _GUESSED
    return tuple(
        colour
        for colour, dye in _floor_dyes().items()
        if colour in palette.colours and dye.strangeness(looks)[0] < limit
    )


def shows_table(known: KnownTable) -> bool:
    """Return whether the floor has the colour of the tray's surroundings, as a clear tray shows it."""
    if known.empty is None:
        return False
    surroundings = _tints(known, *(_ring_around_px(known.tray, away_mm) for away_mm in _ABOUT_MM))
    floor = _tints(known, _ring_around_px(known.tray, -min(known.tray.inner_mm) / 4))
    if not len(surroundings) or not len(floor):
        return False
    distances = np.linalg.norm(surroundings - np.median(floor, axis=0), axis=1)
    return float((distances < _SAME_TINT).mean()) > _SHOWS


def _tints(known: KnownTable, *rings: npt.NDArray[np.intp]) -> Points:
    """Return (N, 2) Oklab a and b, under white light, of the pixels inside the empty tray's picture."""
    assert known.empty is not None
    pixels = np.concatenate(rings)
    x, y = pixels[((pixels >= 0) & (pixels < known.size_px)).all(axis=1)].T
    if not len(x):  # the tray fills the picture
        return np.empty((0, 2))
    return np.asarray(oklab(whiten(known.empty[y, x][None], known.light)[0])[:, 1:], np.float64)


def _ring_around_px(tray: Tray, away_mm: float) -> npt.NDArray[np.intp]:
    """Return (64, 2) pixels of the picture around the floor, `away_mm` outside its edge."""
    across, down = tray.inner_mm
    ring = outline((across + 2 * away_mm, down + 2 * away_mm), tray.shape)
    return np.round(project(ring, tray.to_px)).astype(np.intp)


@cache
def _floor_dyes() -> Mapping[str, Dye]:
    """Return the usual dyes but black, more variable in lightness: a floor is not as light as cubes on it."""
    return {
        colour: dye.with_lightness_deviation(_SHADED)
        for colour, dye in usual_dyes().items()
        if colour != _BLACK
    }
