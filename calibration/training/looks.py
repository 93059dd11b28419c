"""The looks at single places: what each learns from, in which views, and from which initial weights."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from torch import nn

from calibration.training.closer import CloserNet, Turn, load_closer
from calibration.training.crops import Crop, read
from calibration.training.hard import PlacesError, PlacesOf, read_places
from calibration.training.options import LookName
from calibration.training.peaks import (
    Peaks,
    cut_turned_view,
    cut_wide_view,
    hard_peaks_of,
    peaks_of,
    upright_peaks_of,
)
from calibration.training.shares import source_weights
from calibration.training.wide import WideNet, start_wide

Sources = list[tuple[Peaks, float]]
"""Places, and the weight of each set in training."""


@dataclass(frozen=True, slots=True)
class Look:
    """How one look is trained."""

    find_places: PlacesOf
    """Extracts its places from ordinary trays."""
    find_hard_places: PlacesOf
    """Extracts its places from trays drawn to be hard (`hard`)."""
    turn: Turn
    net: Callable[[Path | None], nn.Module]
    """Makes the network from a checkpoint, or a new one without."""
    batch: int = 64

    def sources(
        self,
        files: Sequence[Path],
        fallen: Sequence[Path],
        labelled: Iterable[Crop],
        places: Sequence[Path],
        labelled_share: float | None = None,
    ) -> Sources:
        """Gather places from files of `render`, labelled crops and files of `places`. Raises `PlacesError`.

        `labelled_share`: share of training that comes from labelled crops; the usual one if not given.
        """
        shape = self.find_hard_places([]).patches.shape[1:]
        kept = [read_places(file, shape) for file in places]
        groups = ([crop for file in group for crop in read(file)] for group in (files, fallen))
        learned = [self.find_places(group) for group in (*groups, labelled)]
        weights = source_weights(
            [len(group) for group in kept], [len(group) for group in learned], labelled_share
        )
        weighted = [
            (group, weight) for group, weight in zip((*kept, *learned), weights, strict=True) if weight
        ]
        if not weighted:
            raise PlacesError(
                "There is nothing to learn from.",
                "Name files of `render`, of `places` with `--places`, or labelled folders with `--also`.",
            )
        return weighted


def _make_closer(start: Path | None) -> CloserNet:
    return CloserNet() if start is None else load_closer(start)


def _make_wide(start: Path | None) -> WideNet:
    return WideNet() if start is None else start_wide(start)


LOOKS: dict[LookName, Look] = {
    "closer": Look(peaks_of, hard_peaks_of, cut_turned_view, _make_closer, batch=96),
    "wide": Look(upright_peaks_of, upright_peaks_of, cut_wide_view, _make_wide),
}
