"""A tray lined in one of the game's colours: cubes of it may lie there unnoticed."""

import pytest

from calibration.profiles.glance import glance
from calibration.synth import Options
from calibration.synth.scene import COLOURS
from calibration.synth.staged import StagedTable
from calibration.synth.throws import THROWS
from tests.calibration.moves import lined
from vision.doubting.floor import colours_of, shows_table
from vision.palette import SHOGUN
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.reading import Doubt
from vision.scene.rectify import KnownTable, rectify

BLUE, GREY = (35, 80, 160), (128, 128, 128)
OPTIONS = Options((960, 720), mat=True, plastic="black", tray="square", throws=THROWS)


def table(seed: int, lining: tuple[int, int, int]) -> StagedTable:
    return StagedTable(seed, OPTIONS).with_scene_change(lambda scene: lined(scene, lining))


def thrown(seed: int, lining: tuple[int, int, int], **counts: int) -> Picture:
    return table(seed, lining).render_thrown(counts, 1)[0]


@pytest.mark.parametrize("seed", [3100005, 3200016, 3200018])
def test_cubes_that_look_like_the_floor_are_asked_about(seed: int) -> None:
    """Three of four blue cubes on blue felt were overlooked in sure readings."""
    reading = TrayReader().read(thrown(seed, BLUE, red=2, blue=3))
    assert Doubt.LIKE_FLOOR in reading.doubts
    assert not reading.certain
    grey, label = table(seed, GREY).render_thrown({"red": 2, "blue": 3}, 1)
    on_grey = TrayReader().read(grey)
    assert (on_grey.certain, on_grey.counts) == (True, label["visible_counts"])


def test_of_a_tray_that_fills_the_picture_nothing_is_known_of_the_table() -> None:
    """The calibration crashed at its test throw, and the page waited for ever."""
    render_empty = table(3100002, GREY).render_empty()
    flat = rectify(render_empty)
    assert flat is not None
    of_one_pixel = KnownTable(flat.tray, flat.light, (1, 1), render_empty)
    assert not shows_table(of_one_pixel)


def test_none_is_asked_about_where_no_more_of_that_colour_can_lie_there() -> None:
    """The tower's ledger knows that none is inside and none was thrown."""
    picture = thrown(3100005, BLUE, red=2, yellow=1)
    without_blue = {"red": 3, "yellow": 3}
    assert Doubt.LIKE_FLOOR in TrayReader().read(picture).doubts
    assert Doubt.LIKE_FLOOR in TrayReader().read(picture, {**without_blue, "blue": 1}).doubts
    with_ledger = TrayReader().read(picture, without_blue)
    assert (with_ledger.certain, with_ledger.counts["red"], with_ledger.counts["yellow"]) == (True, 2, 1)


@pytest.mark.parametrize("srgb", [GREY, (235, 235, 230), (110, 75, 45), (190, 150, 110), (22, 22, 24)])
def test_other_floors_are_no_cubes(srgb: tuple[int, int, int]) -> None:
    for seed in (3100002, 3100004):
        assert (
            Doubt.LIKE_FLOOR not in TrayReader().read(thrown(seed, srgb, **dict.fromkeys(COLOURS, 1))).doubts
        )


def test_where_the_light_is_a_guess_a_floor_must_look_more_like_a_dye() -> None:
    """Cloth under a bulb may be any colour; if it looks just like a dye it is asked about anyway."""
    for srgb, guessed in (((60, 85, 150), ("blue",)), ((100, 105, 135), ())):
        flat = rectify(table(3100005, srgb).render_empty())
        assert flat is not None
        assert colours_of(flat, SHOGUN, lit=True) == ("blue",)
        assert colours_of(flat, SHOGUN, lit=False) == guessed


def test_who_calibrates_sees_at_a_glance_that_the_floor_hides_cubes() -> None:
    assert glance(table(3100005, BLUE).render_empty()).like_floor
    assert not glance(table(3100005, GREY).render_empty()).like_floor
