"""The network of the finer look: the closer look's, with a second beginning that keeps what is fine."""

from collections.abc import Sequence
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch
from torch import Tensor, nn

from calibration.training.net import Block, conv
from vision.closer import OUTPUTS, PATCH_PX
from vision.errors import VisionError
from vision.finer import FINE

_COARSE, _FINE, _FINER = 16, 16, 24
_WIDE = (40, 80)
_LEFT = PATCH_PX // 16


class FinerNet(nn.Module):
    """128 px down to 4, by two ways to a quarter of the size."""

    def __init__(self) -> None:
        super().__init__()
        b, c = _WIDE
        seen = nn.Conv2d(4, _COARSE, 6, 4, 2, bias=False)
        self.coarse = nn.Sequential(seen, nn.BatchNorm2d(_COARSE), nn.ReLU())
        self.fine = nn.Sequential(
            conv(4, _FINE, stride=2), conv(_FINE, _FINER, stride=2), conv(_FINER, _FINE)
        )
        halves = (conv(_COARSE + _FINE, b, stride=2), Block(b), conv(b, c, stride=2), Block(c))
        self.seen = nn.Sequential(*halves, conv(c, c, stride=2))
        whole = nn.Conv2d(c, 128, _LEFT)
        self.all = nn.Sequential(nn.Dropout(0.2), whole, nn.ReLU(), nn.Conv2d(128, OUTPUTS, 1), nn.Flatten())

    def forward(self, x: Tensor) -> Tensor:
        """(N, 4, SIDE_PX, SIDE_PX), -1..1, to (N, OUTPUTS) logits."""
        out: Tensor = self.all(self.seen(torch.cat([self.coarse(x), self.fine(x)], 1)))
        return out


class CheckpointError(VisionError):
    """A file does not hold the weights of the look that was asked for."""


def started(path: Path) -> FinerNet:
    """From a checkpoint of either look. Raises `CheckpointError`."""
    return load_finer(path) if "fine.0.0.weight" in weights(path) else begun(path)


def begun(closer: Path) -> FinerNet:
    """A network that says nearly what a checkpoint of the closer look says of the patch at half the size.

    Raises `CheckpointError`.
    """
    net, old = FinerNet(), weights(closer)
    state: dict[str, Any] = net.state_dict()
    if "seen.1.0.weight" not in old:
        raise _no_checkpoint(closer)
    for name, value in old.items():
        if not name.startswith("seen."):
            state[name] = value
            continue
        _, layer, rest = name.split(".", 2)
        if layer == "0":
            state[f"coarse.{rest}"] = spread(value) if rest == "0.weight" else value
        elif f"{layer}.{rest}" == "1.0.weight":
            state["seen.0.0.weight"][:, :_COARSE] = value
            state["seen.0.0.weight"][:, _COARSE:] *= 0.1
        else:
            state[f"seen.{int(layer) - 1}.{rest}"] = value
    return _holding(net, state, closer)


def spread(kernel: Tensor) -> Tensor:
    """What does to a picture of twice the size what a kernel does to its halves."""
    fine = int(FINE)
    return kernel.repeat_interleave(fine, 2).repeat_interleave(fine, 3) / fine**2


def load_finer(path: Path) -> FinerNet:
    """A network from a checkpoint. Raises `CheckpointError`."""
    return _holding(FinerNet(), weights(path), path)


def _holding(net: FinerNet, state: dict[str, Any], path: Path) -> FinerNet:
    try:
        net.load_state_dict(state)
    except RuntimeError as error:
        raise _no_checkpoint(path) from error
    return net


def mean_of(paths: Sequence[Path]) -> dict[str, Tensor]:
    """The mean of checkpoints of one look: what runs from one beginning learned apart holds better together.

    Raises `CheckpointError`.
    """
    states = [weights(path) for path in paths]
    for path, state in zip(paths, states, strict=True):
        if {name: value.shape for name, value in state.items()} != {n: v.shape for n, v in states[0].items()}:
            raise _no_checkpoint(path)
    return {
        name: torch.stack([state[name] for state in states]).mean(0) if first.is_floating_point() else first
        for name, first in states[0].items()
    }


def weights(path: Path) -> dict[str, Tensor]:
    """A checkpoint of any look. Raises `CheckpointError`."""
    try:
        loaded = torch.load(path, weights_only=True)
    except (OSError, EOFError, RuntimeError, UnpicklingError) as error:
        raise _no_checkpoint(path) from error
    if not isinstance(loaded, dict):
        raise _no_checkpoint(path)
    return loaded


def _no_checkpoint(path: Path) -> CheckpointError:
    return CheckpointError(
        f"{path} does not hold the weights of this look.",
        "Name a file that `closer -o` or `finer -o` wrote.",
    )
