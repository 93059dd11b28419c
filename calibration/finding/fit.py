"""Train the tray finder: centroids of its heat maps towards corners, its last map towards the floor."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from calibration.finding.net import TrayNet
from calibration.finding.views import Table, View, view
from calibration.training.ahead import network_output, prefetch
from calibration.training.timed import BatchLoss, Course, teach
from vision.scene.locator import INPUT_PX, STRIDE

_BATCH = 24
_RATE = 3e-3
_SEED = 1
_REAL_SHARE = 0.003
"""Share of views cut from labelled pictures, per such picture: they show real lamps and cloths."""
_REAL_AT_MOST = 0.6


def fit(
    net: TrayNet,
    tables: Sequence[Table],
    real: Sequence[Table],
    minutes: float,
    report: Callable[[str], None],
) -> None:
    """Train for the given minutes."""
    rng = np.random.default_rng(_SEED)
    torch.manual_seed(_SEED)
    batches = prefetch(lambda: [view(rng, _pick(rng, tables, real)) for _ in range(_BATCH)])
    course = Course(minutes, _RATE, warm=50)
    teach(net, batches, lambda views: _judge(net, views), course, say=_format_error, report=report)


def _format_error(off_cells: float) -> str:
    return f"corners off by {off_cells * STRIDE:.2f} px"


def _pick(rng: np.random.Generator, tables: Sequence[Table], real: Sequence[Table]) -> Table:
    source = real if rng.random() < min(_REAL_AT_MOST, _REAL_SHARE * len(real)) else tables
    return source[int(rng.integers(len(source)))]


def _stack_pictures(views: Sequence[View]) -> Tensor:
    stacked = np.stack([v.picture for v in views]).transpose(0, 3, 1, 2)
    return torch.from_numpy(np.ascontiguousarray(stacked)).float() / 127.5 - 1.0


def _judge(net: TrayNet, views: Sequence[View]) -> BatchLoss:
    """Return the loss, and the mean error of the corners' coordinates in cells."""
    maps = network_output(net, _stack_pictures(views))
    corners = torch.from_numpy(np.stack([v.corners_px for v in views])).float()
    cells = (corners + 0.5) / STRIDE - 0.5
    rows, columns = torch.meshgrid(
        torch.arange(INPUT_PX[1] // STRIDE).float(),
        torch.arange(INPUT_PX[0] // STRIDE).float(),
        indexing="ij",
    )
    rows, columns = rows.flatten(), columns.flatten()
    logits = maps[:, :4].flatten(2)
    heat = logits.softmax(2)
    centroids = torch.stack([(heat * columns).sum(2), (heat * rows).sum(2)], dim=2)
    corner_error = (centroids - cells).abs().mean()
    distance_sq = (columns - cells[..., :1]) ** 2 + (rows - cells[..., 1:]) ** 2
    target = torch.exp(-distance_sq / 2)
    target = target / target.sum(2, keepdim=True).clamp(min=1e-6)
    sharpness_loss = -(target * logits.log_softmax(2)).sum(2).mean()
    floor = torch.from_numpy(np.stack([v.floor for v in views]))
    floor_loss = functional.binary_cross_entropy_with_logits(maps[:, 4], floor)
    return corner_error + 0.3 * sharpness_loss + floor_loss, (float(corner_error.detach()),)
