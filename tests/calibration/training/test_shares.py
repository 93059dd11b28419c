"""Shares of the sources of a look's training data: as requested, whatever the numbers of places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.training.shares import source_weights

_Numbers = st.integers(0, 50_000)


@given(st.lists(_Numbers, max_size=6), st.tuples(_Numbers, _Numbers, _Numbers), st.floats(0.05, 0.95))
def test_labelled_pictures_have_the_share_that_is_asked_for(
    hard: list[int], trays: tuple[int, int, int], share: float
) -> None:
    weights = source_weights(hard, trays, share)
    assert [weight > 0 for weight in weights] == [number > 0 for number in (*hard, *trays)]
    if weights[-1] and sum(weights[:-1]):
        assert weights[-1] / sum(weights) == pytest.approx(share)


def test_of_hard_places_a_larger_file_gives_more() -> None:
    small, large, *_ = source_weights([1000, 3000], (10, 10, 10))
    assert large == pytest.approx(3 * small)


def test_a_third_is_usual_for_labelled_pictures_beside_hard_places() -> None:
    """As docs/training.md says of runs without an explicit share."""
    hard, labelled = source_weights([5000], (0, 0, 200))[0], source_weights([5000], (0, 0, 200))[-1]
    assert labelled / (hard + labelled) == pytest.approx(0.345, abs=0.01)
