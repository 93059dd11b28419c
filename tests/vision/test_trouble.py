"""What is wrong with a camera's picture, judged from the picture alone."""

import numpy as np
import pytest

from tests.vision.mat_picture import cover_patch, mat_picture
from vision.pictures import Picture
from vision.scene.trouble import Trouble, has_swapped_channels, is_mirrored, picture_trouble


def noisy(level: int) -> Picture:
    return np.random.default_rng(7).integers(0, level, (480, 640, 3), dtype=np.uint8)


@pytest.mark.parametrize(
    ("picture", "trouble"),
    [
        (np.zeros((480, 640, 3), np.uint8), Trouble.LENS_CAP),
        (noisy(10), Trouble.LENS_CAP),
        (np.full((480, 640, 3), 255, np.uint8), Trouble.BURNT_OUT),
        (np.repeat(noisy(255)[:, :, :1], 3, axis=2), Trouble.NO_COLOUR),
        (mat_picture()[:, ::-1].copy(), Trouble.MIRRORED),
        (mat_picture(), None),
    ],
    ids=["black", "black with noise", "white", "grey", "mirrored", "mat"],
)
def test_each_trouble_is_named(picture: Picture, trouble: Trouble | None) -> None:
    """Lens cap, burnt out, night mode, mirror; and a good picture has no trouble."""
    assert picture_trouble(picture) is trouble


def test_one_cube_shows_that_the_camera_has_colours() -> None:
    """On a grey table nothing else has a colour; it was taken for night mode."""
    picture = np.repeat(noisy(255)[:, :, :1] // 2 + 60, 3, axis=2)
    assert picture_trouble(picture) is Trouble.NO_COLOUR
    picture[200:226, 300:326] = (40, 50, 180)
    assert picture_trouble(picture) is None


@pytest.mark.parametrize("quarter_turns", [0, 1, 2, 3])
def test_a_turned_picture_is_not_mirrored(quarter_turns: int) -> None:
    """A camera on the other side of the table rotates the picture; only a mirror changes handedness."""
    turned = np.ascontiguousarray(np.rot90(mat_picture(), quarter_turns))
    assert not is_mirrored(turned)
    assert is_mirrored(np.ascontiguousarray(turned[:, ::-1]))


@pytest.mark.parametrize("marker", range(4))
def test_one_marker_is_enough_to_tell_a_mirror_and_swapped_channels(marker: int) -> None:
    """The others are covered, or outside the picture."""
    picture = mat_picture(hidden_markers=tuple({0, 1, 2, 3} - {marker}))
    assert picture_trouble(picture) is None
    assert picture_trouble(np.ascontiguousarray(picture[:, ::-1])) is Trouble.MIRRORED
    assert picture_trouble(np.ascontiguousarray(picture[:, :, ::-1])) is Trouble.CHANNELS_SWAPPED


def test_a_marker_that_is_misread_in_a_mirror_image_hides_no_mirror() -> None:
    """One was found, but three are in the mirror image."""
    mirrored = np.ascontiguousarray(mat_picture(hidden_markers=(0,))[:, ::-1])
    assert picture_trouble(mirrored, 1) is Trouble.MIRRORED


@pytest.mark.parametrize("light", [(0.8, 0.9, 0.94), (1.0, 0.7, 0.5), (0.4, 0.7, 1.0)])
def test_swapped_channels_are_told_from_coloured_light(light: tuple[float, float, float]) -> None:
    """A driver that delivers red first: patch colours that no lamp could cause."""
    picture = mat_picture(light=light)
    assert picture_trouble(picture, 4) is None
    swapped = np.ascontiguousarray(picture[:, :, ::-1])
    assert picture_trouble(swapped, 4) is Trouble.CHANNELS_SWAPPED


@pytest.mark.parametrize(("height", "shown"), [(400, True), (315, True), (280, False)])
def test_patches_in_view_are_enough_to_tell_swapped_channels(height: int, *, shown: bool) -> None:
    """The blue one is out of the picture, or the yellow one too; with all of them out there is no
    evidence."""
    picture = np.ascontiguousarray(mat_picture()[:height])
    assert not has_swapped_channels(picture)
    assert has_swapped_channels(np.ascontiguousarray(picture[:, :, ::-1])) is shown


@pytest.mark.parametrize("covered", ["red", "yellow", "blue"])
def test_a_covered_patch_hides_no_swapped_channels(covered: str) -> None:
    """Skin over the blue one, a blue card over a warm one."""
    skin, card = (90, 130, 190), (180, 90, 30)
    picture = mat_picture()
    cover_patch(picture, covered, skin if covered == "blue" else card)
    assert not has_swapped_channels(picture)
    assert has_swapped_channels(np.ascontiguousarray(picture[:, :, ::-1]))


def test_each_trouble_has_a_sentence_and_a_remedy() -> None:
    """For the page and for `tenshu doctor`."""
    assert all(t.sentence.endswith(".") and t.remedy.endswith(".") for t in Trouble)
