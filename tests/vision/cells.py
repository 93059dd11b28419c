"""Raw cells of the detector's network, set by hand: what it would say of a tray."""

import numpy as np
import numpy.typing as npt

from vision.finding.detector import CHANNELS, COLOURS, STRIDE

Cells = npt.NDArray[np.float32]


def blank(rows: int = 20, columns: int = 30) -> Cells:
    """(CHANNELS, rows, columns) cells that see nothing."""
    cells = np.zeros((CHANNELS, rows, columns), np.float32)
    cells[0] = -9
    return cells


def put(cells: Cells, at: tuple[int, int], logit: float, colour: str, sure: float = 6.0) -> None:
    """A cube at (row, column), and how sure its colour is."""
    cells[0][at] = logit
    cells[1 + COLOURS.index(colour)][at] = sure


def middle(at: tuple[int, int]) -> tuple[float, float]:
    """(x, y) pixel of a cell's middle."""
    row, column = at
    return (column + 0.5) * STRIDE - 0.5, (row + 0.5) * STRIDE - 0.5
