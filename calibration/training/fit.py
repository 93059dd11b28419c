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
from calibration.training.ahead import network_output, prefetch
from calibration.training.checkpoints import load_weights, read_weights
from calibration.training.crops import Crop
from calibration.training.matching import UNDECIDED
from calibration.training.net import CubeNet
from calibration.training.timed import BatchLoss, Course, teach
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
    rendered, labelled = Drawer(rng, crops), Drawer(rng, real)

    def draw() -> _Batch:
        which = [(drawer, drawer.draw()) for drawer in _draw_sources(rng, rendered, labelled, plan)]
        views = [view(rng, drawer.crops[index]) for drawer, index in which]
        return which, batch_of(views), [_targets(cubes, VIEW_PX // STRIDE) for _, cubes in views]

    def judge(batch: _Batch) -> BatchLoss:
        which, seen, targets = batch
        loss, view_losses = _loss(network_output(net, seen), targets)
        for (drawer, index), view_loss in zip(which, view_losses, strict=True):
            drawer.note_loss(index, view_loss)
        return loss, (float(loss.detach()),)

    course = Course(plan.minutes, plan.rate)
    teach(net, prefetch(draw), judge, course, say=lambda loss: f"loss {loss:.4f}", report=report, save=save)


def _draw_sources(rng: np.random.Generator, rendered: Drawer, labelled: Drawer, plan: Plan) -> list[Drawer]:
    share = plan.real_share if labelled.crops else 0.0
    return [labelled if rng.random() < share else rendered for _ in range(plan.batch)]


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
    cell_losses = (hit + miss) * known
    view_losses = cell_losses.detach().sum((1, 2)).tolist()
    presence = cell_losses.sum() / number
    place = np.concatenate([np.insert(t.place, 0, i, axis=1) for i, t in enumerate(targets)])
    truth = torch.from_numpy(np.concatenate([t.truth for t in targets]))
    if not len(place):
        return presence, view_losses
    cell_index = torch.from_numpy(place)
    predictions = cells[cell_index[:, 0], :, cell_index[:, 1], cell_index[:, 2]]
    colours_end = 1 + len(COLOURS)
    colour = functional.cross_entropy(predictions[:, 1:colours_end], truth[:, 0].long(), label_smoothing=0.02)
    geometry_loss = functional.smooth_l1_loss(predictions[:, colours_end:], truth[:, 1:4], beta=0.2)
    return presence + 0.5 * colour + 1.0 * geometry_loss, view_losses


def _targets(cubes: Floats, side: int) -> _Targets:
    heat, known = np.zeros((side, side), np.float32), np.ones((side, side), np.float32)
    rows, columns = np.mgrid[0:side, 0:side]
    place: dict[tuple[int, int], tuple[float, list[float]]] = {}
    for x, y, colour, visible, edge, _ in cubes.tolist():
        u, v = (x + 0.5) / STRIDE - 0.5, (y + 0.5) / STRIDE - 0.5
        column, row = round(u), round(v)
        if not (0 <= row < side and 0 <= column < side):
            continue
        distance_sq = (columns - u) ** 2 + (rows - v) ** 2
        if abs(visible - COUNTED) < UNDECIDED:
            known[distance_sq < (0.5 * edge / STRIDE) ** 2] = 0
            continue
        if visible < COUNTED:
            continue
        sigma = 0.14 * edge / STRIDE
        heat = np.maximum(heat, np.exp(-distance_sq / (2 * sigma**2)).astype(np.float32))
        heat[row, column] = 1.0
        for i, j in ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)):
            cell = (row + i, column + j)
            if not (0 <= cell[0] < side and 0 <= cell[1] < side):
                continue
            cell_distance_sq = float(distance_sq[cell])
            if cell not in place or cell_distance_sq < place[cell][0]:
                size = float(np.log(edge / EDGE_PX))
                place[cell] = (cell_distance_sq, [colour, u - cell[1], v - cell[0], size])
    known[heat > 0.999] = 1
    cells = np.array(list(place), np.int64).reshape(-1, 2)
    truth = np.array([t for _, t in place.values()], np.float32).reshape(-1, 4)
    return _Targets(heat, known, cells, truth)


def load(path: Path) -> CubeNet:
    """Load a network from a checkpoint. Raises `CheckpointError`."""
    return load_weights(CubeNet(), read_weights(path), path)
