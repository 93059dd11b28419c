"""What no candidate tells of lowers what is believed: heaps, glare, dark floors; a ledger excuses colours."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.drawn_tray import drawn_tray
from vision.doubting.alike import lost_on_floor
from vision.doubting.doubts import find_doubts
from vision.doubting.unseen import Scene, scene_of, unseen_odds
from vision.finding.candidates import Candidate
from vision.palette import SHOGUN, Palette
from vision.reading import Doubt
from vision.scene.change import Change
from vision.scene.rectify import Rectified, rectify

BLACK = SHOGUN.colours.index("black")
PLACES = tuple((x, y) for y in (-40, 40) for x in (-40, -20, 0, 20, 40))


def candidate(x: float, y: float, colour: int = 0) -> Candidate:
    """At millimetres from the tray's centre."""
    shares = [0.0] * 6
    shares[colour] = 1.0
    return Candidate((223.5 + 2.5 * x, 223.5 + 2.5 * y), 20.0, 0.99, tuple(shares))


def tray(grey: int, levels: tuple[int, ...] = ()) -> Rectified:
    """A floor of this grey, and faces of these levels at `PLACES`."""
    flat = rectify(drawn_tray([], tray_grey=grey))
    assert flat is not None
    image = flat.image.copy()
    for (x, y), level in zip(PLACES, levels, strict=False):
        across, down = round(223.5 + 2.5 * x), round(223.5 + 2.5 * y)
        image[down - 10 : down + 10, across - 10 : across + 10] = level
    return replace(flat, image=image)


def blacks(number: int) -> list[Candidate]:
    return [candidate(x, y, BLACK) for x, y in PLACES[:number]]


def test_heaps_hide_more_than_single_cubes_and_dark_floors_more_than_light_ones() -> None:
    apart = [candidate(-40, 0), candidate(40, 0)]
    heap = [candidate(0, 0), candidate(8, 0), candidate(0, 8)]
    assert unseen_odds(heap, SHOGUN, Scene())["red"] < unseen_odds(apart, SHOGUN, Scene())["red"] < 1
    assert unseen_odds(heap, SHOGUN, Scene(dark=True))["red"] < unseen_odds(heap, SHOGUN, Scene())["red"]


def test_black_faces_about_the_floors_level_tell_of_others_that_cannot_be_seen() -> None:
    floor = int(np.median(tray(40).image))
    clear, alike = (tray(40, tuple(floor + d for d in by)) for by in ((30,) * 5, (-3, 0, 3, -2, 2)))
    lost = [lost_on_floor(flat, blacks(5), SHOGUN) for flat in (clear, alike)]
    assert 0 < 2 * lost[0] < lost[1] < 0.2


def test_it_grows_with_the_black_cubes_that_are_seen() -> None:
    floor = int(np.median(tray(40).image))
    flat = tray(40, (floor + 4,) * 5)
    lost = [lost_on_floor(flat, blacks(n), SHOGUN) for n in range(6)]
    assert lost[0] == 0
    assert lost == sorted(lost)


def test_light_floors_and_known_ones_and_games_without_black_lose_none() -> None:
    without = Palette({name: SHOGUN.samples[name] for name in SHOGUN.colours if name != "black"})
    dark = tray(40)
    known = replace(dark, change=Change(dark.image, dark.image, np.zeros(3, np.float32)))
    assert lost_on_floor(tray(170), blacks(5), SHOGUN) == 0
    assert lost_on_floor(dark, blacks(5), without) == 0
    assert lost_on_floor(known, blacks(5), SHOGUN) == 0


def test_a_dark_tray_of_black_cubes_like_its_floor_is_asked_about_unless_all_are_there() -> None:
    floor = int(np.median(tray(40).image))
    flat, found = tray(40, (floor, floor + 2, floor - 2, floor + 1, floor) * 2), blacks(10)
    sure = unseen_odds(found, SHOGUN, scene_of(flat, found, SHOGUN))
    assert sure["black"] < 0.97
    assert Doubt.BLACK_ON_BLACK in find_doubts(flat, found, sure, SHOGUN)
    ledger = dict.fromkeys(SHOGUN.colours, 0) | {"black": 10}
    told = unseen_odds(found, SHOGUN, scene_of(flat, found, SHOGUN), ledger)
    assert told["black"] > 0.99
    assert Doubt.BLACK_ON_BLACK not in find_doubts(flat, found, {"black": 0.5}, SHOGUN, ledger)


def test_glare_is_shared_by_the_colours_that_are_seen() -> None:
    found = [candidate(-40, 0), candidate(40, 0), candidate(0, 40, 1)]
    clear, veiled = (unseen_odds(found, SHOGUN, Scene(glare=g)) for g in (0.0, 0.3))
    lost = {c: 1 - veiled[c] / clear[c] for c in SHOGUN.colours}
    assert lost["red"] == pytest.approx(1 - np.exp(-0.2))
    assert lost["blue"] == pytest.approx(1 - np.exp(-0.1))
    assert lost["green"] == 0


def test_what_lies_unseen_is_of_the_colours_that_the_ledger_still_has() -> None:
    """Glare hides half a cube; all red ones are in sight."""
    found = [candidate(-40, 0), candidate(0, 0), candidate(40, 0)]
    scene = Scene(glare=0.5)
    alone = unseen_odds(found, SHOGUN, scene)
    beside = unseen_odds(found, SHOGUN, scene, {"red": 3, "blue": 10, "black": 5})
    assert beside["red"] == beside["green"] == 1
    assert 1 > beside["black"] > beside["blue"]
    assert np.prod(list(beside.values())) == pytest.approx(np.prod(list(alone.values())))
    all_seen = unseen_odds(found, SHOGUN, scene, {"red": 3})
    assert 0.99 < np.prod(list(all_seen.values())) < 1
