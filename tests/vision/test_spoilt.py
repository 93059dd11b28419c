"""What cameras and cables do to a picture: if it may lose cubes, no count is called sure."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from calibration.synth import Options
from calibration.synth.scene import Plastic
from calibration.synth.staged import StagedTable
from tests.vision.drawn_tray import drawn_tray
from tests.vision.mat_picture import PX_PER_MM
from vision.doubting.doubts import find_spoiling_doubts
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.reading import Doubt
from vision.scene.broken import is_broken
from vision.scene.fiducials import find_fiducials
from vision.scene.light import light_of_mat, linear_to_srgb, srgb_to_linear
from vision.scene.mat import PATCH_MM, PATCHES
from vision.scene.plane import project
from vision.scene.rectify import rectify
from vision.scene.trouble import is_faded
from vision.scene.veil import is_veiled

OPTIONS = Options(size_px=(960, 720), mat=True, plastic="clear", tray="square", light="daylight", plain=True)
TOP, BOTTOM = 60, 570
"""Rows where the drawn tray begins and ends, in pixels."""


@pytest.fixture(scope="module")
def thrown() -> Picture:
    return StagedTable(12, OPTIONS).render_thrown({"red": 2, "blue": 2, "yellow": 1}, 8)[0]


def grey_below(picture: Picture) -> Picture:
    broken = picture.copy()
    broken[len(picture) * 6 // 10 :] = 128
    return broken


def smeared(picture: Picture) -> Picture:
    broken, row = picture.copy(), len(picture) * 6 // 10
    broken[row:] = picture[row]
    return broken


def green_line(picture: Picture) -> Picture:
    broken, row = picture.copy(), len(picture) // 2
    broken[row : row + 12] = (0, 150, 0)
    return broken


def faded(picture: Picture, share: float = 0.1) -> Picture:
    """A picture from a camera with its colour turned down."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[:, :, None].astype(np.float32)
    return np.asarray(np.round(grey + share * (picture - grey)), np.uint8)


def out_of_focus(picture: Picture) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 6), np.uint8)


def foggy(picture: Picture, share: float = 0.25) -> Picture:
    """Add stray light evenly: this share of what the paper reflects."""
    light = srgb_to_linear(picture)
    fog = share * np.quantile(light, 0.95, axis=(0, 1))
    return np.asarray(np.round(linear_to_srgb(0.7 * light + fog)), np.uint8)


@pytest.mark.parametrize(
    ("spoil", "doubt"),
    [
        (grey_below, Doubt.BROKEN),
        (smeared, Doubt.BROKEN),
        (green_line, Doubt.BROKEN),
        (faded, Doubt.FALSE_COLOURS),
        (out_of_focus, Doubt.BLURRED),
        (foggy, Doubt.VEILED),
    ],
)
def test_what_spoils_a_picture_is_named(
    thrown: Picture, spoil: Callable[[Picture], Picture], doubt: Doubt
) -> None:
    """None of these doubts is raised for a good picture."""
    assert TrayReader().read(thrown).certain
    assert doubt in TrayReader().read(spoil(thrown)).doubts


@pytest.mark.parametrize("spoil", [grey_below, smeared, green_line])
def test_rows_that_were_lost_beside_the_tray_hide_no_cube(spoil: Callable[[Picture], Picture]) -> None:
    """Like the bars around a picture that was padded to be taller."""
    picture = drawn_tray([("red", 0, 0)])
    assert is_broken(spoil(picture), TOP, BOTTOM)
    assert not is_broken(picture, TOP, BOTTOM)
    barred = np.vstack([np.zeros_like(picture[:200]), spoil(picture)])
    assert not is_broken(barred, 200 + TOP, 400 + TOP)


@pytest.mark.parametrize("factor", [2, 4])
def test_a_picture_that_was_made_larger_is_not_broken(factor: int) -> None:
    """Each row is repeated, twice or four times."""
    larger = np.repeat(np.repeat(drawn_tray([("red", 0, 0)]), factor, axis=0), factor, axis=1)
    assert not is_broken(larger, factor * TOP, factor * BOTTOM)


@pytest.mark.parametrize("blur_px", [3.0, 5.0, 8.0])
def test_blur_is_measured_in_millimetres_on_the_floor(blur_px: float) -> None:
    """The drawn tray has sharp edges, so its blur is known, even under noise."""
    picture = cv2.GaussianBlur(drawn_tray([("red", 0, 0), ("blue", 30, 20)]), (0, 0), blur_px)
    noise = np.random.default_rng(1).normal(0, 1.5, picture.shape)
    flat = rectify(np.asarray(np.clip(picture + noise, 0, 255), np.uint8))
    assert flat is not None
    assert flat.blur_mm == pytest.approx(blur_px / PX_PER_MM, rel=0.4)


def test_a_camera_that_moved_one_way_blurs_what_lies_across() -> None:
    """Edges along its motion stay as sharp as they were."""
    still = drawn_tray([("red", 0, 0), ("blue", 30, 20)])
    way = np.zeros((33, 33), np.float32)
    way[16] = 1 / 33
    moved = rectify(np.asarray(cv2.filter2D(still, -1, way), np.uint8))
    flat = rectify(still)
    assert flat is not None
    assert moved is not None
    assert flat.blur_mm < 0.5
    assert Doubt.BLURRED in find_spoiling_doubts(moved)
    assert Doubt.BLURRED not in find_spoiling_doubts(flat)


@pytest.mark.parametrize("light", [(0.85, 0.9, 0.95), (0.25, 0.5, 0.95), (0.9, 0.3, 0.9)])
def test_colour_that_is_gone_is_told_from_coloured_light(light: tuple[float, float, float]) -> None:
    """From the mat's yellow and blue patches, under the light that its paper shows."""
    picture = drawn_tray([("red", 0, 0)], light)
    for seen, gone in ((picture, False), (faded(picture), True), (faded(picture, 0.6), False)):
        found = find_fiducials(seen)
        assert found is not None
        white = light_of_mat(seen, found)
        assert white is not None
        assert is_faded(seen, found, white) is gone


@pytest.mark.parametrize("light", [(0.85, 0.9, 0.95), (0.25, 0.5, 0.95), (0.3, 0.3, 0.3)])
def test_fog_is_told_from_grey_ink_and_from_shadow(light: tuple[float, float, float]) -> None:
    """Ink from a poor printer reflects a tenth; a shadow on one marker greys its white too."""
    picture = drawn_tray([("red", 0, 0)], light)
    inky = foggy(picture, 0.07)
    shady = inky.copy()
    shady[: len(picture) // 2] = linear_to_srgb(srgb_to_linear(shady[: len(picture) // 2]) * 0.3)
    for seen, veiled in ((picture, False), (inky, False), (shady, False), (foggy(picture), True)):
        found = find_fiducials(seen)
        assert found is not None
        assert is_veiled(seen, found) is veiled


@pytest.mark.parametrize(("share", "veiled"), [(0.2, False), (0.5, True)])
def test_fog_over_burnt_out_paper_must_be_thicker(share: float, *, veiled: bool) -> None:
    """How much whiter the white was is unknown: a bright picture's ink is grey too."""
    picture = foggy(drawn_tray([("red", 0, 0)]), share)
    picture[picture > 190] = 255
    found = find_fiducials(picture)
    assert found is not None
    assert is_veiled(picture, found) is veiled


def test_a_card_over_the_patches_takes_no_colour() -> None:
    picture = drawn_tray([("red", 0, 0)])
    picture[:, 780:830] = (200, 205, 210)
    found = find_fiducials(picture)
    assert found is not None
    white = light_of_mat(picture, found)
    assert white is not None
    assert not is_faded(picture, found, white)


@pytest.mark.parametrize("plastic", ["clear", "black"])
@pytest.mark.parametrize("mat", [True, False])
def test_a_cube_that_the_pictures_edge_cuts_is_asked_about(plastic: Plastic, *, mat: bool) -> None:
    """The tray's outline then seems to end where the picture does: the count without that cube looked
    sure."""
    options = Options(
        size_px=(960, 720), mat=mat, plastic=plastic, tray="square", light="daylight", plain=True
    )
    picture, label = StagedTable(14, options).render_thrown({"red": 3, "blue": 3, "yellow": 3}, 8)
    assert isinstance(label["cubes"], list)
    rightmost = max(round(cube["centre"][0]) for cube in label["cubes"])
    assert Doubt.TRAY_CUT in TrayReader().read(np.ascontiguousarray(picture[:, :rightmost])).doubts


def swap_red_and_blue(picture: Picture) -> Picture:
    return np.ascontiguousarray(picture[:, :, ::-1])


def printed_without_colour(picture: Picture) -> Picture:
    """The mat as printed by a black-only printer; tray and cubes stay as they are."""
    printed, found = picture.copy(), find_fiducials(picture)
    assert found is not None
    light = light_of_mat(picture, found)
    assert light is not None
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[:, :, None] * light.white_bgr / np.mean(light.white_bgr)
    for patch in PATCHES:
        half = PATCH_MM / 2 + 1
        square = np.array(patch.centre_mm) + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        where = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillConvexPoly(where, np.round(project(square, found.to_px)).astype(np.int32), 1)
        printed[where > 0] = grey[where > 0]
    return printed


def test_a_mat_that_was_printed_without_colour_is_no_camera_that_loses_it(thrown: Picture) -> None:
    """From a black-only printer: its owner used to be asked about colours at every throw."""
    reading = TrayReader().read(printed_without_colour(thrown))
    assert reading.certain
    assert reading.counts == TrayReader().read(thrown).counts


@pytest.mark.parametrize("spoil", [faded, swap_red_and_blue], ids=["lost", "exchanged"])
def test_on_such_a_mat_the_cubes_tell_of_colours(spoil: Callable[[Picture], Picture]) -> None:
    """Both lost and swapped colours."""
    rows = zip((-40, 0, 40), ("red", "blue", "yellow"), strict=True)
    cubes = [(colour, x, y) for y, colour in rows for x in (-30, 30)]
    picture = spoil(printed_without_colour(drawn_tray(cubes)))
    assert Doubt.FALSE_COLOURS in TrayReader().read(picture).doubts
