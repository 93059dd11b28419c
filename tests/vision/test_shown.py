"""Where a person is asked to look: the least sure first; answers change only what is counted there."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.synth import Options, render
from vision.finding.candidates import Candidate
from vision.palette import SHOGUN
from vision.reader import TrayReader
from vision.reading import NOTHING
from vision.scene.rectify import Rectified, rectify
from vision.shown import COUNTED_PRESENCE, MOST_OPEN, open_places, seen_cubes

_COLOURS = len(SHOGUN.colours)


@pytest.fixture(scope="module")
def flat() -> Rectified:
    found = rectify(render(52_001, Options(size_px=(640, 480), mat=True, plain=True))[0])
    assert found is not None
    return found


def _candidate(presence: float, *shares: float, under: bool = False, at: float = 100.0) -> Candidate:
    rest = (1 - sum(shares)) / (_COLOURS - len(shares))
    return Candidate((at, 120.0), 20.0, presence, (*shares, *[rest] * (_COLOURS - len(shares))), under)


CANDIDATES = st.lists(
    st.builds(
        lambda presence, share, under: _candidate(presence, share, under=under),
        st.floats(0, 1),
        st.floats(0, 1),
        st.booleans(),
    ),
    max_size=12,
)


@given(CANDIDATES)
def test_places_are_few_and_told_from_the_least_sure_on(flat: Rectified, found: list[Candidate]) -> None:
    places = open_places(found, SHOGUN, flat)
    surest = [place.answers[0][1] for place in places]
    assert len(places) <= MOST_OPEN
    assert surest == sorted(surest)
    for place in places:
        names = [name for name, _ in place.answers]
        assert len(names) >= 2
        assert len(names) == len(set(names))
        assert place.counted in names
        assert sum(p for _, p in place.answers) <= 1 + 1e-6


@given(CANDIDATES)
def test_what_a_place_is_counted_as_is_in_the_counts(flat: Rectified, found: list[Candidate]) -> None:
    """Otherwise an answer would take away a cube that nobody counted."""
    counted = [cube.colour for cube in seen_cubes(found, SHOGUN, flat)]
    assert len(counted) == sum(candidate.presence >= COUNTED_PRESENCE for candidate in found)
    for place in open_places(found, SHOGUN, flat):
        if place.counted != NOTHING:
            counted.remove(place.counted)


def test_a_sure_cube_is_no_question_and_an_unsure_one_is(flat: Rectified) -> None:
    sure, unsure, colour = _candidate(0.99, 0.99), _candidate(0.3, 0.99), _candidate(0.999, 0.6, 0.4)
    assert open_places([sure], SHOGUN, flat) == ()
    [place] = open_places([sure, unsure], SHOGUN, flat)
    assert (place.counted, [name for name, _ in place.answers]) == (NOTHING, [NOTHING, "red"])
    [place] = open_places([colour], SHOGUN, flat)
    assert [name for name, _ in place.answers] == list(SHOGUN.colours[:2])


def test_a_place_lies_where_the_cube_does(flat: Rectified) -> None:
    """A question about a cube under another is at the same place; drawn as a cube it is offset."""
    below = _candidate(0.7, 0.99, under=True, at=150.0)
    above = _candidate(0.999, 0.99, at=150.0)
    [place] = open_places([below], SHOGUN, flat)
    [upper] = seen_cubes([above], SHOGUN, flat)
    [lower] = seen_cubes([below], SHOGUN, flat)
    assert place.under
    assert place.centre_px == pytest.approx(upper.centre_px)
    assert np.hypot(*np.subtract(lower.centre_px, upper.centre_px)) > 0.3 * place.edge_px
    sides = np.ptp(np.array(upper.outline_px), axis=0)
    assert place.edge_px == pytest.approx(float(sides.mean()), rel=0.35)


def test_nobody_is_asked_about_a_tray_that_is_sure() -> None:
    counts = {"red": 3, "blue": 2}
    reading = TrayReader().read(
        render(52_004, Options(size_px=(960, 720), mat=True, plain=True, plastic="clear", counts=counts))[0]
    )
    assert reading.certain
    assert reading.open_places == ()
