"""Train the network to see where a view is covered; only the floor counts, beside it may be anything."""

from collections.abc import Callable, Sequence

import cv2
import numpy as np
import torch
from torch.nn import functional

from calibration.covering.cloth import any_colour, noise
from calibration.covering.covers import cover, glare, shade
from calibration.covering.views import Floats, UncoveredTray
from calibration.finding.net import TrayNet
from calibration.finding.views import vary_light
from calibration.training.ahead import network_output, prefetch
from calibration.training.timed import BatchLoss, Course, teach
from vision.pictures import Picture
from vision.scene.covered import VIEW_PX

WIDE = (8, 16, 24, 32)
"""Channels: half to two thirds of the tray finder's, since there is less to tell."""
_BATCH = 32
_RATE = 2e-3
_SEED = 1
_COVERED, _SHADED, _GLARING, _NEW_FLOOR = 0.5, 0.35, 0.2, 0.3
"""Shares of views."""
_SHEET_SHARE = 0.5
"""Share of the other floors that are a sheet laid in."""
_REAL_SHARE = 0.1
_FLOOR_SPREAD = 30.0
"""Levels by which a floor varies in its own shading and grain; cubes differ by more."""

Sample = tuple[Picture, Floats, Floats]
"""A view, how much of each cell is covered, and how much each cell counts."""


def fit(
    net: TrayNet,
    rendered: Sequence[UncoveredTray],
    real: Sequence[UncoveredTray],
    minutes: float,
    report: Callable[[str], None],
) -> None:
    """Train for the given minutes."""
    rng = np.random.default_rng(_SEED)
    torch.manual_seed(_SEED)
    batches = prefetch(lambda: [sample(rng, _pick(rng, rendered, real)) for _ in range(_BATCH)])
    course = Course(minutes, _RATE, warm=50)
    teach(net, batches, lambda samples: _judge(net, samples), course, say=_format_loss, report=report)


def _format_loss(loss: float) -> str:
    return f"loss {loss:.4f}"


def sample(rng: np.random.Generator, tabled: UncoveredTray) -> Sample:
    """Draw a sample: a tray turned and mirrored, in another light, with or without something over it."""
    view, floor = _turn_and_mirror(rng, tabled)
    if rng.random() < _NEW_FLOOR:
        view = _replace_floor(rng, view, floor)
    view = vary_light(rng, view)
    if rng.random() < _SHADED:
        view = shade(rng, view)
    if rng.random() < _GLARING:
        view = glare(rng, view)
    covered = np.zeros_like(floor)
    if rng.random() < _COVERED:
        view, covered = cover(rng, view)
    counts = cv2.dilate(floor, np.ones((3, 3), np.uint8))
    return view, covered, np.asarray(counts, np.float32)


def _turn_and_mirror(rng: np.random.Generator, tabled: UncoveredTray) -> tuple[Picture, Floats]:
    """Turn and mirror, since lamp and tower may be on any side; sometimes swap channels for other dyes."""
    turns, mirrored = int(rng.integers(4)), bool(rng.random() < 0.5)
    view, floor = (np.rot90(m, turns) for m in (tabled.view, tabled.floor))
    if mirrored:
        view, floor = view[:, ::-1], floor[:, ::-1]
    if rng.random() < 0.3:
        view = view[..., rng.permutation(3)]
    return np.ascontiguousarray(view), np.ascontiguousarray(floor)


def _replace_floor(rng: np.random.Generator, view: Picture, floor: Floats) -> Picture:
    """Replace the visible floor by felt, card, wood or coloured plastic, or by a sheet laid in."""
    inside: Floats = np.asarray(cv2.resize(floor, (VIEW_PX, VIEW_PX)), np.float32)
    if rng.random() < _SHEET_SHARE:
        inside = _sheet_mask(rng, inside)
    floor_colour = np.median(view[inside > 0.5], axis=0) if (inside > 0.5).any() else np.full(3, 128.0)
    difference = np.abs(view - floor_colour).max(axis=2)
    floor_mask = inside * np.clip(2 - difference / _FLOOR_SPREAD, 0, 1)
    small = [cv2.resize(noise(rng, rng.uniform(1, 8)), (VIEW_PX, VIEW_PX)) for _ in range(2)]
    grain = np.exp(small[0] * rng.uniform(0, 0.12) + small[1] * rng.uniform(0, 0.08))
    shades = view.mean(axis=2) / max(1.0, float(floor_colour.mean()))
    ground = any_colour(rng) if rng.random() < 0.6 else np.full(3, rng.uniform(190, 245))
    new_floor = ground * (np.clip(shades, 0, 2) * grain)[..., None]
    mixed = view * (1 - floor_mask[..., None]) + new_floor * floor_mask[..., None]
    return np.asarray(np.clip(mixed, 0, 255), np.uint8)


def _sheet_mask(rng: np.random.Generator, inside: Floats) -> Floats:
    """Return the mask of a sheet laid in on a dark floor (`tenshu mat --inlay`): smaller, sharp-edged."""
    smaller = 2 * int(rng.integers(0, 8)) + 1
    sheet = cv2.erode((inside > 0.5).astype(np.float32), np.ones((smaller, smaller), np.uint8))
    return np.asarray(cv2.GaussianBlur(sheet, (0, 0), 0.6), np.float32)


def _pick(
    rng: np.random.Generator, rendered: Sequence[UncoveredTray], real: Sequence[UncoveredTray]
) -> UncoveredTray:
    source = real if real and rng.random() < _REAL_SHARE else rendered
    return source[int(rng.integers(len(source)))]


def _judge(net: TrayNet, samples: Sequence[Sample]) -> BatchLoss:
    views, covered, counts = (np.stack(part) for part in zip(*samples, strict=True))
    seen = torch.from_numpy(views.transpose(0, 3, 1, 2).copy()).float() / 127.5 - 1.0
    logits = network_output(net, seen)[:, 0]
    weight = torch.from_numpy(counts)
    cell_losses = functional.binary_cross_entropy_with_logits(
        logits, torch.from_numpy(covered), reduction="none"
    )
    loss = (cell_losses * weight).sum() / weight.sum()
    return loss, (float(loss.detach()),)
