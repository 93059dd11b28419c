"""A camera's lens from pictures of the printed ChArUco board."""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration import charuco
from calibration.profile import Lens, ProfileError
from vision.pictures import Picture

LEAST_PICTURES = 4
_LEAST_CORNERS = 12
_GOOD_ERROR_PX = 1.5


def calibrate_lens(pictures: Sequence[Picture]) -> Lens:
    """Matrix and distortion from some views of the board, all of one size. Raises `ProfileError`."""
    sizes = {picture.shape[:2] for picture in pictures}
    if len(sizes) > 1:
        raise ProfileError("The pictures differ in size.", "Take them all with the same camera and setting.")
    board = charuco.board()
    detector = cv2.aruco.CharucoDetector(board)
    on_board, in_picture = [], []
    for picture in pictures:
        corners, ids, _, _ = detector.detectBoard(picture)
        if ids is not None and len(ids) >= _LEAST_CORNERS:
            on_board.append(np.asarray(board.getChessboardCorners(), np.float32)[ids.ravel()])
            in_picture.append(np.asarray(corners, np.float32).reshape(-1, 2))
    if len(on_board) < LEAST_PICTURES:
        raise ProfileError(
            f"The board was seen in {len(on_board)} of {len(pictures)} pictures, not in {LEAST_PICTURES}.",
            "Show it from several sides, filling half of the picture.",
        )
    height, width = pictures[0].shape[:2]
    error_px, matrix, distortion, _, _ = cv2.calibrateCamera(
        on_board, in_picture, (width, height), None, None
    )
    if error_px > _GOOD_ERROR_PX:
        raise ProfileError(
            f"The board does not fit a lens: {error_px:.1f} pixels off.",
            "Glue it to flat card and hold it still.",
        )
    return Lens(
        tuple(float(value) for value in np.asarray(matrix).ravel()),
        tuple(float(value) for value in np.asarray(distortion).ravel()[:5]),
        float(error_px),
    )
