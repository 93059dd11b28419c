"""A place and its wide view in one array."""

import numpy as np
from hypothesis import given
from hypothesis.extra.numpy import arrays

from calibration.training.packed import CHANNELS, pack_view, place_of, stored_of
from vision.finding.upright import NEAR_CHANNELS, UprightPlace
from vision.pictures import Picture


@given(arrays(np.uint8, (12, 12, NEAR_CHANNELS)), arrays(np.uint8, (6, 6, 4)))
def test_a_place_comes_out_as_it_went_in(near: Picture, about: Picture) -> None:
    stored = stored_of(UprightPlace(near, about))
    assert stored.shape == (12, 12, CHANNELS)
    place = place_of(stored)
    assert np.array_equal(place.near, near)
    assert np.array_equal(place.about, about)


def test_four_layers_of_a_view_are_a_square_of_its_channel() -> None:
    view = np.arange(16, dtype=np.uint8).reshape(2, 2, 4)
    assert pack_view(view)[:2, :2].tolist() == [[0, 1], [2, 3]]
    assert pack_view(view)[2:, :2].tolist() == [[8, 9], [10, 11]]
