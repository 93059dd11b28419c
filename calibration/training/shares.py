"""Shares of the sources of a look's training data."""

from collections.abc import Sequence

_HARD_SHARE = 0.55
"""Share of hard places, divided among the files by how many each holds."""
_TRAY_SHARES = (0.1, 0.06, 0.29)
"""Shares of made-up heaps, simulated throws and labelled pictures, of those that are given."""


def source_weights(hard: Sequence[int], trays: Sequence[int], labelled: float | None = None) -> list[float]:
    """Return the weights of the sources, 0 for an empty one: first files of hard places, then trays.

    `hard`: number of places in each file; `trays`: those of made-up heaps, simulated throws and labelled
    pictures; `labelled`: share of the whole, 0..1, for the last instead of the usual one.
    """
    weights = [_HARD_SHARE * number / max(1, sum(hard)) for number in hard]
    weights += [share if number else 0.0 for number, share in zip(trays, _TRAY_SHARES, strict=True)]
    other_weight = sum(weights[:-1])
    if labelled is not None and weights[-1] and other_weight:
        weights[-1] = other_weight * labelled / (1 - labelled)
    return weights
