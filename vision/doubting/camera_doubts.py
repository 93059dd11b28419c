"""What a camera, its cable and its light did to a whole picture: cubes that still show would look sure."""

from vision.pictures import Picture
from vision.reading import Doubt
from vision.scene.broken import is_broken
from vision.scene.light import light_of_mat
from vision.scene.rectify import Rectified, outline_px
from vision.scene.trouble import (
    Trouble,
    exposure_trouble,
    has_swapped_channels,
    is_faded,
    is_grey,
    is_pale,
)
from vision.scene.veil import is_veiled, lacks_black


def find_camera_doubts(picture: Picture, flat: Rectified, *, lit: bool) -> tuple[Doubt, ...]:
    """Return what is wrong with a picture and the tray in it; `lit`: whether its white is known."""
    return (
        *find_exposure_doubt(picture),
        *_broken_doubt(picture, flat),
        *_veil_doubt(picture, flat, lit=lit),
        *_colour_doubt(picture, flat, lit=lit),
    )


def find_exposure_doubt(picture: Picture) -> tuple[Doubt, ...]:
    """Return the doubt about a covered lens or a clipped picture."""
    trouble = exposure_trouble(picture)
    if trouble is Trouble.LENS_CAP:
        return (Doubt.TOO_DARK,)
    return (Doubt.TOO_BRIGHT,) if trouble is Trouble.BURNT_OUT else ()


def _colour_doubt(picture: Picture, flat: Rectified, *, lit: bool) -> tuple[Doubt, ...]:
    """Return the doubt about colours: without colour, or with red for blue, every count may look sure."""
    mat = flat.fiducials
    if mat is None:
        is_false = not lit and is_pale(picture)
    else:
        white = light_of_mat(picture, mat) or flat.light
        has_faded = not flat.uncoloured and is_faded(picture, mat, white)
        is_false = has_swapped_channels(picture, mat) or has_faded
    return (Doubt.FALSE_COLOURS,) if is_false or is_grey(picture) else ()


def _veil_doubt(picture: Picture, flat: Rectified, *, lit: bool) -> tuple[Doubt, ...]:
    """Return the doubt about fog, under which black cubes look grey or blue, and sure."""
    mat = flat.fiducials
    has_veil = not lit and lacks_black(picture) if mat is None else is_veiled(picture, mat)
    return (Doubt.VEILED,) if has_veil else ()


def _broken_doubt(picture: Picture, flat: Rectified) -> tuple[Doubt, ...]:
    """Return the doubt about rows of the tray that a cable or a network lost."""
    rows = [y for _, y in outline_px(flat.tray)]
    return (Doubt.BROKEN,) if is_broken(picture, min(rows), max(rows)) else ()
