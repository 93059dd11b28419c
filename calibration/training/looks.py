"""The looks at single places: what each learns from, in which views, from which beginning."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from torch import nn

from calibration.training.closer import CloserNet, Turn, load_closer
from calibration.training.crops import Crop, read
from calibration.training.finer import FinerNet, load_upright, started
from calibration.training.hard import PlacesError, PlacesOf, read_places
from calibration.training.peaks import (
    Peaks,
    fine_peaks_of,
    fine_turned,
    hard_peaks_of,
    peaks_of,
    turned,
    upright_peaks_of,
    upright_varied,
    wide_varied,
)
from calibration.training.wide import WideNet, started_wide
from vision.upright import NEAR

Sources = list[tuple[Peaks, float]]
"""Places, and how much of what is learned comes from them."""
_HARD_SHARE, _SHARES = 0.55, (0.1, 0.06, 0.29)
"""Of hard places; of made-up heaps, of throws that fell, of labelled pictures: of those that are given."""


@dataclass(frozen=True, slots=True)
class Look:
    """How one of them is taught."""

    learned: PlacesOf
    """Of whole trays."""
    hard: PlacesOf
    """Of trays drawn for what is hard in them."""
    turn: Turn
    net: Callable[[Path | None], nn.Module]
    """From a checkpoint of it or of the look before, or without any."""
    batch: int = 64

    def sources(
        self, files: Sequence[Path], fallen: Sequence[Path], labelled: Iterable[Crop], places: Sequence[Path]
    ) -> Sources:
        """From files of `render`, labelled crops and files of `places`. Raises `PlacesError`."""
        shape = self.hard([]).patches.shape[1:]
        kept = [some for some in (read_places(file, shape) for file in places) if len(some)]
        all_ = sum(len(some) for some in kept)
        groups = ([crop for file in some for crop in read(file)] for some in (files, fallen))
        learned = [self.learned(some) for some in (*groups, labelled)]
        given: Sources = [
            *((some, _HARD_SHARE * len(some) / all_) for some in kept),
            *((some, share) for some, share in zip(learned, _SHARES, strict=True) if len(some)),
        ]
        if not given:
            raise PlacesError(
                "There is nothing to learn from.",
                "Name files of `render`, of `places` with `--places`, or labelled folders with `--also`.",
            )
        return given


def _closer(start: Path | None) -> CloserNet:
    return CloserNet() if start is None else load_closer(start)


def _finer(start: Path | None) -> FinerNet:
    return FinerNet() if start is None else started(start)


def _upright(start: Path | None) -> FinerNet:
    return FinerNet(NEAR) if start is None else load_upright(start)


def _wide(start: Path | None) -> WideNet:
    return WideNet() if start is None else started_wide(start)


LOOKS = {
    "closer": Look(peaks_of, hard_peaks_of, turned, _closer, batch=96),
    "finer": Look(fine_peaks_of, fine_peaks_of, fine_turned, _finer),
    "upright": Look(upright_peaks_of, upright_peaks_of, upright_varied, _upright),
    "wide": Look(upright_peaks_of, upright_peaks_of, wide_varied, _wide),
}
