"""The network of the wide look: the upright look's, broader, with a third beginning for what stands about."""

from pathlib import Path

import torch
from torch import Tensor, nn

from calibration.training.checkpoints import holding, weights
from calibration.training.net import Block, conv
from vision.closer import OUTPUTS, PATCH_PX
from vision.upright import NEAR

_COARSE, _FINE, _FINER = 16, 16, 24
_ABOUT = (16, 24, 32)
_WIDE = (48, 96)
_ALL = 128
_LEFT = PATCH_PX // 16
_FAINT = 0.1
"""How much of a fresh start new connections to what was learned before begin with."""


class WideNet(nn.Module):
    """128 px down to 4, by three ways, the wide view by its own until then."""

    def __init__(self) -> None:
        super().__init__()
        b, c = _WIDE
        seen = nn.Conv2d(NEAR, _COARSE, 6, 4, 2, bias=False)
        self.coarse = nn.Sequential(seen, nn.BatchNorm2d(_COARSE), nn.ReLU())
        self.fine = nn.Sequential(
            conv(NEAR, _FINE, stride=2), conv(_FINE, _FINER, stride=2), conv(_FINER, _FINE)
        )
        halves = (conv(_COARSE + _FINE, b, stride=2), Block(b), conv(b, c, stride=2), Block(c))
        self.seen = nn.Sequential(*halves, conv(c, c, stride=2))
        first, second, third = _ABOUT
        # Squares of 2 px are one of the wide view's: three of these, every other one.
        squares = nn.Conv2d(1, first, 6, 4, 2, bias=False)
        smaller = (conv(first, second, stride=2), conv(second, third, stride=2), conv(third, third, stride=2))
        self.about = nn.Sequential(squares, nn.BatchNorm2d(first), nn.ReLU(), *smaller)
        whole = nn.Conv2d(c + third, _ALL, _LEFT)
        self.all = nn.Sequential(nn.Dropout(0.2), whole, nn.ReLU(), nn.Conv2d(_ALL, OUTPUTS, 1), nn.Flatten())

    def forward(self, x: Tensor) -> Tensor:
        """(N, CHANNELS, SIDE_PX, SIDE_PX), -1..1, to (N, OUTPUTS) logits."""
        near, about = x[:, :NEAR], x[:, NEAR:]
        seen = self.seen(torch.cat([self.coarse(near), self.fine(near)], 1))
        out: Tensor = self.all(torch.cat([seen, self.about(about)], 1))
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
