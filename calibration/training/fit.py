"""Teaches the network: random views of labelled crops in, weights out, with a checkpoint now and then."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from calibration.synth.truth import COUNTED
from calibration.training.crops import Crop
from calibration.training.matching import UNDECIDED
from calibration.training.net import CubeNet
from vision.detector import CHANNELS, COLOURS, EDGE_PX, STRIDE

VIEW_PX = 224

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Plan:
    """One training run."""

    minutes: float
    rate: float = 2e-3
    batch: int = 12
    seed: int = 1
    real_share: float = 0.0
    """Share of views that are cut from labelled pictures instead of rendered ones."""


def fit(
    net: CubeNet,
    crops: Sequence[Crop],
    real: Sequence[Crop],
    plan: Plan,
    *,
    save: Path,
    report: Callable[[str], None],
) -> None:
    """Trains for the planned minutes; the rate falls along a cosine of the time."""
    rng = np.random.default_rng(plan.seed)
    torch.manual_seed(plan.seed)
    net.to(memory_format=torch.channels_last)  # on a CPU twice as fast
    net.train()
    optimiser = torch.optim.AdamW(net.parameters(), lr=plan.rate, weight_decay=1e-3)
    mean = {name: value.detach().clone() for name, value in net.state_dict().items()}
    start, step, recent = time.monotonic(), 0, 0.0
    saved = start
    while (spent := (time.monotonic() - start) / (60 * plan.minutes)) < 1:
        for group in optimiser.param_groups:
            warm = min(1.0, (step + 1) / 100)
            group["lr"] = plan.rate * warm * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * spent)))
        views = [_draw(rng, crops, real, plan.real_share) for _ in range(plan.batch)]
        loss = _loss(net(_tensor(views)), [cubes for _, cubes in views])
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        _follow(mean, net, min(0.998, step / (step + 50)))
        now = float(loss.detach())
        recent = 0.98 * recent + 0.02 * now if step else now
        step += 1
        if step % 100 == 0:
            report(f"{(time.monotonic() - start) / 60:5.1f} min, step {step}, loss {recent:.4f}")
        if time.monotonic() - saved > 120:
            torch.save(mean, save)
            saved = time.monotonic()
    torch.save(mean, save)
    net.load_state_dict(mean)


def _follow(mean: dict[str, Tensor], net: CubeNet, keep: float) -> None:
    """A moving average of the weights reads steadier than the weights of the last step."""
    for name, value in net.state_dict().items():
        if value.dtype.is_floating_point:
            mean[name].mul_(keep).add_(value.detach(), alpha=1 - keep)
        else:
            mean[name].copy_(value)


def _draw(
    rng: np.random.Generator, crops: Sequence[Crop], real: Sequence[Crop], share: float
) -> tuple[npt.NDArray[np.uint8], Floats]:
    source = real if real and rng.random() < share else crops
    return view(rng, source[int(rng.integers(len(source)))])


def view(rng: np.random.Generator, crop: Crop) -> tuple[npt.NDArray[np.uint8], Floats]:
    """A part of a crop: turned, mirrored, larger or smaller, in another light."""
    turn, scale = rng.uniform(0, 2 * np.pi), float(np.exp(rng.uniform(-0.17, 0.17)))
    mirror = rng.choice([-1.0, 1.0])
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    matrix = np.array([[c * mirror, -s], [s * mirror, c]])
    if len(crop.cubes) and rng.random() < 0.8:
        look_at = crop.cubes[rng.integers(len(crop.cubes)), :2] + rng.normal(0, 40, 2)
    else:
        height, width = crop.picture.shape[:2]
        look_at = rng.uniform((60, 60), (width - 60, height - 60))
    shift = VIEW_PX / 2 - matrix @ look_at
    affine = np.concatenate([matrix, shift[:, None]], axis=1)
    border = [int(v) for v in crop.picture[0, 0]]
    flags = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    picture = cv2.warpAffine(
        np.asarray(crop.picture), affine, (VIEW_PX, VIEW_PX), flags=flags, borderValue=border
    )
    cubes = crop.cubes.copy()
    cubes[:, :2] = crop.cubes[:, :2] @ matrix.T + shift
    cubes[:, 4] *= scale
    return _relit(rng, picture.astype(np.uint8)), cubes


def _relit(rng: np.random.Generator, picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Another guess at white (a gain of light) and another curve, sometimes blur, sometimes grain."""
    gain = np.exp(rng.normal(0.1, 0.3) + rng.normal(0, 0.08, 3))
    gamma = 2.2 * np.exp(rng.normal(0, 0.08))
    light = (np.arange(256) / 255) ** gamma
    table = (np.clip(light[:, None] * gain, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8)
    out = cv2.LUT(picture, table[:, None])
    if rng.random() < 0.25:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.4, 1.3))
    if rng.random() < 0.3:
        grain = rng.standard_normal(out.shape, np.float32) * rng.uniform(1, 9)
        out = np.clip(out + grain, 0, 255).astype(np.uint8)
    return out.astype(np.uint8)


def _tensor(views: Sequence[tuple[npt.NDArray[np.uint8], Floats]]) -> Tensor:
    stacked = np.stack([picture for picture, _ in views]).transpose(0, 3, 1, 2)
    whole = torch.from_numpy(np.ascontiguousarray(stacked)).float() / 127.5 - 1.0
    return whole.contiguous(memory_format=torch.channels_last)


def _loss(cells: Tensor, cubes: Sequence[Floats]) -> Tensor:
    side = cells.shape[2]
    targets = [_targets(table, side) for table in cubes]
    heat = torch.from_numpy(np.stack([t.heat for t in targets]))
    known = torch.from_numpy(np.stack([t.known for t in targets]))
    logits = cells[:, 0]
    probability = torch.sigmoid(logits).clamp(1e-5, 1 - 1e-5)
    at_peak = heat > 0.999
    hit = -((1 - probability) ** 2) * torch.log(probability) * at_peak
    miss = -(probability**2) * torch.log(1 - probability) * (1 - heat) ** 4 * (~at_peak)
    number = at_peak.sum().clamp(min=8)
    presence = ((hit + miss) * known).sum() / number
    place = np.concatenate([np.insert(t.place, 0, i, axis=1) for i, t in enumerate(targets)])
    truth = torch.from_numpy(np.concatenate([t.truth for t in targets]))
    if not len(place):
        return presence
    at = torch.from_numpy(place)
    picked = cells[at[:, 0], :, at[:, 1], at[:, 2]]
    colours = len(COLOURS)
    colour = functional.cross_entropy(picked[:, 1 : 1 + colours], truth[:, 0].long(), label_smoothing=0.02)
    rest = functional.smooth_l1_loss(picked[:, 1 + colours : CHANNELS], truth[:, 1:], beta=0.2)
    return presence + 0.5 * colour + 1.0 * rest


@dataclass(frozen=True, slots=True)
class _Targets:
    heat: Floats
    known: Floats
    place: npt.NDArray[np.int64]
    """(M, 2) row and column of cells that answer for a cube: its own and the four beside it."""
    truth: Floats
    """(M, 4): colour, offset x and y in cells, logarithm of the edge."""


def _targets(cubes: Floats, side: int) -> _Targets:
    heat, known = np.zeros((side, side), np.float32), np.ones((side, side), np.float32)
    rows, columns = np.mgrid[0:side, 0:side]
    place: dict[tuple[int, int], tuple[float, list[float]]] = {}
    for x, y, colour, visible, edge in cubes.tolist():
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
    """A network from a checkpoint."""
    net = CubeNet()
    state: dict[str, Any] = torch.load(path, weights_only=True)
    net.load_state_dict(state)
    return net
