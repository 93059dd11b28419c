"""The network of the wide look: the upright look's, broader, with a third beginning for what stands about.

And with beginnings of their own for what is dark: black on black differs by a few levels of 255, which beside
the edges of red and white cubes is next to nothing, though by its share of the light it is not.
"""

from pathlib import Path

import torch
from torch import Tensor, nn

from calibration.training.checkpoints import holding, weights
from calibration.training.finer import FinerNet
from calibration.training.net import conv
from vision.finding.upright import NEAR

_ABOUT = (16, 24, 32)
_WIDE = (48, 96)
_DARK = 8
_FAINT = 0.1
"""How much of a fresh start new connections to what was learned before begin with."""
_SEEN = 3
"""Blue, green, red: the first of the channels."""
_GAIN = 4.0
"""Of a dark edge, before it is full: bright ones need not be told from each other here."""
_FLOOR = 0.02
"""Added to a level, 1 at full scale: the grain of a level or two is no share of the light."""


class Dark(nn.Module):
    """Edges by their share of the light; faint ones count nearly as much as strong ones."""

    def __init__(self, channels: int, kernel: int, stride: int) -> None:
        super().__init__()
        self.edges = nn.Conv2d(channels, _DARK, kernel, stride, kernel // 2 - (kernel + 1) % 2, bias=False)
        self.even = nn.BatchNorm2d(_DARK)
        nn.init.constant_(self.even.weight, _GAIN)

    def forward(self, x: Tensor) -> Tensor:
        """(N, channels, H, W), -1..1, to (N, _DARK, H/stride, W/stride), -1..1."""
        share = torch.log(x * 0.5 + (0.5 + _FLOOR)) * 0.5 + 1  # about 0 in the dark, as beyond the edges
        return torch.clamp(self.even(self.edges(share)), -1, 1)


class WideNet(FinerNet):
    """The place as there; the wide view by a way of its own, down to the same 4 px."""

    def __init__(self) -> None:
        first, second, third = _ABOUT
        super().__init__(NEAR, _WIDE, beside=third, dark=_DARK)
        self.dark = Dark(_SEEN, 5, 2)
        # Squares of 2 px are one of the wide view's: three of these, every other one.
        squares = nn.Conv2d(1, first, 6, 4, 2, bias=False)
        smaller = (
            conv(first + _DARK, second, stride=2),
            conv(second, third, stride=2),
            conv(third, third, stride=2),
        )
        self.about = nn.Sequential(squares, nn.BatchNorm2d(first), nn.ReLU(), *smaller)
        self.dark_about = Dark(1, 6, 4)

    def forward(self, x: Tensor) -> Tensor:
        """(N, CHANNELS, SIDE_PX, SIDE_PX), -1..1, to (N, OUTPUTS) logits."""
        near, wide = x[:, :NEAR], x[:, NEAR:]
        # In this order: the first convolutions of each way stay floats (`quantize`).
        about = torch.cat([self.about[:3](wide), self.dark_about(wide)], 1)
        seen = self.near(near, self.dark(x[:, :_SEEN]))
        out: Tensor = self.all(torch.cat([seen, self.about[3:](about)], 1))
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
