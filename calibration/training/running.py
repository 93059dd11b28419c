"""The wide look in the form in which it ships: the outputs of `wide.WideNet` in half the time.

The network that is trained takes the logarithm of every pixel and splits channels, which in 8 bits costs a
processor more than all convolutions. This one gets the shares of the light beside the levels, from a table of
256 (`vision.finding.upright`); its first convolutions read all channels of an input; and the wide view comes
as it is, not packed into one channel.
"""

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from calibration.training.wide import WideNet
from vision.finding.stored import SIDE_PX
from vision.finding.upright import INPUT_CHANNELS, NEAR_CHANNELS, REACH
from vision.network import INPUTS

_SQUARE = 2
"""Side of the square of a packed view's pixels that makes up one pixel of the view."""
_LAYERS = _SQUARE**2
_SEEN = 3
"""Blue, green, red."""


class Running(nn.Module):
    """A trained network; outputs differ only by the rounding of the shares to 8 bits and at their borders."""

    def __init__(self, net: WideNet) -> None:
        super().__init__()
        net = net.eval()
        levels, shares = slice(0, NEAR_CHANNELS), slice(NEAR_CHANNELS, NEAR_CHANNELS + _SEEN)
        self.coarse = nn.Sequential(_channel_convolution(levels, net.coarse[0], net.coarse[1]), nn.ReLU())
        self.fine = nn.Sequential(_channel_convolution(levels, net.fine[0][0], net.fine[0][1]), nn.ReLU())
        self.dark = _channel_convolution(shares, net.dark.edges, net.dark.even, REACH)
        first, self.about_on = net.about[:2], net.about[3:]
        levels, shares = slice(0, _LAYERS), slice(_LAYERS, 2 * _LAYERS)
        self.about = nn.Sequential(_unpacked_convolution(levels, first[0], first[1]), nn.ReLU())
        self.dark_about = _unpacked_convolution(shares, net.dark_about.edges, net.dark_about.even, REACH)
        self.fine_on, self.seen, self.all = net.fine[1:], net.seen, net.all

    def forward(self, near: Tensor, about: Tensor) -> Tensor:
        """Map (N, INPUT_CHANNELS, S, S) and (N, INPUT_CHANNELS, S/2, S/2), -1..1, to (N, OUTPUTS) logits."""
        beside = torch.cat([self.about(about), torch.clamp(self.dark_about(about), -1, 1)], 1)
        fine = torch.cat([self.fine(near), torch.clamp(self.dark(near), -1, 1)], 1)
        seen = self.seen(torch.cat([self.coarse(near), self.fine_on(fine)], 1))
        out: Tensor = self.all(torch.cat([seen, self.about_on(beside)], 1))
        return out


def _channel_convolution(
    channels: slice, convolution: nn.Conv2d, normalisation: nn.BatchNorm2d, scale: float = 1.0
) -> nn.Conv2d:
    """Return a convolution over all channels that uses only some of them, with its weights scaled."""
    folded = fuse_conv_bn_eval(convolution, normalisation)
    weights = torch.zeros(folded.out_channels, INPUT_CHANNELS, *folded.kernel_size)
    weights[:, channels] = folded.weight.detach() * scale
    return _convolution(weights, folded.bias.detach(), folded.stride, folded.padding)


def _unpacked_convolution(
    channels: slice, convolution: nn.Conv2d, normalisation: nn.BatchNorm2d, scale: float = 1.0
) -> nn.Conv2d:
    """Turn a convolution over a packed view into one over the view itself, held in these `channels`."""
    folded = fuse_conv_bn_eval(convolution, normalisation)
    packed = folded.weight.detach()[:, 0] * scale
    squares = [
        packed[:, down::_SQUARE, across::_SQUARE] for down in range(_SQUARE) for across in range(_SQUARE)
    ]
    layers = torch.stack(squares, 1)
    weights = torch.zeros(len(layers), INPUT_CHANNELS, *layers.shape[2:])
    weights[:, channels] = layers
    stride, padding = (tuple(n // _SQUARE for n in pair) for pair in (folded.stride, folded.padding))
    return _convolution(weights, folded.bias.detach(), stride, padding)


def _convolution(
    weights: Tensor, bias: Tensor, stride: tuple[int, ...], padding: tuple[int, ...]
) -> nn.Conv2d:
    outputs, inputs, *kernel = weights.shape
    layer = nn.Conv2d(inputs, outputs, tuple(kernel), stride, padding)
    layer.weight.data, layer.bias.data = weights, bias
    return layer


def export_running(net: WideNet, path: Path) -> None:
    """Write the network as it ships, for any number of places, batch normalisation folded in."""
    shapes = (SIDE_PX, SIDE_PX), (SIDE_PX // 2, SIDE_PX // 2)
    torch.onnx.export(
        Running(net).eval(),
        tuple(torch.zeros(2, INPUT_CHANNELS, *shape) for shape in shapes),
        str(path),
        input_names=list(INPUTS),
        output_names=["logits"],
        opset_version=17,
        dynamic_axes={name: {0: "number"} for name in (*INPUTS, "logits")},
        dynamo=False,  # as for the detector (`net.export`)
    )
