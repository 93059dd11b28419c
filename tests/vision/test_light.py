"""The light of one picture: from paper, from grey if the paper is clipped, without either, and from cubes."""

import numpy as np
import pytest

from tests.vision.mat_picture import mat_picture
from vision.comparing.relight import average_looks, cap_presences, correct_light, estimate_light
from vision.finding.candidates import Candidate
from vision.palette import SHOGUN, SHOGUN_SRGB
from vision.pictures import Picture
from vision.scene.fiducials import find_fiducials
from vision.scene.light import (
    PAPER_LEVEL,
    Light,
    guess_light,
    light_of_mat,
    linear_to_srgb,
    srgb_to_linear,
    whiten,
)


def _expose(picture: Picture, gain: float) -> Picture:
    """The picture as a camera stores it that lets in `gain` times the light."""
    return np.asarray(np.round(linear_to_srgb(srgb_to_linear(picture) * gain)), np.uint8)


def test_of_burnt_out_paper_the_grey_patches_tell_how_bright_it_is() -> None:
    """Clipped paper is at least that bright; twice the light makes the grey patch twice as bright."""
    picture = _expose(mat_picture(light=(1, 1, 1)), 2.0)
    fiducials = find_fiducials(picture)
    assert fiducials is not None
    light = light_of_mat(picture, fiducials)
    assert light is not None
    assert light.linear == pytest.approx([2.0] * 3, rel=0.1)


def test_paper_that_is_not_burnt_out_is_believed_before_the_patches() -> None:
    """A printer's grey is not exactly as specified; its paper is white."""
    picture = mat_picture(light=(0.7, 0.8, 0.9))
    fiducials = find_fiducials(picture)
    assert fiducials is not None
    light = light_of_mat(picture, fiducials)
    assert light is not None
    assert np.array(light.white_bgr) == pytest.approx(np.array([175, 200, 225]), abs=3)


def test_a_card_on_the_grey_patches_is_not_taken_for_them() -> None:
    """An orange card would make white blue."""
    picture = _expose(mat_picture(light=(1, 1, 1)), 1.6)
    picture[:, 790:830][picture[:, 790:830].max(axis=2) < 235] = (30, 120, 230)
    fiducials = find_fiducials(picture)
    assert fiducials is not None
    light = light_of_mat(picture, fiducials)
    assert light is not None
    assert np.ptp(light.white_bgr) < 3


def test_a_wooden_table_is_not_taken_for_a_warm_lamp() -> None:
    """Without paper wood cannot be told from light; cameras balance white by themselves."""
    wood = np.full((240, 320, 3), (70, 120, 170), np.uint8)
    assert np.ptp(guess_light(wood).white_bgr) == 0


def test_a_dim_picture_without_paper_is_made_brighter_but_not_white() -> None:
    """Its brightest part may be a dark table in good light."""
    dim = np.full((240, 320, 3), 60, np.uint8)
    after = int(whiten(dim, guess_light(dim))[0, 0, 0])
    assert 60 < after < 200


@pytest.mark.parametrize("truth", [(0.9, 0.8, 0.7), (0.35, 0.3, 0.3), (2.2, 2.0, 2.4)])
def test_cubes_of_known_dyes_tell_the_light_where_there_is_no_paper(truth: tuple[float, ...]) -> None:
    """A guess that is one stop off comes within 0.4 of a stop."""
    floor, cubes = _floor(("red", "yellow", "blue", "green"), truth)
    guess = Light.of_linear((0.7, 0.7, 0.7), measured=False)
    light = estimate_light(floor, cubes, SHOGUN, guess) or guess
    off = np.abs(np.log2(light.linear / np.array(truth)))
    assert off.mean() < 0.4
    assert off.mean() <= np.abs(np.log2(guess.linear / np.array(truth))).mean() + 0.01


def test_a_white_that_fits_the_cubes_costs_no_second_look() -> None:
    """Neither for a right guess, nor for paper that a faded cube contradicts a little."""
    floor, cubes = _floor(("red", "yellow", "blue"), (0.8, 0.8, 0.8))
    assert estimate_light(floor, cubes, SHOGUN, Light.of_linear((0.78, 0.82, 0.8), measured=False)) is None
    assert estimate_light(floor, cubes, SHOGUN, Light.of_linear((0.6, 0.6, 0.6), measured=True)) is None


def test_dyes_that_nobody_knows_say_nothing() -> None:
    """Pink of another game may be any pink."""
    light = Light.of_linear((0.5, 0.6, 0.7), measured=False)
    assert correct_light({"pink": (np.array([0.4, 0.3, 0.9]), 5)}, light).linear == pytest.approx(
        light.linear
    )


def test_another_light_does_not_make_a_doubtful_cube_certain() -> None:
    """dev-047: a shadow on a green cloth was a black cube with 76 % at first, then with 99 %."""
    first, second = (np.full((10, 2, 2), logit, np.float32) for logit in (1.0, 6.0))
    assert float(average_looks(first, second)[0].max()) <= 2.0
    assert float(average_looks(second, first)[0].max()) == 3.5


def test_what_was_doubtful_in_the_first_light_stays_so() -> None:
    """dev-047 again: the doubt came from the palette's own look at the shadow, not from the network's."""
    shares = (0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    first, second = (Candidate((50.0, 50.0), 20.0, presence, shares) for presence in (0.76, 0.99))
    elsewhere = Candidate((90.0, 50.0), 20.0, 0.99, shares)
    assert [c.presence for c in cap_presences([second, elsewhere], [first])] == [0.76, 0.99]


def _floor(colours: tuple[str, ...], white: tuple[float, ...]) -> tuple[Picture, list[Candidate]]:
    """Return a grey floor stored under a light with a cube of each colour, and their candidates."""
    floor = np.full((96, 64 * len(colours), 3), 60, np.uint8)
    cubes = []
    for index, colour in enumerate(colours):
        dye = srgb_to_linear(np.array(SHOGUN_SRGB[colour][::-1])) / srgb_to_linear(PAPER_LEVEL)
        x = 32 + 64 * index
        floor[38:58, x - 10 : x + 10] = np.round(linear_to_srgb(dye * np.array(white)))
        shares = tuple(float(c == colour) for c in SHOGUN.colours)
        cubes.append(Candidate((float(x), 48.0), 20.0, 0.95, shares))
    return floor, cubes
