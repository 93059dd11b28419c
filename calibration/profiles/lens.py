"""Calibration of a camera's lens from pictures of the printed ChArUco board."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from calibration.profiles.profile import Lens, ProfileError, load
from calibration.sheets import charuco
from vision.pictures import Picture

LEAST_PICTURES = 4
_LEAST_CORNERS = 12
_GOOD_ERROR_PX = 1.5
_LEAST_REACH, _FAR_REACH = 0.35, 0.6
"""Thresholds of how far out a corner of the board was seen; 0 is the picture's middle, 1 its corner."""
_SAME_SHAPE = 0.005
"""Relative difference of aspect ratio up to which sizes have one shape: sides are rounded to pixels."""


@dataclass(frozen=True, slots=True)
class SeenLens:
    """A lens as measured from pictures of the board."""

    lens: Lens
    size_px: tuple[int, int]
    """Width and height of those pictures."""

    def scaled_to(self, size_px: tuple[int, int]) -> Lens:
        """Return the lens for another picture size. Raises `ProfileError` if the aspect ratio differs."""
        x, y = (wanted / measured for wanted, measured in zip(size_px, self.size_px, strict=True))
        if abs(x / y - 1) > _SAME_SHAPE:
            (width, height), (other_width, other_height) = self.size_px, size_px
            raise ProfileError(
                f"The lens pictures have {width}×{height} pixels, the camera's {other_width}×{other_height}: "
                "they show another part of what the lens sees.",
                "Take the lens pictures with the camera as it is set for the tray, and do not crop them.",
            )
        # Pixel centres are whole numbers: the border at -0.5 must stay there.
        to_border = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
        matrix = np.linalg.inv(to_border) @ np.diag([x, y, 1.0]) @ to_border
        scaled = matrix @ np.array(self.lens.matrix, np.float64).reshape(3, 3)
        flat = tuple(float(value) for value in scaled.ravel())
        return Lens(flat, self.lens.distortion, self.lens.error_px * x)


def lens_of(name: str, folder: Path) -> SeenLens | None:
    """Return a stored profile's lens; None if it has none or cannot be read."""
    try:
        profile = load(name, folder)
    except ProfileError:
        return None
    return None if profile.lens is None else SeenLens(profile.lens, profile.size_px)


def calibrate_lens(pictures: Sequence[Picture]) -> SeenLens:
    """Fit matrix and distortion to views of the board, all of one size. Raises `ProfileError`."""
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
    reach = _outermost_reach(in_picture, (width, height))
    if reach < _LEAST_REACH:
        raise ProfileError(
            "The board was seen only in the middle of the pictures: how the lens bends the rest cannot "
            "be told.",
            "Take some with the board nearer, at the edges and in the corners.",
        )
    # Without corners far out, the sixth-power term is arbitrary there: hundreds of pixels at the edge.
    flags = 0 if reach > _FAR_REACH else cv2.CALIB_FIX_K3
    error_px, matrix, distortion, _, _ = cv2.calibrateCamera(
        on_board, in_picture, (width, height), None, None, flags=flags
    )
    if error_px > _GOOD_ERROR_PX:
        raise ProfileError(
            f"The board does not fit a lens: {error_px:.1f} pixels off.",
            "Glue it to flat card and hold it still.",
        )
    lens = Lens(
        tuple(float(value) for value in np.asarray(matrix).ravel()),
        tuple(float(value) for value in np.asarray(distortion).ravel()[:5]),
        float(error_px),
    )
    return SeenLens(lens, (width, height))


def _outermost_reach(corners_px: Sequence[npt.NDArray[np.float32]], size_px: tuple[int, int]) -> float:
    """How far out the outermost board corner lies: 0 is the picture's middle, 1 its corner."""
    middle = (np.array(size_px) - 1) / 2
    distances = np.linalg.norm(np.concatenate(corners_px) - middle, axis=1)
    return float(distances.max() / np.linalg.norm(middle))
