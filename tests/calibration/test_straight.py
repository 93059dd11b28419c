"""A wide lens: distorted pictures are read as if straight, and places reported in camera pixels."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.profiles.drift import find_changes
from calibration.profiles.profile import Lens
from calibration.profiles.taught import reader_of
from tests.calibration.test_profile import COLOURS, EMPTY, MIDDLE, PLACES_MM, learned, with_cubes
from tests.vision.mat_picture import PX_PER_MM
from vision.pictures import Picture
from vision.scene.straight import Straightener

HEIGHT, WIDTH = EMPTY.shape[:2]
MATRIX = (800.0, 0.0, WIDTH / 2, 0.0, 800.0, HEIGHT / 2, 0.0, 0.0, 1.0)
BARREL = (-0.28, 0.05, 0.0, 0.0, 0.0)
STRAIGHT = Straightener(MATRIX, BARREL, (WIDTH, HEIGHT))


def through_the_lens(picture: Picture) -> Picture:
    """Distort a straight picture as the wide camera would: each pixel looks up where its ray came from."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float64)
    camera = np.array(MATRIX).reshape(3, 3)
    source_px = cv2.undistortPoints(
        np.stack([x.ravel(), y.ravel()], 1)[:, None], camera, np.array(BARREL), P=camera
    )
    maps = np.asarray(source_px, np.float32).reshape(HEIGHT, WIDTH, 2)
    bent = cv2.remap(picture, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(bent, np.uint8)


def test_bent_picture_becomes_straight() -> None:
    """Except near the borders, where part of the picture is lost."""
    again = STRAIGHT.picture(through_the_lens(EMPTY))
    inner = np.s_[80:-80, 110:-110]
    assert np.abs(again[inner].astype(int) - EMPTY[inner]).mean() < 3


def test_points_are_bent_as_pictures_are() -> None:
    """The centre stays, and a corner moves inwards."""
    corner = np.array([[60.0, 40.0]])
    assert STRAIGHT.distort(np.array([[WIDTH / 2, HEIGHT / 2]]))[0] == pytest.approx((WIDTH / 2, HEIGHT / 2))
    assert (STRAIGHT.distort(corner) > corner + 5).all()


def test_picture_of_another_size_is_left_alone() -> None:
    """The lens was calibrated at one size."""
    small = np.zeros((480, 640, 3), np.uint8)
    assert STRAIGHT.picture(small) is small


def test_taught_reader_reads_through_the_lens() -> None:
    """Five red cubes, each reported where it is in the distorted picture."""
    profile = replace(learned(), lens=Lens(MATRIX, BARREL, 0.2))
    bent = through_the_lens(with_cubes(COLOURS["red"]))
    reading = reader_of(profile).read(bent)
    assert reading.counts["red"] == 5
    places = np.array([(MIDDLE[0] + x * PX_PER_MM, MIDDLE[1] + y * PX_PER_MM) for x, y in PLACES_MM])
    seen = np.array([cube.centre_px for cube in reading.cubes])
    gaps = np.linalg.norm(seen[:, None] - STRAIGHT.distort(places), axis=2).min(axis=1)
    assert gaps.max() < 6


def test_what_a_taught_reader_finds_lies_on_the_straight_floor() -> None:
    """`doctor` needs this: on the distorted picture it took a mat with a cut-off corner for a covered one."""
    profile, five = learned(), with_cubes(COLOURS["red"])
    wide = reader_of(replace(profile, lens=Lens(MATRIX, BARREL, 0.2))).find(through_the_lens(five))
    plain = reader_of(profile).find(five)
    assert wide is not None
    assert plain is not None
    assert np.abs(wide.flat.image.astype(int) - plain.flat.image).mean() < 4


def test_same_table_through_the_lens_has_not_changed() -> None:
    """Distortion that was there at the calibration is no move of the camera."""
    profile = replace(learned(), lens=Lens(MATRIX, BARREL, 0.2))
    assert find_changes(profile, through_the_lens(EMPTY)) == []
