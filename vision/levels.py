"""Quantiles of a few levels: a reading asks for a hundred, and NumPy's own take 0.1 ms of checks each."""

import numpy as np
import numpy.typing as npt


def quantile(values: npt.NDArray[np.uint8], share: float) -> npt.NDArray[np.float64]:
    """Of (N, …) along the first axis, linear between neighbours as `numpy.quantile`; `share` is 0..1."""
    ordered = np.sort(values, axis=0)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return np.asarray(ordered[low] + (place - low) * (ordered[high].astype(np.float64) - ordered[low]))
