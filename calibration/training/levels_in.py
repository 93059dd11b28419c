"""Make networks read pictures as they are stored: 8-bit levels, with interleaved channels.

They are trained on planar floats in -1..1. Converting a picture takes a tenth of a look's time in NumPy, and
none at all if the first convolution is itself 8-bit. Needs `onnx`; see docs/training.md.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from vision.network import INPUTS

MIDDLE = 128
"""Zero point of the levels, one that 8 bits can express; in training it is 127.5."""
STEP = np.float32(1 / 127.5)
"""Value of one level."""
_OFF = np.float32(MIDDLE - 127.5) * STEP


def about_the_middle(graph: onnx.GraphProto) -> None:
    """Move a float graph's zero point from 127.5 to `MIDDLE`, absorbed by its first convolutions' biases."""
    held = {one.name: one for one in graph.initializer}
    names = {one.name for one in graph.input}
    for node in graph.node:
        if node.op_type == "Conv" and node.input[0] in names:
            weights, bias = (numpy_helper.to_array(held[name]) for name in node.input[1:])
            there = bias + _OFF * weights.sum(axis=(1, 2, 3), dtype=np.float32)
            held[node.input[2]].CopyFrom(numpy_helper.from_array(there, node.input[2]))


def take_levels(graph: onnx.GraphProto) -> None:
    """Make a graph with zero point `MIDDLE` read (N, H, W, C) uint8 inputs, named `vision.network.INPUTS`."""
    graph.initializer.extend(
        [numpy_helper.from_array(STEP, "step"), numpy_helper.from_array(np.uint8(MIDDLE), "middle")]
    )
    first = []
    for old, name in zip(list(graph.input), INPUTS, strict=False):
        number, channels, *size = (
            side.dim_value or side.dim_param for side in old.type.tensor_type.shape.dim
        )
        graph.input.remove(old)
        graph.input.append(helper.make_tensor_value_info(name, TensorProto.UINT8, [number, *size, channels]))
        planes, floats = f"{name}_planes", f"{name}_floats"
        rounded = [n for n in graph.node if n.op_type == "QuantizeLinear" and n.input[0] == old.name]
        for node in rounded:  # the input is in levels already
            graph.node.remove(node)
            _read_instead(graph, node.output[0], planes)
        first.append(helper.make_node("Transpose", [name], [planes], perm=[0, 3, 1, 2]))
        if _read_instead(graph, old.name, floats):
            first.append(helper.make_node("DequantizeLinear", [planes, "step", "middle"], [floats]))
    for node in reversed(first):
        graph.node.insert(0, node)


def _read_instead(graph: onnx.GraphProto, old: str, new: str) -> bool:
    """Make the nodes that read the old name read the new one; return whether there were any."""
    readers = [(node, n) for node in graph.node for n, name in enumerate(node.input) if name == old]
    for node, n in readers:
        node.input[n] = new
    return bool(readers)
