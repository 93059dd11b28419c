"""A lamp in a cube's lacquer hides its dye: white tops are not surely black. One in the floor is no cube."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.drawn_tray import drawn_tray
from vision.comparing.mirrors import doubt_black, doubt_lamps
from vision.finding.candidates import Candidate
from vision.palette import SHOGUN, Palette
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.reading import Doubt
from vision.scene.light import linear_to_srgb, srgb_to_linear
from vision.scene.plane import project
from vision.scene.rectify import rectify

BLACK = SHOGUN.colours.index("black")


def cube(colour: str, sure: float, x: float = 50.0) -> Candidate:
    rest = (1 - sure) / (len(SHOGUN.colours) - 1)
    return Candidate((x, 50.0), 20.0, 0.99, tuple(sure if c == colour else rest for c in SHOGUN.colours))


def tops(*levels: int) -> Picture:
    """Draw faces of those levels, 60 pixels apart, on a grey floor."""
    image = np.full((100, 60 * len(levels) + 40, 3), 90, np.uint8)
    for number, level in enumerate(levels):
        image[40:61, 60 * number + 40 : 60 * number + 61] = level
    return image


def test_a_white_top_is_not_surely_black_and_a_dark_one_is() -> None:
    """Given two cubes that the networks name alike."""
    white, dark = doubt_black([cube("black", 0.999), cube("black", 0.999, 110.0)], tops(235, 50), SHOGUN)
    assert white.shares[BLACK] == pytest.approx(0.75)
    assert sum(white.shares) == pytest.approx(1)
    assert dark.shares[BLACK] == pytest.approx(0.999)
    assert (white.presence, white.centre_px) == (0.99, (50.0, 50.0))


def test_it_is_still_named_black_until_something_else_speaks() -> None:
    [white] = doubt_black([cube("black", 0.999)], tops(255), SHOGUN)
    assert white.colour_index == BLACK
    assert max(white.shares) < 0.97


def test_what_is_not_named_black_keeps_its_name() -> None:
    """Red sides under a white top stay red."""
    red = cube("red", 0.99)
    under = replace(cube("black", 0.99), under=True)
    assert doubt_black([red, under], tops(255), SHOGUN) == [red, under]


def test_a_palette_without_black_has_nothing_to_lose() -> None:
    two = Palette.of_colours({"red": (186, 57, 52), "blue": (54, 90, 146)})
    candidate = Candidate((50.0, 50.0), 20.0, 0.99, (0.9, 0.1))
    assert doubt_black([candidate], tops(255), two) == [candidate]


@given(level=st.integers(0, 255), lighter=st.integers(0, 80), sure=st.floats(0.2, 1.0))
def test_the_lighter_the_top_the_less_it_is_black(level: int, lighter: int, sure: float) -> None:
    """It is never surer than before, and never loses more than the maximum."""
    higher = min(255, level + lighter)
    darker_top, lighter_top = doubt_black(
        [cube("black", sure), cube("black", sure, 110.0)], tops(level, higher), SHOGUN
    )
    assert lighter_top.shares[BLACK] <= darker_top.shares[BLACK] <= sure
    assert darker_top.shares[BLACK] >= min(sure, 0.75) - 1e-9
    assert sum(lighter_top.shares) == pytest.approx(1)


def test_a_cube_beyond_the_picture_is_left_as_it_is() -> None:
    beyond = replace(cube("black", 0.99), centre_px=(-40.0, 50.0))
    assert doubt_black([beyond], tops(255), SHOGUN) == [beyond]


def test_other_black_cubes_do_not_make_it_sure_again() -> None:
    """Grey looks like grey: compared with each other a white top and black ones seem to have one dye."""
    flat = rectify(drawn_tray([]))
    assert flat is not None
    image = flat.image.copy()
    places = [(150.0, 150.0), (200.0, 150.0), (250.0, 150.0)]
    for (x, y), level in zip(places, (45, 50, 235), strict=True):
        image[int(y) - 10 : int(y) + 11, int(x) - 10 : int(x) + 11] = level
    cubes = [replace(cube("black", 0.999), centre_px=place, presence=0.9999) for place in places]
    reader = TrayReader()
    counted = reader._count(replace(flat, image=image), cubes, None)
    assert counted.sure["black"] < 0.97
    dark = reader._count(replace(flat, image=image), cubes[:2], None)
    assert dark.sure["black"] > 0.98


def in_the_floor(level: int, reach: float = 7.0) -> Picture:
    """A lamp mirrored in a dark floor: bright in the middle, fading outwards."""
    down, across = np.ogrid[0:100, 0:100]
    share = 1 / (1 + np.exp(np.hypot(across - 50, down - 50) - reach))
    return np.asarray(
        np.round(30 + (np.array([level, level - 10, level - 30]) - 30) * share[..., None]), np.uint8
    )


def with_side(image: Picture, side: tuple[int, int, int]) -> Picture:
    """Draw a cube's side, BGR, below that."""
    drawn = image.copy()
    drawn[53:70, 38:62] = side
    return drawn


@pytest.mark.parametrize("colour", ["blue", "yellow", "black"])
def test_what_shows_a_lamp_and_no_side_is_counted_and_asked_about(colour: str) -> None:
    """Lamps in dark plastic, seen by a camera balanced for a warm room, were surely blue cubes."""
    [candidate] = doubt_lamps([cube(colour, 0.999)], in_the_floor(255), SHOGUN)
    assert candidate.presence == pytest.approx(0.9)
    assert candidate.colour_index == SHOGUN.colours.index(colour)


def test_each_lamp_of_a_large_picture_is_told_by_the_floor_about_it() -> None:
    """Beside cubes with blue sides, near the edges of the picture and in its middle."""
    lamp, blue = in_the_floor(255), with_side(in_the_floor(255), (146, 70, 40))
    rows = [[lamp, blue, lamp], [blue, lamp, blue], [lamp, blue, lamp]]
    image = np.vstack([np.hstack(row) for row in rows])[30:, 30:]
    found = [
        replace(cube("blue", 0.999), presence=0.999, centre_px=(20.0 + 100 * x, 20.0 + 100 * y))
        for y in range(3)
        for x in range(3)
    ]
    doubted = doubt_lamps(found, image, SHOGUN)
    assert [candidate.presence < 0.95 for candidate in doubted] == [True, False] * 4 + [True]


@pytest.mark.parametrize(
    "image",
    [with_side(in_the_floor(255), (146, 70, 40)), with_side(in_the_floor(255), (8, 8, 8)), tops(90)],
    ids=["blue sides", "a dark side", "a top that mirrors nothing"],
)
def test_what_has_sides_or_mirrors_nothing_stays_as_sure_as_it_was(image: Picture) -> None:
    surely = replace(cube("blue", 0.999), presence=0.999)
    assert doubt_lamps([surely], image, SHOGUN) == [surely]


def test_doubted_places_lower_ones_and_white_cubes_stay_as_they_are() -> None:
    """White cubes look like that too, if they were taught."""
    doubted, under = replace(cube("blue", 0.9), presence=0.4), replace(cube("blue", 0.9), under=True)
    assert doubt_lamps([doubted, under], in_the_floor(255), SHOGUN) == [doubted, under]
    two = Palette.of_colours({"white": (230, 230, 225), "blue": (54, 90, 146)})
    white = Candidate((50.0, 50.0), 20.0, 0.999, (0.99, 0.01))
    assert doubt_lamps([white], in_the_floor(255), two) == [white]


def test_lamps_in_a_dark_floor_are_never_answered_as_cubes() -> None:
    """Given three cold lamps beside four cubes: the reading asks, and names the glare."""
    picture = drawn_tray(
        [("red", -40, -30), ("yellow", -20, 40), ("green", 30, -35), ("red", 45, 20)], tray_grey=25
    )
    flat = rectify(picture)
    assert flat is not None
    light = srgb_to_linear(picture)
    down, across = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]]
    for x, y in ((0.0, 0.0), (20.0, 5.0), (-45.0, 10.0)):
        middle, edge = project(np.array([(x, y), (x + 3.5, y)]), flat.tray.to_px)
        away = np.hypot(across - middle[0], down - middle[1]) / np.hypot(*(edge - middle))
        light += np.array([1.0, 0.8, 0.6]) / (1 + np.exp(np.clip((away - 1) * 12, -50, 50)))[..., None]
    reading = TrayReader().read(np.asarray(np.round(linear_to_srgb(light)), np.uint8))
    assert not reading.certain
    assert Doubt.GLARE in reading.doubts


def test_a_place_no_lighter_than_the_floor_is_no_lamp() -> None:
    surely = replace(cube("blue", 0.999), presence=0.999)
    assert doubt_lamps([surely], np.full((100, 100, 3), 200, np.uint8), SHOGUN) == [surely]
