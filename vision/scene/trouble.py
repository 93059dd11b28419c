"""What is wrong with a camera's picture whatever lies in the tray: lens cap, overexposed, grey, mirrored."""

import numpy as np
import numpy.typing as npt

from vision.advice import Advice, Advised
from vision.levels import quantile, strongest_channel, subsample, weakest_channel
from vision.pictures import Picture
from vision.scene.fiducials import Fiducials, count_markers, find_fiducials, project
from vision.scene.light import Light, srgb_to_linear, whiten
from vision.scene.mat import PATCHES

_BLACK_AT_MOST = 16
"""Highest 99th percentile (of 255) behind a covered lens; noise of a cheap webcam reaches 8 to 12."""
_WHITE_AT_LEAST = 250
_COLOURED_AT_MOST = 0.005
"""Largest share of a colourless picture's pixels whose channels differ by more than `_GREY_AT_MOST`."""
_GREY_AT_MOST = 6
"""Largest difference between channels in a picture without colour, including JPEG rounding."""
_COLOURFUL = 40
"""Difference between the channels of the most colourful thousandth, about one cube, that only a camera with
colours shows; the table about it may be all grey."""

_PALE, _MOST_COLOURFUL, _DARK = 0.25, 0.999, 24.0
"""Saturation (what the weakest channel lacks of the strongest, as a share) below which the most colourful
thousandth of a picture is pale, and the least divisor, since noise makes dark pixels more colourful. Of 1,010
pictures without a mat one has less than 0.26, with only black cubes on grey; with a tenth of their colour 255
of them have less than 0.24."""

_NOT_MIRRORED = 2
"""Number of the mat's markers that are never misread in a mirror image, so that searching one is skipped."""
_FADED = 0.5
"""Saturation of a patch under white light below which its colour has faded. None of 655 labelled pictures is
called faded; of 32 with a mat and a tenth of their colour 31 are."""
_YELLOW_IS_BRIGHTER = 1.5
"""How many times brighter the yellow patch is than the blue one, even where fog or fading takes the colour,
but not where both lie under a card."""
_UNCOLOURED = 0.2
"""Largest saturation under white light of yellow and blue patches that were printed without colour; a camera
that leaves a tenth of the colour leaves yellow 0.23."""
_VIVID, _VIVID_FROM = 0.35, 80.0
"""Least saturation of the most colourful thousandth of a picture if the camera keeps colours, and the least
divisor."""
_BLUER = {"red": False, "yellow": False, "blue": True}
"""Patches in which red and blue differ under any lamp, and whether blue is the stronger."""


class Trouble(Advised):
    """What is wrong with every picture of a camera."""

    LENS_CAP = Advice("The picture is all black.", "Take off the lens cap, or turn on the light.")
    BURNT_OUT = Advice("The picture is all white.", "Lower the exposure, or turn the lamp aside.")
    NO_COLOUR = Advice("The picture has no colour.", "Turn off the camera's black-and-white or night mode.")
    MIRRORED = Advice("The picture is mirrored.", "Turn off mirroring in the camera's app.")
    CHANNELS_SWAPPED = Advice(
        "Red and blue are swapped in the picture.", "Set the camera to MJPEG or YUYV, or convert the picture."
    )
    FROZEN = Advice(
        "The camera keeps showing the same picture.",
        "Wake the phone, or unplug the camera and plug it in again.",
    )


def picture_trouble(picture: Picture, markers: int | None = None) -> Trouble | None:
    """Return the trouble that one picture shows. `markers`: how many of the mat's were seen, if known."""
    exposure = exposure_trouble(picture)
    if exposure is not None:
        return exposure
    if is_grey(picture):
        return Trouble.NO_COLOUR
    markers_seen = count_markers(picture) if markers is None else markers
    if markers_seen < _NOT_MIRRORED and is_mirrored(picture, markers_seen):
        return Trouble.MIRRORED
    return Trouble.CHANNELS_SWAPPED if markers_seen and has_swapped_channels(picture) else None


def exposure_trouble(picture: Picture) -> Trouble | None:
    """Return the trouble of a picture that is all black or all white; cheap beside a reading."""
    sample = picture[::16, ::16].ravel()
    if float(quantile(sample, 0.99)) <= _BLACK_AT_MOST:
        return Trouble.LENS_CAP
    return Trouble.BURNT_OUT if float(quantile(sample, 0.05)) >= _WHITE_AT_LEAST else None


def is_grey(picture: Picture) -> bool:
    """Return whether nothing has a colour, as in night mode."""
    small = subsample(picture, 8)
    spread = strongest_channel(small) - weakest_channel(small)
    if float((spread > _GREY_AT_MOST).mean()) > _COLOURED_AT_MOST:
        return False
    return float(quantile(spread.ravel(), _MOST_COLOURFUL)) < _COLOURFUL


def is_pale(picture: Picture) -> bool:
    """Return whether hardly a pixel has a colour, for a picture that shows no mat."""
    small = subsample(picture, 8)
    brightest = strongest_channel(small).astype(np.float32)
    saturation = ((brightest - weakest_channel(small)) / np.maximum(brightest, _DARK)).astype(np.float32)
    return float(quantile(saturation.ravel(), _MOST_COLOURFUL)) < _PALE


def has_swapped_channels(picture: Picture, found: Fiducials | None = None) -> bool:
    """Return whether most of the mat's red, yellow and blue patches in view have red and blue swapped.

    No light can do that, but a wrong pixel format does. One of the patches may lie under a finger or a card.
    """
    fiducials = found or find_fiducials(picture)
    if fiducials is None:
        return False
    swapped = 0
    for name, is_bluer in _BLUER.items():
        level = _patch_level(picture, fiducials, name)
        if level is not None and max(level[0], level[2]) > 1.5 * min(level[0], level[2]) + 10:
            swapped += 1 if bool(level[0] > level[2]) != is_bluer else -1
    return swapped > 0


def is_faded(picture: Picture, fiducials: Fiducials, light: Light) -> bool:
    """Return whether the mat's yellow and blue patches show but are pale: fog, or a camera setting."""
    stored_levels = [_patch_level(picture, fiducials, name) for name in ("yellow", "blue")]
    yellow, blue = [
        None if level is None else srgb_to_linear(level) / light.linear for level in stored_levels
    ]
    if yellow is None or blue is None or yellow.mean() < _YELLOW_IS_BRIGHTER * blue.mean():
        return False
    return all(float(np.ptp(level)) < _FADED * float(level.max()) for level in (yellow, blue))


def is_uncoloured(picture: Picture, fiducials: Fiducials, light: Light) -> bool:
    """Return whether the mat was printed without colour: its patches have none, other things do."""
    if not is_faded(picture, fiducials, light):
        return False
    stored_levels = [_patch_level(picture, fiducials, name) for name in ("yellow", "blue")]
    levels = [srgb_to_linear(level) / light.linear for level in stored_levels if level is not None]
    if any(float(np.ptp(level)) > _UNCOLOURED * float(level.max()) for level in levels):
        return False
    small = whiten(subsample(picture, 8), light)
    brightest = strongest_channel(small).astype(np.float32)
    saturation = ((brightest - weakest_channel(small)) / np.maximum(brightest, _VIVID_FROM)).astype(
        np.float32
    )
    return float(quantile(saturation.ravel(), _MOST_COLOURFUL)) > _VIVID


def _patch_level(picture: Picture, fiducials: Fiducials, name: str) -> npt.NDArray[np.float64] | None:
    """Return (3,) BGR in the middle of one of the mat's patches, as stored; None if it is outside."""
    centre = next(patch.centre_mm for patch in PATCHES if patch.name == name)
    x, y = np.round(project(np.array([centre]), fiducials.to_px))[0].astype(int)
    height, width = picture.shape[:2]
    if not (2 <= x < width - 2 and 2 <= y < height - 2):
        return None
    return np.asarray(picture[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 3).mean(axis=0), np.float64)


def is_mirrored(picture: Picture, seen: int | None = None) -> bool:
    """Return whether more of the mat's markers are found in the mirror image; one more is enough.

    `seen`: how many are found in the picture itself, if known.
    """
    unmirrored = count_markers(picture) if seen is None else seen
    return count_markers(np.ascontiguousarray(picture[:, ::-1])) > unmirrored
