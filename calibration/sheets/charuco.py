"""The board for lens calibration, as a printed page of the mat's PDF and as an OpenCV object."""

import cv2
import numpy as np
import numpy.typing as npt

SQUARES = (10, 7)
SQUARE_MM = 25.0
MARKER_MM = 17.5
DICTIONARY = cv2.aruco.DICT_5X5_100
"""Not the mat's dictionary: a board left on the table must not be taken for the mat."""
PIXEL_MM = 1.25
"""Squares, markers and their modules are whole multiples of this, so a page of such pixels is exact."""


def board() -> cv2.aruco.CharucoBoard:
    """The board in millimetres."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    return cv2.aruco.CharucoBoard(SQUARES, SQUARE_MM, MARKER_MM, dictionary)


def board_pixels() -> npt.NDArray[np.uint8]:
    """(H, W) uint8, 0 or 255, to be printed with pixels `PIXEL_MM` wide."""
    size = (round(SQUARES[0] * SQUARE_MM / PIXEL_MM), round(SQUARES[1] * SQUARE_MM / PIXEL_MM))
    return np.asarray(board().generateImage(size), np.uint8)
