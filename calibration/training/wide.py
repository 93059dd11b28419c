"""The network of the wide look, and how it is grown from a smaller one.

It has three branches for the place itself: coarse, fine, and one for what is dark, since black on black
differs by a few levels of 255, next to nothing beside the edges of red and white cubes, but not so as a share
of the light. Two branches see the surroundings. They meet where 4 px are left.
"""

from pathlib import Path

import torch
from torch import Tensor, nn

from calibration.training.checkpoints import load_weights, read_weights
from calibration.training.net import Block, conv
from vision.finding.closer import OUTPUTS, PATCH_PX
from vision.finding.upright import LEVEL_OFFSET, NEAR_CHANNELS

_COARSE, _FINE, _FINER, _JOINED = 16, 16, 32, 24
_CHANNELS = (80, 160)
"""Channels at 1/8 and 1/16."""
_ABOUT = (16, 24, 32)
_DARK = 8
_LAST_PX = PATCH_PX // 16
_FAINT = 0.02
"""Factor on the initial weights of connections from new channels into old ones."""
_SEEN = 3
"""Blue, green, red: the first channels."""
_GAIN = 4.0
"""Initial gain on a dark edge, before it saturates: bright edges need not be distinguished here."""


class Dark(nn.Module):
    """Edges relative to their share of the light; faint ones count nearly as much as strong ones."""

    def __init__(self, channels: int, kernel: int, stride: int) -> None:
        super().__init__()
        self.edges = nn.Conv2d(channels, _DARK, kernel, stride, kernel // 2 - (kernel + 1) % 2, bias=False)
        self.even = nn.BatchNorm2d(_DARK)
        nn.init.constant_(self.even.weight, _GAIN)

    def forward(self, x: Tensor) -> Tensor:
        """Map (N, channels, H, W), -1..1, to (N, _DARK, H/stride, W/stride), -1..1."""
        share = torch.log(x * 0.5 + (0.5 + LEVEL_OFFSET)) * 0.5 + 1  # about 0 in the dark, as is the padding
        return torch.clamp(self.even(self.edges(share)), -1, 1)


class WideNet(nn.Module):
    """The place goes from 128 px down to 4 in three branches, the wide view in its own to the same 4 px."""

    def __init__(self) -> None:
        super().__init__()
        b, c = _CHANNELS
        first, second, third = _ABOUT
        seen = nn.Conv2d(NEAR_CHANNELS, _COARSE, 6, 4, 2, bias=False)
        self.coarse = nn.Sequential(seen, nn.BatchNorm2d(_COARSE), nn.ReLU())
        self.fine = nn.Sequential(
            conv(NEAR_CHANNELS, _FINE, stride=2), conv(_FINE + _DARK, _FINER, stride=2), conv(_FINER, _JOINED)
        )
        stages = (conv(_COARSE + _JOINED, b, stride=2), Block(b), Block(b), conv(b, c, stride=2), Block(c))
        self.seen = nn.Sequential(*stages, conv(c, c, stride=2))
        # Fully connected layers as convolutions: OpenCV reads no 8-bit fully connected layer.
        dense = nn.Conv2d(c + third, 128, _LAST_PX)
        self.all = nn.Sequential(nn.Dropout(0.2), dense, nn.ReLU(), nn.Conv2d(128, OUTPUTS, 1), nn.Flatten())
        self.dark = Dark(_SEEN, 5, 2)
        # 2 x 2 px are one pixel of the wide view: the kernel spans three of these, the stride two.
        squares = nn.Conv2d(1, first, 6, 4, 2, bias=False)
        smaller = (
            conv(first + _DARK, second, stride=2),
            conv(second, third, stride=2),
            conv(third, third, stride=2),
        )
        self.about = nn.Sequential(squares, nn.BatchNorm2d(first), nn.ReLU(), *smaller)
        self.dark_about = Dark(1, 6, 4)

    def forward(self, x: Tensor) -> Tensor:
        """Map (N, CHANNELS, SIDE_PX, SIDE_PX), -1..1, to (N, OUTPUTS) logits."""
        near, wide = x[:, :NEAR_CHANNELS], x[:, NEAR_CHANNELS:]
        about = torch.cat([self.about[:3](wide), self.dark_about(wide)], 1)
        dark = self.dark(x[:, :_SEEN])
        coarse, fine = self.coarse(near), self.fine[0](near)
        fine = self.fine[1:](torch.cat([fine, dark], 1))
        seen = self.seen(torch.cat([coarse, fine], 1))
        out: Tensor = self.all(torch.cat([seen, self.about[3:](about)], 1))
        return out


def start_wide(path: Path) -> WideNet:
    """Load a checkpoint, or grow from one with fewer channels and one block less, keeping nearly its outputs.

    Raises `CheckpointError`.
    """
    net, old = WideNet(), read_weights(path)
    state = net.state_dict()
    if old.keys() == state.keys():
        return load_weights(net, old, path)
    grown = {_renamed_layer(name): value for name, value in old.items()}
    if not all(name in state and _fits(value, state[name]) for name, value in grown.items()):
        return load_weights(net, old, path)  # raises, as it does not fit
    joints = {"seen.0.0.weight": _COARSE, "all.1.weight": old["all.1.weight"].shape[1] - _ABOUT[-1]}
    for name, value in grown.items():
        state[name] = _copy_weights(state[name], value, joints.get(name))
    state["seen.2.second.1.weight"].zero_()  # the new block contributes nothing yet
    return load_weights(net, state, path)


def load_wide(path: Path) -> WideNet:
    """Load a network from a checkpoint. Raises `CheckpointError`."""
    return load_weights(WideNet(), read_weights(path), path)


def _renamed_layer(name: str) -> str:
    """Return the new name of an old layer's weights, given the additional block after the first."""
    branch, number, *rest = name.split(".")
    return ".".join([branch, str(int(number) + 1), *rest]) if branch == "seen" and int(number) > 1 else name


def _copy_weights(fresh: Tensor, old: Tensor, joint: int | None) -> Tensor:
    """Copy old weights into fresh ones; two branches meet at input `joint`, the second moves to the end."""
    if old.dim() < 2:
        fresh[tuple(slice(side) for side in old.shape)] = old
        return fresh
    outputs, inputs = old.shape[:2]
    fresh[:outputs] *= _FAINT
    first = inputs if joint is None else joint
    fresh[:outputs, :first] = old[:, :first]
    if first < inputs:
        start = joint if joint == _COARSE else fresh.shape[1] - (inputs - first)
        fresh[:outputs, start : start + inputs - first] = old[:, first:]
    return fresh


def _fits(old: Tensor, new: Tensor) -> bool:
    return old.dim() == new.dim() and all(a <= b for a, b in zip(old.shape, new.shape, strict=True))
