"""Train any network for a number of minutes: the loop of all training on a CPU (see `card` for a GPU's)."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor, nn

Batch = TypeVar("Batch")

_CLIP = 5.0
"""Maximum norm of a step's gradient, against single bad batches."""
_MEAN_DECAY = 0.998
"""Decay of the moving average of the weights, per step."""
_SAVE_EVERY_S = 120.0
_REPORT_EVERY_STEPS = 100


@dataclass(frozen=True, slots=True)
class Course:
    """Schedule of a run: the learning rate warms up to `rate`, then decays as a cosine to `last` times it."""

    minutes: float
    rate: float
    decay: float = 1e-3
    last: float = 0.02
    warm: int = 100
    """Steps until `rate` is reached."""

    def rate_at(self, step: int, spent: float) -> float:
        """Return the rate of a step, counted from 1, after a share of the time, 0..1."""
        decayed = self.last + (1 - self.last) * 0.5 * (1 + np.cos(np.pi * spent))
        return float(self.rate * min(1.0, step / self.warm) * decayed)


BatchLoss = tuple[Tensor, tuple[float, ...]]
"""The loss of a batch, and the figures to report."""


def teach(
    net: nn.Module,
    batches: Iterator[Batch],
    judge: Callable[[Batch], BatchLoss],
    course: Course,
    *,
    say: Callable[..., str],
    report: Callable[[str], None],
    save: Path | None = None,
) -> None:
    """Train `net` in place; it ends with the moving average of its weights, steadier than the last step's.

    `say` formats the recent figures, passed as separate arguments; `save`: checkpoint, written periodically.
    """
    net.to(memory_format=torch.channels_last)  # twice as fast on a CPU
    net.train()
    optimiser = torch.optim.AdamW(net.parameters(), lr=course.rate, weight_decay=course.decay)
    mean = {name: value.detach().clone() for name, value in net.state_dict().items()}
    recent = np.zeros(1)
    started = last_save = time.monotonic()
    for step, batch in enumerate(batches, 1):
        spent = (time.monotonic() - started) / (60 * course.minutes)
        if spent >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = course.rate_at(step, spent)
        loss, figures = judge(batch)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), _CLIP)
        optimiser.step()
        update_average(mean, net, min(_MEAN_DECAY, (step - 1) / (step + 49)))
        recent = recent + (np.array(figures) - recent) / min(step, _REPORT_EVERY_STEPS)
        if step % _REPORT_EVERY_STEPS == 0:
            report(f"{course.minutes * spent:5.1f} min, step {step}, {say(*recent)}")
        if save is not None and time.monotonic() - last_save > _SAVE_EVERY_S:
            torch.save(mean, save)
            last_save = time.monotonic()
    if save is not None:
        torch.save(mean, save)
    net.load_state_dict(mean)


def update_average(mean: dict[str, Tensor], net: nn.Module, keep: float) -> None:
    """Move the averaged weights a little towards the current ones, in place."""
    for name, value in net.state_dict().items():
        if value.dtype.is_floating_point:
            mean[name].mul_(keep).add_(value.detach(), alpha=1 - keep)
        else:
            mean[name].copy_(value)
