"""A camera's lens from pictures of the printed ChArUco board."""

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
"""Of the way from the middle of the picture to its corner: how far out a corner of the board was seen."""
_SAME_SHAPE = 0.005
"""Of one shape are sizes whose sides are in one ratio up to this: rounded to whole pixels they hardly are."""


@dataclass(frozen=True, slots=True)
class SeenLens:
    """A lens as the pictures of the board show it."""

    lens: Lens
    size_px: tuple[int, int]
    """Width and height of those pictures."""

    def at(self, size_px: tuple[int, int]) -> Lens:
        """The same lens in pictures of another size. Raises `ProfileError` for another shape."""
        x, y = (there / here for there, here in zip(size_px, self.size_px, strict=True))
        if abs(x / y - 1) > _SAME_SHAPE:
            (width, height), (other_width, other_height) = self.size_px, size_px
            raise ProfileError(
                f"The lens pictures have {width}×{height} pixels, the camera's {other_width}×{other_height}: "
                "they show another part of what the lens sees.",
                "Take the lens pictures with the camera as it is set for the tray, and do not crop them.",
            )
        # The middle of the first pixel is 0: a border that lies at -0.5 stays there.
        middle = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
        matrix = np.linalg.inv(middle) @ np.diag([x, y, 1.0]) @ middle
        scaled = matrix @ np.array(self.lens.matrix, np.float64).reshape(3, 3)
        flat = tuple(float(value) for value in scaled.ravel())
        return Lens(flat, self.lens.distortion, self.lens.error_px * x)


def lens_of(name: str, folder: Path) -> SeenLens | None:
    """Of a profile that is kept; None where it knows none, or cannot be read."""
    try:
        profile = load(name, folder)
    except ProfileError:
        return None
    return None if profile.lens is None else SeenLens(profile.lens, profile.size_px)


def calibrate_lens(pictures: Sequence[Picture]) -> SeenLens:
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
    reach = _reach(in_picture, (width, height))
    if reach < _LEAST_REACH:
        raise ProfileError(
            "The board was seen only in the middle of the pictures: how the lens bends the rest cannot "
            "be told.",
            "Take some with the board nearer, at the edges and in the corners.",
        )
    # What no corner of the board told, the term of the sixth power makes up: hundreds of pixels at the edge.
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


def _reach(corners_px: Sequence[npt.NDArray[np.float32]], size_px: tuple[int, int]) -> float:
    """How near the outermost came to a corner of the picture: 0 is its middle, 1 the corner."""
    middle = (np.array(size_px) - 1) / 2
    away = np.linalg.norm(np.concatenate(corners_px) - middle, axis=1)
    return float(away.max() / np.linalg.norm(middle))
