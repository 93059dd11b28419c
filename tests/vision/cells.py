"""What the networks see in a made-up tray, set by hand: the detector's raw cells, peaks, candidates."""

import numpy as np
import numpy.typing as npt

from vision.finding.candidates import Candidate
from vision.finding.detector import CHANNELS, COLOURS, STRIDE, Detection
from vision.palette import SHOGUN

Cells = npt.NDArray[np.float32]


def blank(rows: int = 20, columns: int = 30) -> Cells:
    """(CHANNELS, rows, columns) cells in which nothing is seen."""
    cells = np.zeros((CHANNELS, rows, columns), np.float32)
    cells[0] = -9
    return cells


def put(cells: Cells, at: tuple[int, int], logit: float, colour: str, sure: float = 6.0) -> None:
    """Put a cube at (row, column); `sure` is the logit of its colour."""
    cells[0][at] = logit
    cells[1 + COLOURS.index(colour)][at] = sure


def middle(at: tuple[int, int]) -> tuple[float, float]:
    """(x, y) pixel at the middle of a cell."""
    row, column = at
    return (column + 0.5) * STRIDE - 0.5, (row + 0.5) * STRIDE - 0.5


def peak_at(x: float, y: float = 100.0, score: float = 0.9) -> Detection:
    """A surely red peak, an edge of 20 pixels wide."""
    return Detection("red", (1, 0, 0, 0, 0, 0), (x, y), 20.0, score)


def candidate_at(at: tuple[float, float], colour: str, presence: float, *, under: bool = False) -> Candidate:
    """A candidate of a sure colour, an edge of 20 pixels wide."""
    shares = tuple(float(name == colour) for name in SHOGUN.colours)
    return Candidate(at, 20.0, presence, shares, under=under)
