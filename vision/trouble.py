"""What is wrong with a camera's picture whatever lies in the tray: lens cap, burnt out, grey, mirrored."""

from enum import Enum

import cv2
import numpy as np

from vision.advice import Advice
from vision.fiducials import Fiducials, find_fiducials, project
from vision.levels import quantile
from vision.mat import MARKER_CENTRES_MM, MARKER_DICTIONARY, PATCHES
from vision.pictures import Picture

_BLACK_AT_MOST = 16
"""Of 255: what the 99th percentile of a covered lens stays under; noise of a cheap webcam reaches 8 to 12."""
_WHITE_AT_LEAST = 250
_COLOURED_AT_MOST = 0.005
"""Share of pixels that a picture without colour may have above this:"""
_GREY_AT_MOST = 6
"""Largest difference between channels in a picture without colour, JPEG rounding included."""


class Trouble(Enum):
    """Named so that a page can translate it; the value says it in English."""

    LENS_CAP = Advice("The picture is all black.", "Take off the lens cap, or switch on the light.")
    BURNT_OUT = Advice("The picture is all white.", "Lower the exposure, or turn the lamp aside.")
    NO_COLOUR = Advice("The picture has no colour.", "Switch off the camera's black-and-white or night mode.")
    MIRRORED = Advice("The picture is mirrored.", "Switch off mirroring in the camera's app.")
    CHANNELS_SWAPPED = Advice(
        "Red and blue are swapped in the picture.", "Set the camera to MJPEG or YUYV, or convert the picture."
    )
    FROZEN = Advice(
        "The camera shows the same picture again and again.", "Wake the phone or plug the camera in again."
    )

    @property
    def sentence(self) -> str:
        """What is wrong."""
        return self.value.sentence

    @property
    def remedy(self) -> str:
        """What to do about it."""
        return self.value.remedy


def picture_trouble(picture: Picture, mat_seen: bool) -> Trouble | None:
    """Trouble that one picture shows; a mat that was seen is asked for its colours, else for a mirror."""
    exposure = exposure_trouble(picture)
    if exposure is not None:
        return exposure
    if is_grey(picture):
        return Trouble.NO_COLOUR
    if mat_seen:
        return Trouble.CHANNELS_SWAPPED if has_swapped_channels(picture) else None
    return Trouble.MIRRORED if is_mirrored(picture) else None


def exposure_trouble(picture: Picture) -> Trouble | None:
    """All black or all white; costs nothing beside a reading."""
    sample = picture[::16, ::16].ravel()
    if float(quantile(sample, 0.99)) <= _BLACK_AT_MOST:
        return Trouble.LENS_CAP
    return Trouble.BURNT_OUT if float(quantile(sample, 0.05)) >= _WHITE_AT_LEAST else None


def is_grey(picture: Picture) -> bool:
    """Whether no pixel has a colour: night mode."""
    blue, green, red = cv2.split(np.ascontiguousarray(picture[::8, ::8]))
    spread = np.maximum(np.maximum(blue, green), red) - np.minimum(np.minimum(blue, green), red)
    return float((spread > _GREY_AT_MOST).mean()) <= _COLOURED_AT_MOST


def has_swapped_channels(picture: Picture, found: Fiducials | None = None) -> bool:
    """Whether the mat's red and yellow patches are blue: no light can do that, a wrong pixel format does."""
    fiducials = found or find_fiducials(picture)
    if fiducials is None:
        return False
    warm = np.array([patch.centre_mm for patch in PATCHES if patch.name in ("red", "yellow")])
    places = np.round(project(warm, fiducials.to_px)).astype(int)
    height, width = picture.shape[:2]
    if (places < 2).any() or (places >= (width - 2, height - 2)).any():
        return False
    patches = [picture[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 3).mean(axis=0) for x, y in places]
    return all(blue > 1.5 * red + 10 for blue, _, red in patches)


def is_mirrored(picture: Picture) -> bool:
    """Whether the mat's markers are only found in the picture's mirror image."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY))
    straight, mirrored = (
        _markers(detector, picture),
        _markers(detector, np.ascontiguousarray(picture[:, ::-1])),
    )
    return mirrored >= 2 and mirrored > straight


def _markers(detector: cv2.aruco.ArucoDetector, picture: Picture) -> int:
    _, ids, _ = detector.detectMarkers(picture)
    return 0 if ids is None else len({int(i) for i in ids.ravel()} & set(range(len(MARKER_CENTRES_MM))))
