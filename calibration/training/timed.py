"""Teaches any network for so many minutes: the one loop of all that are trained here."""

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
"""Norm that a step's gradient is held to, against single bad batches."""
_KEPT = 0.998
"""Share of the mean of weights that a step leaves as it is."""
_SAVED_S = 120.0
_SAID_STEPS = 100


@dataclass(frozen=True, slots=True)
class Course:
    """How a run goes: quickly up to `rate`, then down along a cosine of the time to `last` of it."""

    minutes: float
    rate: float
    decay: float = 1e-3
    last: float = 0.02
    warm: int = 100
    """Steps until the rate is reached."""

    def rate_at(self, step: int, spent: float) -> float:
        """Of a step, from 1, after a share of the time, 0..1."""
        fallen = self.last + (1 - self.last) * 0.5 * (1 + np.cos(np.pi * spent))
        return float(self.rate * min(1.0, step / self.warm) * fallen)


Judged = tuple[Tensor, tuple[float, ...]]
"""The loss of a batch, and the figures to report of it."""


def teach(
    net: nn.Module,
    batches: Iterator[Batch],
    judge: Callable[[Batch], Judged],
    course: Course,
    *,
    say: Callable[..., str],
    report: Callable[[str], None],
    save: Path | None = None,
) -> None:
    """Trains `net` in place; it ends as the moving mean of its weights, steadier than those of the last step.

    `say` makes words of the recent figures, which it gets one by one; `save`: a checkpoint, written at times.
    """
    net.to(memory_format=torch.channels_last)  # on a CPU twice as fast
    net.train()
    optimiser = torch.optim.AdamW(net.parameters(), lr=course.rate, weight_decay=course.decay)
    mean = {name: value.detach().clone() for name, value in net.state_dict().items()}
    recent = np.zeros(1)
    begun = saved = time.monotonic()
    for step, batch in enumerate(batches, 1):
        spent = (time.monotonic() - begun) / (60 * course.minutes)
        if spent >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = course.rate_at(step, spent)
        loss, figures = judge(batch)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), _CLIP)
        optimiser.step()
        follow(mean, net, min(_KEPT, (step - 1) / (step + 49)))
        recent = recent + (np.array(figures) - recent) / min(step, _SAID_STEPS)
        if step % _SAID_STEPS == 0:
            report(f"{course.minutes * spent:5.1f} min, step {step}, {say(*recent)}")
        if save is not None and time.monotonic() - saved > _SAVED_S:
            torch.save(mean, save)
            saved = time.monotonic()
    if save is not None:
        torch.save(mean, save)
    net.load_state_dict(mean)


def follow(mean: dict[str, Tensor], net: nn.Module, keep: float) -> None:
    """Moves the mean of weights a little towards those of now."""
    for name, value in net.state_dict().items():
        if value.dtype.is_floating_point:
            mean[name].mul_(keep).add_(value.detach(), alpha=1 - keep)
        else:
            mean[name].copy_(value)
