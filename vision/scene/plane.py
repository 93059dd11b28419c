"""Points of a plane and their places in a picture."""

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
"""(N, 2) points, or a 3×3 homography between two planes."""


def project(points: npt.ArrayLike, homography: Points) -> Points:
    """Map (N, 2) points through a 3×3 homography."""
    flat = np.asarray(points, np.float64).reshape(-1, 2)
    mapped = flat @ homography[:2, :2].T + homography[:2, 2]
    return np.asarray(mapped / (flat @ homography[2, :2] + homography[2, 2])[:, None], np.float64)
