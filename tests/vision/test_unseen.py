"""What no candidate shows lowers confidence: heaps, glare, dark floors; a ledger exempts colours."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.drawn_tray import drawn_tray
from vision.doubting.doubts import find_doubts
from vision.doubting.unseen import Scene, scene_of, unseen_odds
from vision.finding.candidates import Candidate
from vision.palette import SHOGUN
from vision.reading import Doubt
from vision.scene.rectify import Rectified, rectify

BLACK = SHOGUN.colours.index("black")
PLACES = tuple((x, y) for y in (-40, 40) for x in (-40, -20, 0, 20, 40))


def candidate(x: float, y: float, colour: int = 0) -> Candidate:
    """A candidate at millimetres from the tray's centre."""
    shares = [0.0] * 6
    shares[colour] = 1.0
    return Candidate((223.5 + 2.5 * x, 223.5 + 2.5 * y), 20.0, 0.99, tuple(shares))


def tray(grey: int) -> Rectified:
    """A tray whose floor has this grey."""
    flat = rectify(drawn_tray([], tray_grey=grey))
    assert flat is not None
    return flat


def blacks(number: int) -> list[Candidate]:
    return [candidate(x, y, BLACK) for x, y in PLACES[:number]]


def test_heaps_hide_more_than_single_cubes_and_dark_floors_more_than_light_ones() -> None:
    scattered = [candidate(-40, 0), candidate(40, 0)]
    heap = [candidate(0, 0), candidate(8, 0), candidate(0, 8)]
    assert unseen_odds(heap, SHOGUN, Scene())["red"] < unseen_odds(scattered, SHOGUN, Scene())["red"] < 1
    assert unseen_odds(heap, SHOGUN, Scene(dark=True))["red"] < unseen_odds(heap, SHOGUN, Scene())["red"]


def test_a_dark_tray_of_black_cubes_is_asked_about_where_grain_hides_more_unless_all_are_there() -> None:
    """With more grain than any camera produces by itself, and one black cube in it."""
    flat, found = tray(40), [*blacks(1), *(candidate(x, y) for x, y in PLACES[1:])]
    noise = np.random.default_rng(1).normal(0, 16, flat.image.shape[:2])
    flat = replace(flat, image=np.clip(flat.image + noise[:, :, None], 0, 255).astype(np.uint8))
    sure = unseen_odds(found, SHOGUN, scene_of(flat, found, SHOGUN))
    assert sure["black"] < 0.97
    assert Doubt.BLACK_ON_BLACK in find_doubts(flat, found, sure, SHOGUN)
    ledger = dict.fromkeys(SHOGUN.colours, 0) | {"black": 1, "red": 9}
    odds = unseen_odds(found, SHOGUN, scene_of(flat, found, SHOGUN), ledger)
    assert odds["black"] > 0.99
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
