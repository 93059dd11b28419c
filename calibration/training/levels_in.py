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
_ZERO_POINT_SHIFT = np.float32(MIDDLE - 127.5) * STEP


def move_zero_point(graph: onnx.GraphProto) -> None:
    """Move a float graph's zero point from 127.5 to `MIDDLE`, absorbed by its first convolutions' biases."""
    initializers = {one.name: one for one in graph.initializer}
    input_names = {one.name for one in graph.input}
    for node in graph.node:
        if node.op_type == "Conv" and node.input[0] in input_names:
            weights, bias = (numpy_helper.to_array(initializers[name]) for name in node.input[1:])
            shifted_bias = bias + _ZERO_POINT_SHIFT * weights.sum(axis=(1, 2, 3), dtype=np.float32)
            initializers[node.input[2]].CopyFrom(numpy_helper.from_array(shifted_bias, node.input[2]))


def take_levels(graph: onnx.GraphProto) -> None:
    """Make a graph with zero point `MIDDLE` read (N, H, W, C) uint8 inputs, named `vision.network.INPUTS`."""
    graph.initializer.extend(
        [numpy_helper.from_array(STEP, "step"), numpy_helper.from_array(np.uint8(MIDDLE), "middle")]
    )
    new_nodes = []
    for old, name in zip(list(graph.input), INPUTS, strict=False):
        number, channels, *size = (
            side.dim_value or side.dim_param for side in old.type.tensor_type.shape.dim
        )
        graph.input.remove(old)
        graph.input.append(helper.make_tensor_value_info(name, TensorProto.UINT8, [number, *size, channels]))
        planes, floats = f"{name}_planes", f"{name}_floats"
        quantizers = [n for n in graph.node if n.op_type == "QuantizeLinear" and n.input[0] == old.name]
        for node in quantizers:  # the input is in levels already
            graph.node.remove(node)
            _rewire_readers(graph, node.output[0], planes)
        new_nodes.append(helper.make_node("Transpose", [name], [planes], perm=[0, 3, 1, 2]))
        if _rewire_readers(graph, old.name, floats):
            new_nodes.append(helper.make_node("DequantizeLinear", [planes, "step", "middle"], [floats]))
    for node in reversed(new_nodes):
        graph.node.insert(0, node)


def _rewire_readers(graph: onnx.GraphProto, old: str, new: str) -> bool:
    """Make the nodes that read the old name read the new one; return whether there were any."""
    readers = [(node, n) for node in graph.node for n, name in enumerate(node.input) if name == old]
    for node, n in readers:
        node.input[n] = new
    return bool(readers)
