"""Train the detector: random views of labelled crops in, weights out, with a checkpoint now and then."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from calibration.synth.truth import COUNTED
from calibration.training.ahead import ahead, said_by
from calibration.training.checkpoints import holding, weights
from calibration.training.crops import Crop
from calibration.training.matching import UNDECIDED
from calibration.training.net import CubeNet
from calibration.training.timed import Course, Judged, teach
from calibration.training.views import VIEW_PX, Drawer, view
from vision.finding.detector import COLOURS, EDGE_PX, STRIDE

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Plan:
    """One training run."""

    minutes: float
    rate: float = 2e-3
    batch: int = 12
    seed: int = 1
    real_share: float = 0.0
    """Share of views cut from labelled pictures instead of rendered ones."""


@dataclass(frozen=True, slots=True)
class _Targets:
    heat: Floats
    known: Floats
    place: npt.NDArray[np.int64]
    """(M, 2) row and column of the cells responsible for a cube: its own and the four beside it."""
    truth: Floats
    """(M, 4): colour, offset x and y in cells, logarithm of the edge."""


_Batch = tuple[list[tuple[Drawer, int]], Tensor, list[_Targets]]
"""Which crops are shown, their views, and the targets in these."""


def fit(
    net: CubeNet,
    crops: Sequence[Crop],
    real: Sequence[Crop],
    plan: Plan,
    *,
    save: Path,
    report: Callable[[str], None],
) -> None:
    """Train for the planned minutes."""
    rng = np.random.default_rng(plan.seed)
    torch.manual_seed(plan.seed)
    shown, taught = Drawer(rng, crops), Drawer(rng, real)

    def drawn() -> _Batch:
        which = [(drawer, drawer.draw()) for drawer in _sources(rng, shown, taught, plan)]
        views = [view(rng, drawer.crops[index]) for drawer, index in which]
        return which, batch_of(views), [_targets(cubes, VIEW_PX // STRIDE) for _, cubes in views]

    def judged(batch: _Batch) -> Judged:
        which, seen, targets = batch
        loss, each = _loss(said_by(net, seen), targets)
        for (drawer, index), hard in zip(which, each, strict=True):
            drawer.learned(index, hard)
        return loss, (float(loss.detach()),)

    course = Course(plan.minutes, plan.rate)
    teach(net, ahead(drawn), judged, course, say=lambda loss: f"loss {loss:.4f}", report=report, save=save)


def _sources(rng: np.random.Generator, shown: Drawer, taught: Drawer, plan: Plan) -> list[Drawer]:
    share = plan.real_share if taught.crops else 0.0
    return [taught if rng.random() < share else shown for _ in range(plan.batch)]


def batch_of(views: Sequence[tuple[npt.NDArray[np.uint8], Floats]]) -> Tensor:
    """Stack views into (N, 3, H, W), -1..1."""
    return pixels_of([picture for picture, _ in views])


def pixels_of(pictures: Sequence[npt.NDArray[np.uint8]]) -> Tensor:
    """Stack (H, W, C) uint8 pictures into (N, C, H, W), -1..1."""
    stacked = np.stack(pictures).transpose(0, 3, 1, 2)
    whole = torch.from_numpy(np.ascontiguousarray(stacked)).float() / 127.5 - 1.0
    return whole.contiguous(memory_format=torch.channels_last)


def _loss(cells: Tensor, targets: Sequence[_Targets]) -> tuple[Tensor, list[float]]:
    """Return the loss of a batch, and the presence loss of each view as a measure of how hard it was."""
    heat = torch.from_numpy(np.stack([t.heat for t in targets]))
    known = torch.from_numpy(np.stack([t.known for t in targets]))
    logits = cells[:, 0]
    probability = torch.sigmoid(logits).clamp(1e-5, 1 - 1e-5)
    at_peak = heat > 0.999
    hit = -((1 - probability) ** 2) * torch.log(probability) * at_peak
    miss = -(probability**2) * torch.log(1 - probability) * (1 - heat) ** 4 * (~at_peak)
    number = at_peak.sum().clamp(min=8)
    every = (hit + miss) * known
    each = every.detach().sum((1, 2)).tolist()
    presence = every.sum() / number
    place = np.concatenate([np.insert(t.place, 0, i, axis=1) for i, t in enumerate(targets)])
    truth = torch.from_numpy(np.concatenate([t.truth for t in targets]))
    if not len(place):
        return presence, each
    at = torch.from_numpy(place)
    picked = cells[at[:, 0], :, at[:, 1], at[:, 2]]
    across = 1 + len(COLOURS)
    colour = functional.cross_entropy(picked[:, 1:across], truth[:, 0].long(), label_smoothing=0.02)
    rest = functional.smooth_l1_loss(picked[:, across:], truth[:, 1:4], beta=0.2)
    return presence + 0.5 * colour + 1.0 * rest, each


def _targets(cubes: Floats, side: int) -> _Targets:
    heat, known = np.zeros((side, side), np.float32), np.ones((side, side), np.float32)
    rows, columns = np.mgrid[0:side, 0:side]
    place: dict[tuple[int, int], tuple[float, list[float]]] = {}
    for x, y, colour, visible, edge, _ in cubes.tolist():
        u, v = (x + 0.5) / STRIDE - 0.5, (y + 0.5) / STRIDE - 0.5
        column, row = round(u), round(v)
        if not (0 <= row < side and 0 <= column < side):
            continue
        away = (columns - u) ** 2 + (rows - v) ** 2
        if abs(visible - COUNTED) < UNDECIDED:
            known[away < (0.5 * edge / STRIDE) ** 2] = 0
            continue
        if visible < COUNTED:
            continue
        sigma = 0.14 * edge / STRIDE
        heat = np.maximum(heat, np.exp(-away / (2 * sigma**2)).astype(np.float32))
        heat[row, column] = 1.0
        for i, j in ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)):
            here = (row + i, column + j)
            if not (0 <= here[0] < side and 0 <= here[1] < side):
                continue
            apart = float(away[here])
            if here not in place or apart < place[here][0]:
                size = float(np.log(edge / EDGE_PX))
                place[here] = (apart, [colour, u - here[1], v - here[0], size])
    known[heat > 0.999] = 1
    spots = np.array(list(place), np.int64).reshape(-1, 2)
    truth = np.array([t for _, t in place.values()], np.float32).reshape(-1, 4)
    return _Targets(heat, known, spots, truth)


def load(path: Path) -> CubeNet:
    """Load a network from a checkpoint. Raises `CheckpointError`."""
    return holding(CubeNet(), weights(path), path)
