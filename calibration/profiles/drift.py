"""Whether the table is still as it was calibrated: whether the light has changed or the camera moved."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import cv2
import numpy as np

from calibration.profiles.learn import thumbnail
from calibration.profiles.profile import Profile, empty_tray
from calibration.profiles.scene import Scene, inspect_scene
from calibration.profiles.standing import tray_followed, tray_still_stands
from calibration.profiles.taught import straightener
from vision.advice import Advice, Advised
from vision.pictures import Picture
from vision.scene.plane import Points, project
from vision.scene.tray import Tray, find_tray

LOOK_EVERY_MS = 10_000.0
_MOVED_SHARE = 0.01
"""Shift that counts as a move, as a share of the picture's width: half a cube's edge."""
_BRIGHTER_STOPS = 0.6
_STOPS = 2.2 / log(2)
"""Stops per natural logarithm of levels, which go with about the 1 / 2.2th power of the light."""
_TINT = 0.12
"""Change of red or blue relative to green: from daylight to a warm bulb it is 0.4 and more."""
_FOUND_WITHIN_MM = 12.0
"""Distance from the calibrated tray's centre within which the same tray was found."""
_ELSEWHERE_MM = 12.0
"""Distance between the trays found: of 68 rendered tables at most 8 mm where it stands, with cubes or a hand,
and at least 16 mm, or none found, where lines in place hide a move."""
_COARSE = (160, 120)
_TELLING = (24, 245)
"""Levels that are neither lost in noise nor clipped."""
_LEAST_TELLING = 0.05
"""Least share of the picture with such levels."""
_SAME_SCENE = 0.08
"""Response of the phase correlation below which two pictures have nothing in common."""


class Change(Advised):
    """What is no longer as it was when the table was calibrated."""

    SIZE = Advice(
        "The picture size has changed since the calibration.",
        "Change it back, or calibrate again.",
    )
    CAMERA_MOVED = Advice(
        "The camera or the tray has moved since the calibration.", "Put it back, or calibrate again."
    )
    LIGHT_LEVEL = Advice(
        "The light is much brighter or darker than at the calibration.", "Change it back, or calibrate again."
    )
    LIGHT_COLOUR = Advice(
        "The colour of the light has changed since the calibration.", "Change it back, or calibrate again."
    )


@dataclass(frozen=True, slots=True)
class _LightChange:
    stops: float
    tint: float


def find_changes(profile: Profile, picture: Picture) -> list[Change]:
    """Find what has changed since the profile was made, from one picture."""
    height, width = picture.shape[:2]
    if (width, height) != profile.size_px:
        return [Change.SIZE]
    picture = _straightened(profile, picture)
    scene = inspect_scene(picture)
    empty = empty_tray(profile)
    found = []
    if _has_moved(profile, scene, picture, empty):
        found.append(Change.CAMERA_MOVED)
    if not _is_light_comparable(profile, scene):
        return found
    light = (None if empty is None else _light_change(empty, picture)) or _light_change_of_white(
        profile, scene
    )
    if abs(light.stops) > _BRIGHTER_STOPS:
        found.append(Change.LIGHT_LEVEL)
    if light.tint > _TINT:
        found.append(Change.LIGHT_COLOUR)
    return found


def compares_light(profile: Profile, picture: Picture) -> bool:
    """Return whether `find_changes` can tell a change of light in this picture."""
    return _is_light_comparable(profile, inspect_scene(_straightened(profile, picture)))


def _is_light_comparable(profile: Profile, scene: Scene) -> bool:
    """Not with the mat in only one of the two pictures."""
    return bool(profile.markers_px) == bool(scene.markers_px)


def _straightened(profile: Profile, picture: Picture) -> Picture:
    straight = straightener(profile)
    return picture if straight is None else straight.picture(picture)


class DriftWatch:
    """Looks at a settled picture now and then and remembers what has changed since the calibration."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._last_look_ms: float | None = None
        self.found: Sequence[Change] = ()

    def feed(self, picture: Picture, taken_ms: float) -> Sequence[Change]:
        """Return what had changed at the last look; a look costs about as much as a reading."""
        if self._last_look_ms is None or taken_ms - self._last_look_ms >= LOOK_EVERY_MS:
            self._last_look_ms = taken_ms
            self.found = find_changes(self._profile, picture)
        return self.found


def _has_moved(profile: Profile, scene: Scene, picture: Picture, empty: Picture | None) -> bool:
    """Whether camera or tray moved; a mat that is gone, new or shifted is no move if the tray stands."""
    common = sorted(set(profile.markers_px) & set(scene.markers_px))
    if common:
        then = np.array([profile.markers_px[marker] for marker in common])
        now = np.array([scene.markers_px[marker] for marker in common])
        shift = float(np.median(np.linalg.norm(now - then, axis=-1)))
        if shift <= _MOVED_SHARE * profile.size_px[0]:
            return False
    if empty is None:
        return bool(common) or _has_thumbnail_moved(profile, picture)
    tray = profile.tray.tray()
    if not tray_still_stands(tray, empty, picture):
        return True
    if common:
        move, _ = cv2.findHomography(then.reshape(-1, 2), now.reshape(-1, 2))
        return tray_followed(tray, empty, picture, np.asarray(move, np.float64))
    if profile.markers_px or scene.markers_px:
        return _is_tray_elsewhere(tray, empty, picture)
    return _has_thumbnail_moved(profile, picture)


def _is_tray_elsewhere(tray: Tray, then: Picture, now: Picture) -> bool:
    """Whether the tray that is found without the mat moved: further than `tray_still_stands` can tell."""
    place_then = _tray_found_mm(tray, then)
    if place_then is None or np.linalg.norm(place_then) > _FOUND_WITHIN_MM:
        return False  # such a tray is not found, as one whose outline was drawn
    place_now = _tray_found_mm(tray, now)
    return place_now is None or float(np.linalg.norm(place_now - place_then)) > _ELSEWHERE_MM


def _tray_found_mm(tray: Tray, picture: Picture) -> Points | None:
    """(1, 2) middle of the tray found without the mat, in mm on the floor of the calibrated one."""
    found = find_tray(picture, None)
    if found is None:
        return None
    middle = project(found.outline_mm, found.to_px).mean(axis=0)
    return project(middle, np.asarray(np.linalg.inv(tray.to_px), np.float64))


def _has_thumbnail_moved(profile: Profile, picture: Picture) -> bool:
    """Whether the thumbnail shifted, by phase correlation; cubes and small rotations hardly affect it."""
    then, now = (np.array(rows, np.float32) for rows in (profile.thumbnail, thumbnail(picture)))
    (x, y), response = cv2.phaseCorrelate(_high_pass(then), _high_pass(now))
    if response < _SAME_SCENE:
        return True
    return bool(np.hypot(x, y) > max(1.0, _MOVED_SHARE * then.shape[1]))


def _high_pass(grey: np.ndarray) -> np.ndarray:
    return grey - cv2.GaussianBlur(grey, (0, 0), 4)


def _light_change(then: Picture, now: Picture) -> _LightChange | None:
    """Change of light by the median over the picture: a hand or cubes, however bright, cover little of it."""
    before, after = (_coarse_levels(picture) for picture in (then, now))
    least, most = _TELLING
    usable = (np.minimum(before, after).min(axis=1) > least) & (np.maximum(before, after).max(axis=1) < most)
    if usable.mean() < _LEAST_TELLING:
        return None
    change = np.log(after[usable] / before[usable])
    tint = np.median(change - change[:, 1:2], axis=0)
    return _LightChange(_STOPS * float(np.median(change.max(axis=1))), float(np.abs(np.exp(tint) - 1).max()))


def _coarse_levels(picture: Picture) -> np.ndarray:
    """(N, 3) levels of the picture scaled down."""
    small = cv2.resize(picture, _COARSE, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float64).reshape(-1, 3)


def _light_change_of_white(profile: Profile, scene: Scene) -> _LightChange:
    """Change of light by paper or the brightest parts, for old profiles and if most is black or clipped."""
    then, now = (np.maximum(np.array(white), 1.0) for white in (profile.white_bgr, scene.white_bgr))
    ratios = (now / now[1]) / (then / then[1])
    return _LightChange(_STOPS * float(np.log(now.max() / then.max())), float(np.abs(ratios - 1).max()))
