"""A lens calibrated from pictures of the printed board, for camera pictures of any size."""

import cv2
import numpy as np
import pytest

from calibration.profiles.lens import SeenLens, calibrate_lens
from calibration.profiles.profile import Lens, ProfileError
from calibration.sheets import charuco
from tests.calibration.test_profile import EMPTY
from tests.calibration.test_straight import BARREL, HEIGHT, MATRIX, WIDTH, through_the_lens
from vision.pictures import Picture
from vision.scene.straight import Straightener


def board_seen(turn_deg: tuple[float, float], distance_mm: float) -> Picture:
    """Render the board through a known lens: 900 pixels focal length, no distortion."""
    pixels = np.repeat(np.repeat(charuco.board_pixels(), 4, axis=0), 4, axis=1)
    height, width = pixels.shape
    mm = charuco.PIXEL_MM / 4
    rotation, _ = cv2.Rodrigues(np.radians(np.array([turn_deg[0], turn_deg[1], 0.0])))
    matrix = np.array([[900.0, 0, 640], [0, 900, 480], [0, 0, 1]])
    to_plane = np.array([[mm, 0, -width * mm / 2], [0, mm, -height * mm / 2], [0, 0, 1]])
    pose = np.column_stack([rotation[:, 0], rotation[:, 1], (0, 0, distance_mm)])
    seen = cv2.warpPerspective(
        pixels, matrix @ pose @ to_plane, (1280, 960), borderValue=255, flags=cv2.INTER_AREA
    )
    return np.asarray(cv2.cvtColor(np.asarray(seen, np.uint8), cv2.COLOR_GRAY2BGR), np.uint8)


TURNS = ((0.0, 0.0), (25.0, 0.0), (-25.0, 5.0), (5.0, 28.0), (0.0, -28.0), (20.0, 20.0))


def test_lens_is_found_from_the_board() -> None:
    """Six views through a known lens recover it within two per cent."""
    seen = calibrate_lens([board_seen(turn, 330) for turn in TURNS])
    lens = seen.lens
    assert seen.size_px == (1280, 960)
    assert lens.matrix[0] == pytest.approx(900, rel=0.02)
    assert lens.matrix[2] == pytest.approx(640, abs=20)
    assert lens.error_px < 0.5


def test_a_lens_stays_itself_where_the_board_was_not_seen() -> None:
    """With views that fill half of the picture, its corners, where the mat lies, must not be distorted."""
    lens = calibrate_lens([board_seen(turn, 330) for turn in TURNS]).lens
    corners = np.array([[30.0, 30.0], [1250.0, 30.0], [1250.0, 930.0], [30.0, 930.0]])
    bent = Straightener(lens.matrix, lens.distortion, (1280, 960)).distort(corners)
    assert np.abs(bent - corners).max() < 10


def test_a_board_in_the_middle_alone_tells_no_lens() -> None:
    with pytest.raises(ProfileError, match="only in the middle of the pictures") as caught:
        calibrate_lens([board_seen(turn, 600) for turn in TURNS])
    assert "at the edges" in caught.value.remedy


def test_too_few_views_of_the_board_are_said() -> None:
    """The error says how many there were and how many are needed."""
    with pytest.raises(ProfileError, match="seen in 1 of 2 pictures"):
        calibrate_lens([board_seen((0.0, 0.0), 330), np.full((960, 1280, 3), 200, np.uint8)])


WIDE = SeenLens(Lens(MATRIX, BARREL, 0.2), (WIDTH, HEIGHT))


@pytest.mark.parametrize("scale", [0.5, 1.0, 1.6])
def test_the_lens_is_the_same_in_pictures_of_another_size(scale: float) -> None:
    """Photos of the board may be larger than the camera's pictures, which are straightened all the same."""
    size_px = (round(WIDTH * scale), round(HEIGHT * scale))
    straight, bent = (
        np.asarray(cv2.resize(picture, size_px, interpolation=cv2.INTER_AREA), np.uint8)
        for picture in (EMPTY, through_the_lens(EMPTY))
    )
    lens = WIDE.scaled_to(size_px)
    again = Straightener(lens.matrix, lens.distortion, size_px).picture(bent)
    inner = np.s_[round(80 * scale) : round(-80 * scale), round(110 * scale) : round(-110 * scale)]
    assert np.abs(again[inner].astype(int) - straight[inner]).mean() < 3
    assert lens.error_px == pytest.approx(0.2 * scale, rel=0.01)


def test_the_middle_of_a_picture_stays_in_the_middle() -> None:
    """Coordinates refer to pixel centres: (639.5, 479.5) of 1280 × 960 is (319.5, 239.5) of 640 × 480."""
    seen = SeenLens(Lens((900.0, 0.0, 639.5, 0.0, 900.0, 479.5, 0.0, 0.0, 1.0), BARREL, 0.2), (1280, 960))
    assert seen.scaled_to((640, 480)).matrix == pytest.approx((450, 0, 319.5, 0, 450, 239.5, 0, 0, 1))


@pytest.mark.parametrize("size_px", [(1920, 1080), (960, 1280), (1280, 1024)])
def test_pictures_of_another_shape_than_the_board_s_are_refused(size_px: tuple[int, int]) -> None:
    """A camera crops one from the other, and there is no telling where."""
    with pytest.raises(ProfileError, match="The lens pictures have 1280×960 pixels, the camera's") as caught:
        SeenLens(WIDE.lens, (1280, 960)).scaled_to(size_px)
    assert "do not crop" in caught.value.remedy


def test_sizes_that_differ_by_rounding_are_of_one_shape() -> None:
    assert SeenLens(WIDE.lens, (4608, 3456)).scaled_to((1366, 1024)).matrix[0] < MATRIX[0]
