"""The looks at single places: what each learns from, in which views, from which beginning."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from torch import nn

from calibration.training.closer import CloserNet, Turn, load_closer
from calibration.training.crops import Crop, read
from calibration.training.finer import FinerNet, load_upright, started
from calibration.training.hard import read_places
from calibration.training.peaks import (
    Peaks,
    fine_peaks_of,
    fine_turned,
    peaks_of,
    turned,
    upright_peaks_of,
    upright_varied,
)
from vision.upright import CHANNELS

Sources = list[tuple[Peaks, float]]
"""Places, and how much of what is learned comes from them."""


@dataclass(frozen=True, slots=True)
class Look:
    """How one of them is taught."""

    learned: Callable[[Iterable[Crop]], Peaks]
    turn: Turn
    net: Callable[[Path | None], nn.Module]
    """From a checkpoint of it or of the look before, or without any."""
    shares: tuple[float, ...]
    """Of made-up heaps, throws that fell, labelled pictures; of the upright one rendered and labelled."""
    batch: int = 64

    def crops(self, files: Sequence[Path], fallen: Sequence[Path], labelled: Iterable[Crop]) -> Sources:
        """From files of `render` and labelled crops."""
        groups = ([crop for file in some for crop in read(file)] for some in (files, fallen))
        return list(zip([self.learned(some) for some in (*groups, labelled)], self.shares, strict=True))

    def places(self, files: Sequence[Path], labelled: Iterable[Crop]) -> Sources:
        """From files of `places` and labelled crops."""
        rendered = [read_places(file) for file in files]
        all_ = sum(len(places) for places in rendered)
        own, others = self.shares
        return [
            *((places, own * len(places) / all_) for places in rendered),
            (self.learned(labelled), others),
        ]


def _closer(start: Path | None) -> CloserNet:
    return CloserNet() if start is None else load_closer(start)


def _finer(start: Path | None) -> FinerNet:
    return FinerNet() if start is None else started(start)


def _upright(start: Path | None) -> FinerNet:
    return FinerNet(CHANNELS) if start is None else load_upright(start)


LOOKS = {
    "closer": Look(peaks_of, turned, _closer, (0.3, 0.45, 0.25), batch=96),
    "finer": Look(fine_peaks_of, fine_turned, _finer, (0.2, 0.15, 0.65)),
    "upright": Look(upright_peaks_of, upright_varied, _upright, (0.74, 0.26)),
}
