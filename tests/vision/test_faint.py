"""Black cubes that hardly show in a dark tray: where they are searched for, and that a reading asks there."""

from typing import Any
from unittest import mock

import numpy as np
import numpy.typing as npt
import pytest

from calibration.synth import Options, render
from calibration.synth.throws import THROWS
from calibration.training.crops import crop_as_labelled
from tests.vision.cells import Cells, blank, middle, put
from vision import reader
from vision.finding.candidates import Candidate, adjust_black_cubes
from vision.finding.closer import LOWEST
from vision.finding.detector import COLOURS, Detection, decode, probability
from vision.finding.faint import FAINTEST, faint_places, is_faint
from vision.palette import SHOGUN
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.reading import NOTHING

AT, FAR = (10, 10), (10, 20)
FAINT = -5.0
"""Logit of a probability of 0.7 %."""
EVERYWHERE = np.ones((80, 120), np.uint8)
DIM = Options(throws=THROWS, plastic="black", light="dim", mat=True)


def _cells_with(logit: float = FAINT, colour: str = "black", at: tuple[int, int] = FAR) -> Cells:
    """Cells with a sure red cube and one other place."""
    cells = blank()
    put(cells, AT, 6.0, "red")
    put(cells, at, logit, colour)
    return cells


def _find_faint(cells: Cells, inside: npt.NDArray[np.uint8] = EVERYWHERE) -> list[Detection]:
    return faint_places(decode(cells, FAINTEST), decode(cells, LOWEST), inside)


def test_what_is_all_but_ruled_out_is_a_place() -> None:
    [place] = _find_faint(_cells_with())
    assert place.centre_px == middle(FAR)
    assert place.score == pytest.approx(float(probability(FAINT)))
    assert is_faint(place)


@pytest.mark.parametrize(
    "cells",
    [
        pytest.param(_cells_with(logit=-8.0), id="too faint"),
        pytest.param(_cells_with(logit=-3.0), id="a place in any tray"),
        pytest.param(_cells_with(colour="blue"), id="not black"),
        pytest.param(_cells_with(at=(10, 13)), id="at the red cube, 12 of 20 px off"),
    ],
)
def test_nothing_else_is(cells: Cells) -> None:
    assert _find_faint(cells) == []


def test_nor_what_lies_off_the_floor() -> None:
    inside = EVERYWHERE.copy()
    inside[:, 60:] = 0
    assert _find_faint(_cells_with(), inside) == []


def test_of_many_the_surest_are_looked_at() -> None:
    """Grain produces hundreds, and each takes time."""
    cells = blank(80, 120)
    logits = np.linspace(-6.5, -4.0, 24)
    for n, logit in enumerate(logits):
        put(cells, (8 + 20 * (n // 6), 8 + 18 * (n % 6)), float(logit), "black")
    places = _find_faint(cells, np.ones((320, 480), np.uint8))
    assert 0 < len(places) < 24
    assert [place.score for place in places] == pytest.approx(
        probability(logits[::-1][: len(places)]).tolist(), rel=1e-4
    )


def test_of_an_empty_tray_every_such_place_is_one() -> None:
    cells = blank()
    put(cells, FAR, FAINT, "black")
    assert len(_find_faint(cells)) == 1


def _presences_after_vouching(presences: list[float], others: int = 0, *, dark: bool = True) -> list[float]:
    """Presences of doubted places, after vouching, beside some sure black cubes."""
    shares = tuple(float(colour == "black") for colour in SHOGUN.colours)
    sure = [Candidate((0.0, 0.0), 20.0, 0.99, shares)] * others
    doubted = [Candidate((0.0, 0.0), 20.0, presence, shares) for presence in presences]
    return [
        candidate.presence for candidate in adjust_black_cubes([*sure, *doubted], SHOGUN, dark=dark)[others:]
    ]


def test_doubts_on_dark_floors_keep_their_order_and_faint_ones_weigh_less() -> None:
    presences = [0.001, 0.005, 0.02, 0.04, 0.08, 0.3, 0.499, 0.501, 0.85]
    for others in (0, 1, 4, 12):
        vouched = _presences_after_vouching(presences, others)
        assert vouched == sorted(vouched)
        assert vouched[0] < 0.2 * _presences_after_vouching(presences, others, dark=False)[0]


def test_in_the_dark_a_black_cube_is_hardly_the_only_one() -> None:
    """A doubted cube without any other is probably nothing; beside many it probably is one."""
    [alone], [beside], [among] = (_presences_after_vouching([0.2], others) for others in (0, 1, 12))
    assert alone < 0.1 < beside < 0.5 < among


def test_a_black_cube_that_is_not_counted_is_asked_about_where_it_lies() -> None:
    picture, label = render(1052, DIM)
    entry: Any = label
    black = np.array([cube["centre"] for cube in entry["cubes"] if cube["colour"] == "black"])
    reading = TrayReader().read(picture)
    assert entry["visible_counts"]["black"] == reading.counts["black"] + 1
    assert not reading.certain
    [place] = [place for place in reading.open_places if dict(place.answers).get("black")]
    assert place.counted == NOTHING
    assert np.hypot(*(black - place.centre_px).T).min() < 0.5 * place.edge_px


def test_one_that_the_detector_rules_out_is_still_looked_at_where_it_lies() -> None:
    """Given a throw of 27 in which it gives one black cube less than 3 %: on other floors no candidate."""
    picture, label = render(64_000_182, Options(throws=THROWS))
    with mock.patch.object(reader, "faint_places", return_value=[]):
        without = _least_chance(picture, label)
    assert without == 0.0
    assert _least_chance(picture, label) > 0.0


def _least_chance(picture: Picture, label: Any) -> float:
    """The lowest presence that the reader gives any of the black cubes."""
    crop, found = crop_as_labelled(picture, label), TrayReader().find(picture)
    assert crop is not None
    assert found is not None
    return min(
        max(
            (
                candidate.presence
                for candidate in found.candidates
                if _distance_px(candidate, cube) < 0.5 * candidate.edge_px
            ),
            default=0.0,
        )
        for cube in crop.cubes
        if COLOURS[int(cube[2])] == "black"
    )


def _distance_px(candidate: Candidate, cube: npt.NDArray[np.float32]) -> float:
    return float(np.hypot(*(cube[:2] - candidate.centre_px)))
