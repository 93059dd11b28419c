"""Weights as training keeps them in files: read, told from another network's, put together."""

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


def weights(path: Path) -> dict[str, Tensor]:
    """A checkpoint of any network. Raises `CheckpointError`."""
    try:
        loaded = torch.load(path, weights_only=True)
    except (OSError, EOFError, RuntimeError, UnpicklingError) as error:
        raise not_held(path) from error
    if not isinstance(loaded, dict):
        raise not_held(path)
    return loaded


def holding(net: Net, state: dict[str, Any], path: Path) -> Net:
    """A network with the weights of a checkpoint. Raises `CheckpointError` where they are another's."""
    try:
        net.load_state_dict(state)
    except RuntimeError as error:
        raise not_held(path) from error
    return net


def mean_of(paths: Sequence[Path]) -> dict[str, Tensor]:
    """The mean of checkpoints of one network: runs from one beginning hold better together than each alone.

    Raises `CheckpointError`.
    """
    states = [weights(path) for path in paths]
    for path, state in zip(paths, states, strict=True):
        if {name: value.shape for name, value in state.items()} != {n: v.shape for n, v in states[0].items()}:
            raise not_held(path)
    return {
        name: torch.stack([state[name] for state in states]).mean(0) if first.is_floating_point() else first
        for name, first in states[0].items()
    }


def between(one: dict[str, Tensor], other: dict[str, Tensor], share: float) -> dict[str, Tensor]:
    """Weights on the way from one network to another that learned on from it; a share of 1 is the other."""
    return {
        name: value.cpu().lerp(other[name].cpu(), share) if value.is_floating_point() else value
        for name, value in one.items()
    }


def not_held(path: Path) -> CheckpointError:
    """For a file that holds nothing, or another network."""
    return CheckpointError(
        f"{path} does not hold the weights of this network.",
        "Name a file that `fit -o`, `closer -o` or `wide -o` wrote for it.",
    )
