"""From the network's cells to candidates: what lies under, who names colours, what they tell of the light."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.cells import Cells, blank, middle, put
from vision.comparing.relight import cap_presences, estimate_light
from vision.finding.candidates import Candidate, adjust_black_cubes, find_candidates, peaks_inside
from vision.finding.detector import COLOURS, Detection, decode
from vision.palette import SHOGUN, SHOGUN_SRGB, Palette
from vision.pictures import Picture
from vision.scene.light import Light

AT = (10, 10)
UNDER = 0.88
"""Probability that something lies under a cube, in tests that say so."""
PURPLE = SHOGUN_SRGB["purple"]
TAUGHT: Mapping[str, tuple[int, int, int]] = {"pink": (230, 120, 160), "teal": (20, 130, 130)}


def _floor(cells: Cells, srgb: tuple[int, int, int] = (235, 235, 235)) -> Picture:
    """A floor of one colour; what lies on it is in the cells alone."""
    rows, columns = cells.shape[1:]
    return np.full((4 * rows, 4 * columns, 3), srgb[::-1], np.uint8)


def _find_on_floor(
    cells: Cells, palette: Palette, srgb: tuple[int, int, int] = (235, 235, 235)
) -> list[Candidate]:
    return find_candidates(_floor(cells, srgb), palette, decode(cells))


def _find_over_green(cells: Cells, palette: Palette) -> list[Candidate]:
    """Candidates when a closer look reports a green cube under the surest peak."""
    shares = tuple(float(colour == "green") for colour in COLOURS)
    upper, *others = decode(cells)
    detections: list[Detection] = [replace(upper, under=UNDER, under_shares=shares), *others]
    return find_candidates(_floor(cells), palette, detections)


def _likeliest_colour(candidate: Candidate, palette: Palette) -> str:
    return palette.colours[candidate.colour_index]


def test_the_usual_palette_leaves_colours_to_the_network() -> None:
    """Given a red so faded that its pixels look purple."""
    cells = blank()
    put(cells, AT, 4.0, "red", sure=1.0)
    [cube] = _find_on_floor(cells, SHOGUN, PURPLE)
    assert _likeliest_colour(cube, SHOGUN) == "red"


def test_taught_colours_of_the_same_names_have_a_say() -> None:
    cells = blank()
    put(cells, AT, 4.0, "red", sure=1.0)
    taught = Palette.of_colours(SHOGUN_SRGB)
    [cube] = _find_on_floor(cells, taught, PURPLE)
    assert _likeliest_colour(cube, taught) == "purple"


WITHOUT_BLACK = Palette.of_colours({c: rgb for c, rgb in SHOGUN_SRGB.items() if c != "black"})


def test_a_top_that_mirrors_a_lamp_is_left_to_the_network() -> None:
    """Given a top that looks greenish from what it mirrors."""
    taught = Palette.of_colours(SHOGUN_SRGB)
    cells = blank()
    put(cells, AT, 4.0, "red", sure=1.0)
    white, usual = (_find_on_floor(cells, palette, (160, 235, 165))[0] for palette in (taught, SHOGUN))
    assert white.shares == pytest.approx(usual.shares)
    dull = _find_on_floor(cells, taught, (80, 118, 85))[0]
    assert dull.shares != pytest.approx(usual.shares)


def test_a_cube_of_a_colour_that_was_not_taught_is_not_counted_as_another() -> None:
    """Black often cannot be taught in a dark tray: black cubes were confidently counted as purple ones."""
    cells = blank()
    put(cells, AT, 6.0, "black")
    [cube] = _find_on_floor(cells, WITHOUT_BLACK, SHOGUN_SRGB["black"])
    assert cube.presence < 0.1


@pytest.mark.parametrize("colour", WITHOUT_BLACK.colours)
def test_taught_cubes_count_whole_where_other_colours_were_not_taught(colour: str) -> None:
    """If the network takes one for black it is still counted, since it looks as it was taught."""
    cells = blank()
    put(cells, AT, 6.0, colour)
    [cube] = _find_on_floor(cells, WITHOUT_BLACK, SHOGUN_SRGB[colour])
    assert cube.presence > 0.99
    put(cells, AT, 6.0, "black", sure=7.0)
    [cube] = _find_on_floor(cells, WITHOUT_BLACK, SHOGUN_SRGB[colour])
    assert cube.presence > 0.5
    assert _likeliest_colour(cube, WITHOUT_BLACK) == colour


def test_colours_that_the_network_does_not_know_are_named_by_the_palette_alone() -> None:
    cells = blank()
    put(cells, AT, 4.0, "red")
    taught = Palette.of_colours(TAUGHT)
    [cube] = _find_on_floor(cells, taught, TAUGHT["teal"])
    assert _likeliest_colour(cube, taught) == "teal"


def test_what_lies_under_has_the_place_of_the_upper_one_and_its_own_colour() -> None:
    cells = blank()
    put(cells, AT, 4.0, "red")
    upper, lower = _find_over_green(cells, SHOGUN)
    assert (upper.under, _likeliest_colour(upper, SHOGUN)) == (False, "red")
    assert (lower.under, _likeliest_colour(lower, SHOGUN)) == (True, "green")
    assert lower.centre_px == upper.centre_px == middle(AT)
    assert lower.presence == pytest.approx(upper.presence * UNDER, rel=0.01)


def test_of_a_lower_cube_in_colours_the_network_does_not_know_no_colour_is_likelier() -> None:
    cells = blank()
    put(cells, AT, 4.0, "red")
    _, lower = _find_over_green(cells, Palette.of_colours(TAUGHT))
    assert lower.shares == pytest.approx((0.5, 0.5))


def test_a_cube_found_beside_is_not_counted_again_as_what_lies_under() -> None:
    """12 px apart, 0.6 of an edge: too far for one cube seen twice, near enough for the one below."""
    cells = blank()
    put(cells, AT, 4.0, "red")
    [alone] = [candidate for candidate in _find_over_green(cells, SHOGUN) if candidate.under]
    put(cells, (AT[0], AT[1] + 3), 3.5, "green")
    [lower] = [candidate for candidate in _find_over_green(cells, SHOGUN) if candidate.under]
    assert lower.presence < 0.1 * alone.presence
    put(cells, (AT[0], AT[1] + 3), 3.5, "blue", sure=12.0)
    [beside_blue] = [candidate for candidate in _find_over_green(cells, SHOGUN) if candidate.under]
    assert beside_blue.presence == pytest.approx(alone.presence, rel=0.05)


def test_outside_the_tray_nothing_is_a_candidate() -> None:
    cells = blank()
    put(cells, AT, 4.0, "red")
    nowhere = np.zeros(_floor(cells).shape[:2], np.uint8)
    assert peaks_inside(decode(cells), nowhere) == []
    assert peaks_inside(decode(cells), nowhere + 1) == decode(cells)


def _cube(colour: str, presence: float, *, under: bool = False) -> Candidate:
    shares = tuple(float(name == colour) for name in SHOGUN.colours)
    return Candidate((40.0, 40.0), 20.0, presence, shares, under)


def test_a_cube_that_lies_under_another_tells_nothing_of_the_light() -> None:
    """Its place shows the upper one: a blue top would be taken for that of a dark yellow cube."""
    stored = _floor(blank(), SHOGUN_SRGB["blue"])
    light = Light.of_linear(np.ones(3), measured=False)
    assert estimate_light(stored, [_cube("yellow", 0.9)], SHOGUN, light) is not None
    assert estimate_light(stored, [_cube("yellow", 0.9, under=True)], SHOGUN, light) is None


def test_a_doubt_of_the_first_light_stays_and_a_lower_cube_has_none_for_its_upper() -> None:
    found = [_cube("red", 0.99), _cube("green", 0.9, under=True)]
    before = [_cube("red", 0.8), _cube("green", 0.6, under=True)]
    assert [cube.presence for cube in cap_presences(found, before)] == [0.8, 0.6]


def test_black_cubes_that_are_sure_vouch_for_one_in_doubt_and_other_colours_do_not() -> None:
    def candidate(colour: str, presence: float) -> Candidate:
        return Candidate((50.0, 50.0), 20.0, presence, tuple(float(c == colour) for c in SHOGUN.colours))

    for colour, sign in (("black", 1), ("red", 0)):
        doubted = [
            adjust_black_cubes([candidate(colour, 0.99)] * n + [candidate(colour, 0.4)], SHOGUN)[-1].presence
            for n in (0, 1, 4, 9)
        ]
        assert (np.sign(np.diff(doubted)) == sign).all()
    [alone] = adjust_black_cubes([candidate("black", 0.4)], SHOGUN)
    assert alone.presence > 0.4, "shadows were taken out before"
    [among_reds] = adjust_black_cubes([candidate("red", 0.99)] * 9 + [candidate("black", 0.4)], SHOGUN)[-1:]
    assert among_reds == alone
    assert adjust_black_cubes([replace(candidate("black", 0.4), under=True)], SHOGUN)[0].presence == 0.4
