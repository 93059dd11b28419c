"""Quantiles, channels and steps equal NumPy's, only faster."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from vision.levels import quantile, strongest_channel, subsample, weakest_channel

LEVELS = arrays(np.uint8, array_shapes(min_dims=1, max_dims=2, max_side=40))
PICTURES = arrays(np.uint8, st.tuples(st.integers(1, 24), st.integers(1, 24), st.just(3)))


@given(LEVELS, st.floats(0, 1))
def test_it_is_what_numpy_says(levels: np.ndarray, share: float) -> None:
    assert np.allclose(quantile(levels, share), np.quantile(levels, share, axis=0))


@given(st.integers(2001, 2600), st.integers(0, 2**32 - 1), st.integers(1, 256), st.floats(0, 1))
def test_so_it_is_of_many_that_are_counted(number: int, seed: int, most: int, share: float) -> None:
    levels = np.random.default_rng(seed).integers(0, most, (number, 3), np.uint8)
    assert np.allclose(quantile(levels, share), np.quantile(levels, share, axis=0))


@given(PICTURES)
def test_of_each_pixel_the_strongest_and_the_weakest_channel_is_told(picture: np.ndarray) -> None:
    assert (strongest_channel(picture) == picture.max(axis=2)).all()
    assert (weakest_channel(picture) == picture.min(axis=2)).all()


@given(PICTURES, st.integers(1, 5))
def test_every_so_many_pixels_are_those_that_a_slice_takes(picture: np.ndarray, step: int) -> None:
    taken = subsample(picture, step)
    assert (taken == picture[::step, ::step]).all()
    assert taken.flags.c_contiguous
