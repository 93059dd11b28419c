"""The network of the wide look: the upright look's, broader, with a third beginning for what stands about."""

from pathlib import Path

import torch
from torch import Tensor, nn

from calibration.training.checkpoints import holding, weights
from calibration.training.finer import FinerNet
from calibration.training.net import conv
from vision.upright import NEAR

_ABOUT = (16, 24, 32)
_WIDE = (48, 96)
_FAINT = 0.1
"""How much of a fresh start new connections to what was learned before begin with."""


class WideNet(FinerNet):
    """The place as there; the wide view by a way of its own, down to the same 4 px."""

    def __init__(self) -> None:
        first, second, third = _ABOUT
        super().__init__(NEAR, _WIDE, beside=third)
        # Squares of 2 px are one of the wide view's: three of these, every other one.
        squares = nn.Conv2d(1, first, 6, 4, 2, bias=False)
        smaller = (conv(first, second, stride=2), conv(second, third, stride=2), conv(third, third, stride=2))
        self.about = nn.Sequential(squares, nn.BatchNorm2d(first), nn.ReLU(), *smaller)

    def forward(self, x: Tensor) -> Tensor:
        """(N, CHANNELS, SIDE_PX, SIDE_PX), -1..1, to (N, OUTPUTS) logits."""
        seen, about = self.near(x[:, :NEAR]), self.about(x[:, NEAR:])
        out: Tensor = self.all(torch.cat([seen, about], 1))
        return out


def started_wide(path: Path) -> WideNet:
    """From its checkpoint, or from the upright look's, whose words it nearly repeats.

    Raises `CheckpointError`.
    """
    net, old = WideNet(), weights(path)
    state = net.state_dict()
    if all(name in state and _fits(value, state[name]) for name, value in old.items()):
        for name, value in old.items():
            within = tuple(slice(side) for side in value.shape)
            if value.dim() > 1:
                state[name][: value.shape[0], value.shape[1] :] *= _FAINT
            state[name][within] = value
        old = state
    return holding(net, old, path)


def load_wide(path: Path) -> WideNet:
    """A network from a checkpoint. Raises `CheckpointError`."""
    return holding(WideNet(), weights(path), path)


def _fits(old: Tensor, new: Tensor) -> bool:
    return old.dim() == new.dim() and all(a <= b for a, b in zip(old.shape, new.shape, strict=True))
