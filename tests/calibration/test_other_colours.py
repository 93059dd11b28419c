"""Cubes of other colours than Shogun's, taught and read on rendered tables with the mat."""

from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest

from calibration.profiles.learn import learn
from calibration.profiles.taught import reader_of
from calibration.synth import Options
from calibration.synth.scene import COLOURS
from calibration.synth.staged import StagedTable
from calibration.synth.throws import THROWS
from vision.palette import Palette
from vision.reader import TrayReader
from vision.reading import Doubt
from vision.scene.rectify import rectify
from vision.settling.voting import vote

Colours = Mapping[str, tuple[int, int, int]]
OF_ONE_HUE: Colours = {
    "wood": (205, 165, 115),
    "pink": (235, 130, 170),
    "cyan": (60, 185, 205),
    "brown": (100, 60, 35),
    "grey": (130, 130, 130),
}
WITH_WHITE: Colours = {
    "white": (240, 240, 235),
    "black": (30, 30, 32),
    "red": COLOURS["red"],
    "orange": (235, 120, 25),
    **{colour: COLOURS[colour] for colour in ("yellow", "green", "blue", "purple")},
}
NAMED = {"of one hue": OF_ONE_HUE, "with white": WITH_WHITE}


STRAY: Colours = {colour: COLOURS[colour] for colour in ("blue", "green")}


@cache
def calibrated(seed: int, name: str) -> tuple[StagedTable, TrayReader]:
    """Return a table that has stray cubes too, and its reader, which was taught all others."""
    table = StagedTable(seed, Options((960, 720), mat=True, colours={**NAMED[name], **STRAY}, throws=THROWS))
    flat = rectify(empty := table.render_empty())
    assert flat is not None
    cubes = {colour: [table.render_apart(colour, 5)[0]] for colour in NAMED[name]}
    profile = learn(empty, flat.tray, cubes, name="other", made="", cube_mm=table.scene.cube_mm)
    return table, reader_of(profile)


@pytest.mark.parametrize("throw", [0, 2])
def test_colours_of_one_hue_are_told_by_how_bright_they_are(throw: int) -> None:
    """Brown was named wood, since wood in shadow may be as dark; on this one table no wood is."""
    table, reader = calibrated(903, "of one hue")
    chance = np.random.default_rng(throw)
    picture, label = table.render_thrown({c: int(chance.integers(1, 5)) for c in OF_ONE_HUE}, throw)
    reading = reader.read(picture)
    assert {**dict.fromkeys(STRAY, 0), **reading.counts} == label["visible_counts"]
    assert reading.certain


def test_cubes_that_look_as_the_floor_does_are_asked_about() -> None:
    """White cubes on the mat's white, seen through a clear tray; on a slightly darker floor they show."""
    few = {"white": 3, "red": 1}
    for seed, asks in ((5304, True), (903, False)):
        table, reader = calibrated(seed, "with white")
        reading = reader.read(table.render_thrown(few, 1)[0])
        assert (Doubt.LIKE_FLOOR in reading.doubts) is asks, seed
        assert vote([reading, reading]).certain is not asks, seed


def test_tops_of_one_table_are_told_more_surely_than_colours_in_general() -> None:
    """Two browns that differ only like light and shadow are told apart; what lies between stays in doubt."""
    tones = {"light": (150, 100, 65), "dark": (105, 68, 43)}
    taught = Palette.of_samples({name: np.tile(tone, (40, 1)) for name, tone in tones.items()})
    general = Palette.of_colours(tones)
    dark = np.full((30, 3), tones["dark"][::-1], np.uint8)
    between = np.full((30, 3), (53, 83, 126), np.uint8)
    assert taught.shares(dark)[1] > 0.99 > general.shares(dark)[1]
    assert max(taught.shares(between)) < 0.9
    assert taught.shares(between[:0]).tolist() == [0.5, 0.5]


def test_a_colour_whose_cubes_differ_is_taken_for_itself_where_an_even_one_is_not() -> None:
    """Bare wood, which varies from cube to cube, beside paint."""
    paint = np.tile((150, 100, 65), (40, 1))
    even = np.tile((200, 160, 115), (40, 1))
    uneven = np.array([(200 + way, 160 + way, 115 + way) for way in range(-40, 40, 2)])
    darker = np.full((30, 3), (85, 125, 168), np.uint8)
    paint_shares = [
        Palette.of_samples({"paint": paint, "wood": wood}).shares(darker)[1] for wood in (even, uneven)
    ]
    assert paint_shares[1] > 0.75 > paint_shares[0]


def test_a_top_that_looks_as_no_taught_one_does_is_hardly_sure() -> None:
    """It may reflect a lamp; being nearer to one of the colours then says little."""
    tones = {"red": (180, 40, 40), "blue": (40, 80, 170)}
    taught = Palette.of_samples({name: np.tile(tone, (40, 1)) for name, tone in tones.items()})
    assert max(taught.shares(np.full((30, 3), (190, 200, 190), np.uint8))) < 0.9


@pytest.mark.parametrize("stray", STRAY)
def test_a_stray_cube_of_a_colour_that_was_not_taught_is_asked_about(stray: str) -> None:
    table, reader = calibrated(903, "of one hue")
    own = dict.fromkeys(OF_ONE_HUE, 1)
    alone, among = (reader.read(table.render_thrown({**own, stray: strays}, 4)[0]) for strays in (0, 1))
    assert alone.certain
    assert Doubt.UNTAUGHT_COLOUR in among.doubts
    assert vote([among, among]).certain is False


def test_only_a_top_that_is_far_from_all_taught_ones_is_of_a_colour_that_was_not_taught() -> None:
    tones = {"wood": (205, 165, 115), "brown": (100, 60, 35), "cyan": (60, 185, 205)}
    taught = Palette.of_samples({name: np.tile(tone, (40, 1)) for name, tone in tones.items()})
    for wood in ((205, 165, 115), (180, 144, 100), (210, 170, 122)):  # shaded, and slightly another
        assert taught.untaught(np.full((30, 3), wood[::-1], np.uint8)) < 0.001
    for other in (*STRAY.values(), (235, 120, 25), (40, 38, 37)):
        assert taught.untaught(np.full((30, 3), other[::-1], np.uint8)) > 0.6
    assert taught.untaught(np.empty((0, 3), np.uint8)) == 0
    assert Palette.of_colours(tones).untaught(np.full((30, 3), 130, np.uint8)) == 0
