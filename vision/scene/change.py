"""What has changed on a calibrated floor since it was empty: lamps everywhere, cubes and shadows locally.

Light falls on floor and cubes alike, so the change that most of the floor shares is due to lamps and
exposure.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture
from vision.scene.light import Light, srgb_to_linear, whiten

NOISE = 0.004
"""Linear light of noise and of gloss reflections; below it ratios carry no information."""
_TELLS = (0.004, 0.9)
"""Range of linear light in which lamps are compared: above noise and below clipping."""
_TELLS_SHARE = 0.05
_ALIKE = 0.3
"""Largest deviation from the common change of light on an unchanged floor, as a natural logarithm."""
_ALIKE_SHARE = 0.5
"""Least share of the comparable floor that changed alike; below it the camera has moved or the floor is
another."""
_MOST_TINT = 1.3
"""Largest difference between the changes of two channels: a bulb instead of daylight makes 0.9."""
_MOST_GRAIN = 0.035
"""Largest change of the floor's own pattern. On 14 clear trays another table gives 0.033 to 0.081; the same
table gives up to 0.043 in half the light, and 0.03 when a lamp went out or the camera was pushed by a
millimetre."""
_LIGHT_FLOOR = 0.05
"""Linear light above which a floor counts as light."""
_SMOOTH = 3.0
_STEP = 8

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Change:
    """Change from the empty floor to now; both pictures are rectified alike."""

    then: Picture
    """The empty floor, (H, W, 3) BGR as stored."""
    now: Picture
    lamps: Floats
    """(3,) natural logarithms of the factors by which the light has changed."""

    def todays_light(self, light: Light) -> Light:
        """Return today's white, given the white at calibration."""
        return Light.of_linear(light.linear * np.exp(self.lamps), measured=light.measured)

    def empty_floor(self, light: Light) -> Picture:
        """Return the empty floor under white light, (H, W, 3) BGR; `light` is today's white."""
        then = Light.of_linear(light.linear * np.exp(-self.lamps), measured=light.measured)
        return whiten(self.then, then)


def compare_floors(now: Picture, then: Picture) -> Change | None:
    """Compare two rectified (H, W, 3) BGR floors as stored; None if they differ or are badly exposed.

    A table seen through a clear tray is a different floor once its cloth has changed or the mat has gone.
    """
    if now.shape != then.shape:
        return None
    linear_then, linear_now = (cv2.LUT(_reduce(floor), _LINEAR) for floor in (then, now))
    comparable = np.minimum(linear_then, linear_now).min(axis=2) > _TELLS[0]
    comparable &= np.maximum(linear_then, linear_now).max(axis=2) < _TELLS[1]
    if comparable.mean() < _TELLS_SHARE:
        return None
    ratios = np.log(np.maximum(linear_now, _TELLS[0]) / np.maximum(linear_then, _TELLS[0]))
    lamps = np.median(ratios[comparable], axis=0)
    unchanged = comparable & (np.abs(ratios - lamps).max(axis=2) < _ALIKE)
    if unchanged.sum() < _ALIKE_SHARE * comparable.sum() or np.ptp(lamps) > _MOST_TINT:
        return None
    # On a dark floor the grain is the camera's.
    is_light = float(np.median(linear_then.max(axis=2))) > _LIGHT_FLOOR
    if is_light and _pattern_change((ratios - lamps).mean(axis=2), unchanged) > _MOST_GRAIN:
        return None
    return Change(then, now, np.asarray(lamps, np.float32))


def _pattern_change(change: Floats, unchanged: npt.NDArray[np.bool_]) -> float:
    """Return how much of the floor's own pattern has changed; changes of light are smooth."""
    # Free of cubes and their shadows.
    free = cv2.erode(unchanged.astype(np.float32), np.ones((3, 3), np.uint8))
    if free.mean() < _TELLS_SHARE:
        return 0.0
    blurred = cv2.GaussianBlur(change.astype(np.float32) * free, (0, 0), _SMOOTH)
    smooth = blurred / np.maximum(cv2.GaussianBlur(free, (0, 0), _SMOOTH), 1e-3)
    return float(np.median(np.abs(change - smooth)[free > 0]))


def logs(stored: npt.NDArray[np.uint8]) -> Floats:
    """Return natural logarithms of linear light plus `NOISE`, for stored levels 0..255."""
    return np.asarray(_LOGS[stored], np.float32)


def _reduce(floor: Picture) -> Picture:
    return np.asarray(
        cv2.resize(floor, None, fx=1 / _STEP, fy=1 / _STEP, interpolation=cv2.INTER_AREA), np.uint8
    )


_LINEAR = srgb_to_linear(np.arange(256)).astype(np.float32)
_LOGS = np.log(_LINEAR + NOISE).astype(np.float32)
