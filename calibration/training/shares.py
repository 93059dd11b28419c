"""How much of what a look learns comes from where."""

from collections.abc import Sequence

_HARD = 0.55
"""Of hard places, by how many each file holds."""
_TRAYS = (0.1, 0.06, 0.29)
"""Of made-up heaps, of throws that fell, of labelled pictures: of those that are given."""


def shares_of(hard: Sequence[int], trays: Sequence[int], labelled: float | None = None) -> list[float]:
    """Weights of the sources, 0 where one holds nothing: first of files of hard places, then of trays.

    `hard`: places in each file; `trays`: places of made-up heaps, throws that fell and labelled pictures;
    `labelled`: share of the whole, 0..1, that the last are to have instead of their usual one.
    """
    weights = [_HARD * number / max(1, sum(hard)) for number in hard]
    weights += [share if number else 0.0 for number, share in zip(trays, _TRAYS, strict=True)]
    others = sum(weights[:-1])
    if labelled is not None and weights[-1] and others:
        weights[-1] = others * labelled / (1 - labelled)
    return weights
