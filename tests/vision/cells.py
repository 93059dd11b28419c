"""Raw cells of the detector's network, set by hand: its output for a made-up tray."""

import numpy as np
import numpy.typing as npt

from vision.finding.detector import CHANNELS, COLOURS, STRIDE

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
