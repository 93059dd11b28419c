"""Cubes in the rectified tray, found by a small network (`vision.network` runs it on the CPU).

The network says where cubes are, which of the six usual colours they have, and how large they are. The places
do not depend on the palette: for other colours, use the places and let the palette name the colours. How it
was trained, and how well it does: docs/training.md.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.network import network

COLOURS = ("red", "blue", "black", "yellow", "purple", "green")
"""Order of the network's colour channels."""
STRIDE = 4
_ACROSS = 1 + len(COLOURS)
"""Channel of the cube's x within the cell."""
CHANNELS = _ACROSS + 3
"""Presence, colours, position within the cell (x, y in cells), log of edge over `EDGE_PX`."""
EDGE_PX = 20.0
MINIMUM_SCORE = 0.1
"""Score below which nothing is reported, not even as a doubt."""

_SUREST = 30.0
"""Bound of the logits: nothing gets surer than this."""
_NEAREST, _NEAREST_ALIKE = 0.35, 0.5
"""Smallest distance of two cubes' centres, in edges; larger for equal colours, which may be one cube found
twice."""

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Detection:
    """One cube in the rectified tray."""

    colour: str
    """The most probable of the six colours."""
    colour_shares: tuple[float, ...]
    """Probability of each of `COLOURS`."""
    centre_px: tuple[float, float]
    """Centre of the cube itself, not of its top face (or of its visible part, if another lies on it), in
    pixels."""
    edge_px: float
    score: float
    """Probability that a cube is here, whatever its colour."""
    under: float = 0.0
    """Probability that another lies under it, with nearly the same centre; set by `vision.finding.closer`."""
    under_shares: tuple[float, ...] = ()
    """Probability of each of `COLOURS` for the cube under it."""


def detect(picture: npt.NDArray[np.uint8], minimum: float = MINIMUM_SCORE) -> list[Detection]:
    """Find cubes in a rectified tray, (H, W, 3) uint8 BGR at `rectify.PX_PER_MM`, the surest first."""
    return decode(compute_cells(picture), minimum)


def compute_cells(picture: npt.NDArray[np.uint8], *, spare_core: bool = False) -> Floats:
    """Return (CHANNELS, H/4, W/4) raw cells for `decode`; sides are multiples of 32, as `rectify` makes them.

    `spare_core`: leave a core to work that runs at the same time.
    """
    cells: Floats = network("cubes", spare_core=spare_core).run(picture[None])[0]
    return cells


def average_with_mirrored(picture: npt.NDArray[np.uint8], cells: Floats) -> Floats:
    """Average what was seen with what the mirrored picture shows, which leaves fewer doubts."""
    return np.asarray((cells + compute_cells_mirrored(picture)) / 2, np.float32)


def compute_cells_mirrored(picture: npt.NDArray[np.uint8], *, spare_core: bool = False) -> Floats:
    """Like `compute_cells`, through the mirrored picture."""
    cells = compute_cells(np.asarray(cv2.flip(picture, 1), np.uint8), spare_core=spare_core)[
        :, :, ::-1
    ].copy()
    cells[_ACROSS] *= -1
    return cells


def decode(cells: Floats, minimum: float = MINIMUM_SCORE) -> list[Detection]:
    """Find peaks of presence, thinned so that no two are closer than two cubes can be."""
    presence = probability(cells[0])
    top = cv2.dilate(presence, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((presence >= top) & (presence >= minimum))
    order = np.argsort(-presence[rows, columns])
    rows, columns = rows[order], columns[order]
    values = cells[:, rows, columns]
    shares = softmax(values[1:_ACROSS])
    colours = shares.argmax(axis=0)
    places = np.stack([columns, rows], axis=1) + 0.5 + values[_ACROSS : _ACROSS + 2].T
    centres = places.astype(np.float64) * STRIDE - 0.5
    edges = EDGE_PX * np.exp(np.clip(values[_ACROSS + 2], -1, 1)).astype(np.float64)
    return [
        Detection(
            colour=COLOURS[colours[n]],
            colour_shares=tuple(shares[:, n].tolist()),
            centre_px=(float(centres[n, 0]), float(centres[n, 1])),
            edge_px=float(edges[n]),
            score=float(presence[rows[n], columns[n]]),
        )
        for n in _thin_out(centres, edges, colours)
    ]


def _thin_out(centres: npt.NDArray[np.float64], edges: npt.NDArray[np.float64], colours: Ints) -> list[int]:
    """Return the indices of cubes that are not too close to a surer one, the surest first.

    Cubes on one floor are an edge apart; one leaning on another's shoulder may look nearer.
    """
    distances = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    nearest = np.where(colours[:, None] == colours[None], _NEAREST_ALIKE, _NEAREST)
    too_close = distances < nearest * np.minimum(edges[:, None], edges[None])
    is_free = np.ones(len(centres), bool)
    kept = []
    for n in range(len(centres)):
        if is_free[n]:
            kept.append(n)
            is_free &= ~too_close[n]
    return kept


def probability(logits: npt.ArrayLike) -> Floats:
    """Convert logits to probabilities."""
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -_SUREST, _SUREST))), np.float32)


def softmax(logits: Floats) -> Floats:
    """Convert logits to class probabilities; classes lie along the first axis."""
    shares = np.exp(logits - logits.max(axis=0))
    return np.asarray(shares / shares.sum(axis=0), np.float32)
