"""Make a trainable network from an exported file, in which batch normalisation is folded away.

Each normalisation is put back so that it changes nothing: its running mean and variance are measured on
crops, and its scale and shift undo them.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from calibration.training.checkpoints import CheckpointError
from calibration.training.net import CubeNet


def revive(path: Path, views: Sequence[Tensor]) -> CubeNet:
    """Return the network of an exported float file; `views` are (N, 3, H, W), as in training.

    Raises `CheckpointError`.
    """
    net = CubeNet()
    pairs = _find_convolutions(net)
    folded = _read_folded(path, len(pairs))
    with torch.no_grad():
        for (weight, bias), (convolution, normalisation) in zip(folded, pairs, strict=True):
            convolution.weight[:] = torch.from_numpy(np.array(weight))
            if normalisation is not None:
                normalisation.bias[:] = torch.from_numpy(np.array(bias))
            elif convolution.bias is not None:
                convolution.bias[:] = torch.from_numpy(np.array(bias))
        _restore_statistics(net, [n for _, n in pairs if n is not None], views)
    return net


def _read_folded(path: Path, number: int) -> list[list[npt.NDArray[np.float32]]]:
    """Return weights and bias of each of the `number` convolutions of an exported file."""
    try:
        graph = onnx.load(path).graph
        stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
        folded = [[stored[name] for name in node.input[1:3]] for node in graph.node if node.op_type == "Conv"]
        if len(folded) != number:
            raise ValueError(number)
    except Exception as error:  # ONNX's errors have no common base
        raise CheckpointError(
            f"{path} cannot be read as an exported detector of floats.",
            "Name a file that `python -m calibration.training export` wrote.",
        ) from error
    return folded


def _find_convolutions(net: CubeNet) -> list[tuple[nn.Conv2d, nn.BatchNorm2d | None]]:
    """Return convolutions and their normalisations in graph order, which is that of the modules."""
    pairs: list[tuple[nn.Conv2d, nn.BatchNorm2d | None]] = []
    for module in net.modules():
        if isinstance(module, nn.Conv2d):
            pairs.append((module, None))
        elif isinstance(module, nn.BatchNorm2d):
            pairs[-1] = (pairs[-1][0], module)
    return pairs


def _restore_statistics(
    net: CubeNet, normalisations: Sequence[nn.BatchNorm2d], views: Sequence[Tensor]
) -> None:
    """Measure mean and variance before each normalisation, layer by layer, as those before must be set."""
    for layer in normalisations:
        seen: list[Tensor] = []
        hook = layer.register_forward_hook(
            lambda _module, inputs, _output, seen=seen: seen.append(inputs[0].transpose(0, 1).flatten(1))
        )
        net.eval()
        for batch in views:
            net(batch)
        hook.remove()
        values = torch.cat(seen, dim=1)
        mean, variance = values.mean(1), values.var(1)
        layer.running_mean = mean.clone()
        layer.running_var = variance.clone()
        layer.weight[:] = torch.sqrt(variance + layer.eps)
        layer.bias += mean
