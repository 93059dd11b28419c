"""Undistortion of a wide lens: pictures and points between what the camera gives and a pinhole would."""

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture
from vision.scene.fiducials import Points

Maps = tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]


class Straightener:
    """Undistortion of one lens; `matrix` is 3×3 row by row in pixels, `distortion` is k1, k2, p1, p2, k3."""

    def __init__(
        self, matrix: tuple[float, ...], distortion: tuple[float, ...], size_px: tuple[int, int]
    ) -> None:
        self._matrix, self._distortion, self._size_px = matrix, distortion, size_px

    def fits(self, picture: Picture) -> bool:
        """Return whether the picture has the size at which the lens was calibrated."""
        return self._size_px == picture.shape[1::-1]

    def picture(self, picture: Picture) -> Picture:
        """Return the picture as a pinhole would have taken it; unchanged if it has another size."""
        if not self.fits(picture):
            return picture
        first, second = _maps(self._matrix, self._distortion, self._size_px)
        return np.asarray(cv2.remap(picture, first, second, cv2.INTER_LINEAR), np.uint8)

    def distort(self, points: Points) -> Points:
        """Map (N, 2) pixels of the straightened picture to pixels of the camera's own."""
        matrix = np.array(self._matrix, np.float64).reshape(3, 3)
        rays = np.column_stack([points, np.ones(len(points))]) @ np.linalg.inv(matrix).T
        still = np.zeros(3)
        distorted, _ = cv2.projectPoints(
            rays.reshape(-1, 1, 3), still, still, matrix, np.array(self._distortion)
        )
        return np.asarray(distorted, np.float64).reshape(-1, 2)


@cache
def _maps(matrix: tuple[float, ...], distortion: tuple[float, ...], size_px: tuple[int, int]) -> Maps:
    camera_matrix = np.array(matrix, np.float64).reshape(3, 3)
    maps = cv2.initUndistortRectifyMap(
        camera_matrix, np.array(distortion), np.eye(3), camera_matrix, size_px, cv2.CV_16SC2
    )
    return np.asarray(maps[0], np.int16), np.asarray(maps[1], np.uint16)
