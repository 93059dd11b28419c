"""The network of the finer and the upright look: the closer look's, with a second beginning."""

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from calibration.training.checkpoints import holding, not_held, weights, widened
from calibration.training.net import Block, conv
from vision.finding.closer import OUTPUTS, PATCH_PX
from vision.finding.stored import FINE
from vision.finding.upright import NEAR

_COARSE, _FINE, _FINER = 16, 16, 24
_WIDE = (40, 80)
_LEFT = PATCH_PX // 16


class FinerNet(nn.Module):
    """128 px down to 4, by two ways to a quarter of the size."""

    def __init__(
        self, channels: int = 4, wide: tuple[int, int] = _WIDE, beside: int = 0, dark: int = 0
    ) -> None:
        """`wide`: channels at 1/8 and 1/16; other ways of seeing add `beside` at 1/32, `dark` at 1/2."""
        super().__init__()
        b, c = wide
        seen = nn.Conv2d(channels, _COARSE, 6, 4, 2, bias=False)
        self.coarse = nn.Sequential(seen, nn.BatchNorm2d(_COARSE), nn.ReLU())
        self.fine = nn.Sequential(
            conv(channels, _FINE, stride=2), conv(_FINE + dark, _FINER, stride=2), conv(_FINER, _FINE)
        )
        halves = (conv(_COARSE + _FINE, b, stride=2), Block(b), conv(b, c, stride=2), Block(c))
        self.seen = nn.Sequential(*halves, conv(c, c, stride=2))
        whole = nn.Conv2d(c + beside, 128, _LEFT)
        self.all = nn.Sequential(nn.Dropout(0.2), whole, nn.ReLU(), nn.Conv2d(128, OUTPUTS, 1), nn.Flatten())

    def forward(self, x: Tensor) -> Tensor:
        """(N, channels, SIDE_PX, SIDE_PX), -1..1, to (N, OUTPUTS) logits."""
        out: Tensor = self.all(self.near(x))
        return out

    def near(self, x: Tensor, dark: Tensor | None = None) -> Tensor:
        """(N, c, 4, 4) of what the place itself shows; `dark`: what another way saw of it, half as fine."""
        coarse, fine = self.coarse(x), self.fine[0](x)
        fine = self.fine[1:](fine if dark is None else torch.cat([fine, dark], 1))
        seen: Tensor = self.seen(torch.cat([coarse, fine], 1))
        return seen


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
        raise not_held(closer)
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
    return holding(net, state, closer)


def spread(kernel: Tensor) -> Tensor:
    """What does to a picture of twice the size what a kernel does to its halves."""
    fine = int(FINE)
    return kernel.repeat_interleave(fine, 2).repeat_interleave(fine, 3) / fine**2


def load_finer(path: Path) -> FinerNet:
    """A network from a checkpoint. Raises `CheckpointError`."""
    return holding(FinerNet(), weights(path), path)


def load_upright(path: Path) -> FinerNet:
    """The upright look's, from its checkpoint or from the finer look's. Raises `CheckpointError`."""
    state = widened(weights(path), NEAR, "coarse.0.weight", "fine.0.0.weight")
    return holding(FinerNet(NEAR), state, path)
