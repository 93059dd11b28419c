"""Checkpoint files: read them, check which network they belong to, average them."""

from collections.abc import Sequence
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from vision.errors import VisionError

Net = TypeVar("Net", bound=nn.Module)


class CheckpointError(VisionError):
    """A file does not hold the weights of the network that was asked for."""


def read_weights(path: Path) -> dict[str, Tensor]:
    """Read a checkpoint of any network. Raises `CheckpointError`."""
    try:
        loaded = torch.load(path, weights_only=True)
    except (OSError, EOFError, RuntimeError, UnpicklingError) as error:
        raise unfit_error(path) from error
    if not isinstance(loaded, dict):
        raise unfit_error(path)
    return loaded


def load_weights(net: Net, state: dict[str, Any], path: Path) -> Net:
    """Load a checkpoint's weights into `net` and return it. Raises `CheckpointError` if they do not fit."""
    try:
        net.load_state_dict(state)
    except RuntimeError as error:
        raise unfit_error(path) from error
    return net


def mean_of(paths: Sequence[Path]) -> dict[str, Tensor]:
    """Average checkpoints of one network: the mean of runs from the same start is better than each alone.

    Raises `CheckpointError`.
    """
    states = [read_weights(path) for path in paths]
    for path, state in zip(paths, states, strict=True):
        if {name: value.shape for name, value in state.items()} != {n: v.shape for n, v in states[0].items()}:
            raise unfit_error(path)
    return {
        name: torch.stack([state[name] for state in states]).mean(0) if first.is_floating_point() else first
        for name, first in states[0].items()
    }


def interpolate_weights(
    start: dict[str, Tensor], trained: dict[str, Tensor], share: float
) -> dict[str, Tensor]:
    """Interpolate from a network's weights to those trained further from them; share 1 gives the latter."""
    return {
        name: value.cpu().lerp(trained[name].cpu(), share) if value.is_floating_point() else value
        for name, value in start.items()
    }


def unfit_error(path: Path) -> CheckpointError:
    """Return the error for a file that holds no weights, or those of another network."""
    return CheckpointError(
        f"{path} does not hold the weights of this network.",
        "Name a file that `fit -o`, `closer -o` or `wide -o` wrote for it.",
    )
