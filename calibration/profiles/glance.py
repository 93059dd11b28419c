"""A quick look at a table before and during calibration: what to show the person of what the camera sees."""

from dataclasses import dataclass

from calibration.profiles.profile import Point
from calibration.profiles.scene import inspect_scene
from vision.doubting.floor import colours_of
from vision.palette import SHOGUN
from vision.pictures import Picture
from vision.scene.cut import is_cut
from vision.scene.fiducials import Fiducials, find_fiducials
from vision.scene.light import light_of_mat
from vision.scene.rectify import lay_flat, outline_px
from vision.scene.tray import Tray, find_tray
from vision.scene.trouble import Trouble, picture_trouble


@dataclass(frozen=True, slots=True)
class Glance:
    """What one picture shows."""

    size_px: tuple[int, int]
    markers: int
    """Number of the mat's four markers that are seen."""
    outline_px: tuple[Point, ...]
    """Outline of the tray's floor; empty if no tray was found."""
    cut: bool
    """Whether the tray extends beyond the picture."""
    trouble: Trouble | None
    too_dark: bool
    too_bright: bool
    dark_tray: bool
    like_floor: bool
    """Whether the floor looks like one of Shogun's colours."""


def glance(picture: Picture) -> Glance:
    """Look at a (H, W, 3) uint8 BGR picture; costs about half a reading."""
    scene = inspect_scene(picture)
    trouble = picture_trouble(picture, len(scene.markers_px))
    mat = find_fiducials(picture)
    tray = None if trouble else find_tray(picture, mat)
    size_px = (picture.shape[1], picture.shape[0])
    return Glance(
        size_px=size_px,
        markers=len(scene.markers_px),
        outline_px=outline_px(tray) if tray else (),
        cut=tray is not None and is_cut(tray, size_px, mat_seen=mat is not None),
        trouble=trouble,
        too_dark=scene.too_dark,
        too_bright=scene.too_bright,
        dark_tray=scene.dark_tray,
        like_floor=tray is not None and mat is not None and _floor_has_cube_colour(picture, tray, mat),
    )


def _floor_has_cube_colour(picture: Picture, tray: Tray, mat: Fiducials) -> bool:
    """Needs the mat: without it the colour of the lamp and of the floor cannot be told apart."""
    light = light_of_mat(picture, mat)
    return light is not None and bool(colours_of(lay_flat(picture, tray, light), SHOGUN, lit=True))
