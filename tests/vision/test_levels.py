"""Quantiles are NumPy's, only quicker."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from vision.levels import quantile

LEVELS = arrays(np.uint8, array_shapes(min_dims=1, max_dims=2, max_side=40))


@given(LEVELS, st.floats(0, 1))
def test_it_is_what_numpy_says(levels: np.ndarray, share: float) -> None:
    assert np.allclose(quantile(levels, share), np.quantile(levels, share, axis=0))
