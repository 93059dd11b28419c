"""A camera above a plane, fitted to a few points of it: seven parameters instead of a homography's eight.

One 25 mm marker constrains a homography so loosely that the far side of the mat may land centimetres away. A
real camera has square pixels, its optical axis in the middle of the picture and a usual field of view; that
constrains it.
"""

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from vision.scene.plane import Points

_USUAL_HFOV_DEG = 58.0
"""Horizontal field of view along the picture's longer side, in degrees."""
_HFOV_SPREAD = 0.10
"""Standard deviation of the logarithm of the focal length among webcams and phones (50 to 68 degrees)."""
_CORNER_PX = 0.5
"""Standard deviation, in pixels, of a refined corner in a picture 1280 px long."""
_STEPS = 12
_MIDDLE = np.array([(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)])
"""Points, in shares of the picture's sides, at which a camera is fitted to a homography."""
_HORIZON = 0.05

Floats = npt.NDArray[np.float64]


def corner_spread_px(size_px: tuple[int, int]) -> float:
    """Return the standard deviation of a refined marker corner, in pixels."""
    return _CORNER_PX * max(0.6, max(size_px) / 1280)


def fitted_homography(
    plane_mm: Points,
    seen_px: Points,
    size_px: tuple[int, int],
    spread_px: float | Floats | None = None,
) -> Points | None:
    """Return the 3×3 homography from mm on a plane to pixels of the likeliest camera; None if the fit fails.

    `plane_mm` and `seen_px` are (N, 2), N at least 4; `size_px` is (width, height); `spread_px` is the
    standard deviation of the seen points, one for all or (N,).
    """
    spread = np.full(len(plane_mm), corner_spread_px(size_px))
    if spread_px is not None:
        spread = np.broadcast_to(np.asarray(spread_px, np.float64), (len(plane_mm),)).copy()
    parameters = _fit_camera(plane_mm, seen_px, size_px, spread)
    homography = None if parameters is None else _homography_of(parameters, size_px)
    return homography if homography is not None and np.isfinite(homography).all() else None


def camera_centre(to_px: Points, size_px: tuple[int, int]) -> Points | None:
    """Return (3,) x, y and height of the likeliest camera that sees a plane through the 3×3 `to_px`.

    The unit is the plane's. None if no camera fits.
    """
    corners = _MIDDLE * (np.array(size_px) - 1)
    homogeneous = np.column_stack([corners, np.ones(len(corners))]) @ np.linalg.inv(to_px).T
    near, far = np.sort(homogeneous[:, 2] * np.sign(homogeneous[0, 2]))[[-1, 0]]
    if not (np.isfinite(homogeneous).all() and far > _HORIZON * near):
        return None  # the plane's horizon runs through the picture, or nearly does
    on_plane = homogeneous[:, :2] / homogeneous[:, 2:]
    parameters = _fit_camera(on_plane, corners, size_px, np.full(len(corners), corner_spread_px(size_px)))
    if parameters is None or not np.isfinite(parameters).all():
        return None
    rotation, _ = cv2.Rodrigues(parameters[:3])
    x, y, below = -rotation.T @ parameters[3:6]
    return np.array([x, y, abs(below)], np.float64)


def _fit_camera(plane_mm: Points, seen_px: Points, size_px: tuple[int, int], spread: Floats) -> Floats | None:
    """Return the fitted (7,): rotation, translation, log of focal length over the usual; or None."""
    points_mm = np.hstack([plane_mm, np.zeros((len(plane_mm), 1))])
    matrix = _camera_matrix(usual_focal_px(size_px), size_px)
    is_solved, rotation, translation = cv2.solvePnP(points_mm, seen_px, matrix, None, flags=cv2.SOLVEPNP_IPPE)
    if not is_solved:
        return None
    start = np.concatenate([np.ravel(rotation), np.ravel(translation), [0.0]])
    return _levenberg_marquardt(start, lambda p: _residuals(p, points_mm, seen_px, size_px, spread))


def usual_focal_px(size_px: tuple[int, int]) -> float:
    """Return a usual webcam's focal length in pixels; an upright phone is like one on its side."""
    return float(max(size_px) / 2 / np.tan(np.radians(_USUAL_HFOV_DEG) / 2))


def _camera_matrix(focal: float, size_px: tuple[int, int]) -> Points:
    width, height = size_px
    return np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]], np.float64)


def _homography_of(parameters: Floats, size_px: tuple[int, int]) -> Points:
    rotation, _ = cv2.Rodrigues(parameters[:3])
    matrix = _camera_matrix(usual_focal_px(size_px) * float(np.exp(parameters[6])), size_px)
    extrinsics = np.column_stack([rotation[:, :2], parameters[3:6]])
    homography = matrix @ extrinsics
    return np.asarray(homography / homography[2, 2], np.float64)


def plane_aspect(corners: Points, seen_px: Points, size_px: tuple[int, int]) -> float:
    """Return the width over depth of a rectangle that a usual camera sees with its corners at `seen_px`.

    `corners` are those of the rectangle when drawn on a square.
    """
    from_unit = cv2.getPerspectiveTransform(corners.astype(np.float32), seen_px.astype(np.float32))
    rays = np.linalg.inv(_camera_matrix(usual_focal_px(size_px), size_px)) @ from_unit
    return float(np.linalg.norm(rays[:, 0]) / max(1e-9, float(np.linalg.norm(rays[:, 1]))))


def _residuals(
    parameters: Floats, points_mm: Points, seen_px: Points, size_px: tuple[int, int], spread: Floats
) -> tuple[Floats, Floats]:
    """Return (2 N + 1,) residuals and their (2 N + 1, 7) Jacobian with respect to the parameters.

    The residuals are the reprojection errors and the prior on the focal length, each over its standard
    deviation.
    """
    matrix = _camera_matrix(usual_focal_px(size_px) * float(np.exp(parameters[6])), size_px)
    projected, derivatives = cv2.projectPoints(points_mm, parameters[:3], parameters[3:6], matrix, None)
    residuals, jacobian = np.empty(2 * len(points_mm) + 1), np.zeros((2 * len(points_mm) + 1, 7))
    residuals[:-1] = ((projected[:, 0] - seen_px) / spread[:, None]).ravel()
    residuals[-1] = parameters[6] / _HFOV_SPREAD
    jacobian[:-1] = derivatives[:, :7] / spread.repeat(2)[:, None]
    jacobian[:-1, 6] += derivatives[:, 7] / spread.repeat(2)
    jacobian[:-1, 6] *= matrix[0, 0]  # derivative by the log of the focal length, of both axes at once
    jacobian[-1, 6] = 1 / _HFOV_SPREAD
    return residuals, jacobian


def _levenberg_marquardt(start: Floats, residuals_at: Callable[[Floats], tuple[Floats, Floats]]) -> Floats:
    """Minimise the squared residuals; `residuals_at` returns them and their Jacobian."""
    parameters, damping = start, 1e-3
    residuals, jacobian = residuals_at(parameters)
    for _ in range(_STEPS):
        normal = jacobian.T @ jacobian
        trial = parameters + np.linalg.solve(
            normal + damping * np.diag(np.diag(normal) + 1e-9), -jacobian.T @ residuals
        )
        trial_residuals, trial_jacobian = residuals_at(trial)
        gain = float(residuals @ residuals - trial_residuals @ trial_residuals)
        if gain > 0:
            parameters, residuals, jacobian, damping = trial, trial_residuals, trial_jacobian, damping / 5
            if gain < 1e-4:
                break
        else:
            damping *= 8
    return parameters
