"""Quantise an exported network to 8-bit weights and activations: a third of the time, a quarter of the size.

Some of the first and last convolutions stay floats: they cost little, and would cause much of the loss of
accuracy. Ranges are measured on rendered trays. Needs `onnx`; see docs/training.md.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
from onnx import TensorProto, helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from calibration.synth import render
from calibration.training.levels_in import MIDDLE, STEP, move_zero_point, take_levels
from vision.errors import VisionError
from vision.finding.closer import LOWEST, patches
from vision.finding.detector import EDGE_PX, compute_cells, decode
from vision.finding.finer import drop_weak_neighbours
from vision.finding.stored import Source
from vision.finding.upright import network_inputs, upright_patches
from vision.network import Levels
from vision.scene.locator import reduce_for_network
from vision.scene.rectify import rectify

_SIDE_PX = 448
_PLACE_STEP = 4
_LEVELS = {"rmin": -MIDDLE * STEP, "rmax": (255 - MIDDLE) * STEP}
"""Quantisation range of an input: its 8 bits are the levels themselves."""


Shown = tuple[Levels, ...]
"""One sample for a network: (1, H, W, C) for each of its inputs."""


class NetworkError(VisionError):
    """A file is not a network, or not the expected one."""


class _Pictures(CalibrationDataReader):
    def __init__(self, names: Sequence[str], pictures: Iterator[Shown]) -> None:
        self._names = names
        self._pictures = pictures

    def get_next(self) -> dict[str, np.ndarray] | None:
        """Return the next sample as the float network takes it, or None at the end."""
        sample = next(self._pictures, None)
        if sample is None:
            return None
        floats = [(levels.astype(np.float32) - np.float32(MIDDLE)) * STEP for levels in sample]
        return {
            name: np.ascontiguousarray(values.transpose(0, 3, 1, 2))
            for name, values in zip(self._names, floats, strict=True)
        }


def trays(seeds: range) -> Iterator[Shown]:
    """Yield samples for the detector."""
    for seed in seeds:
        flat = rectify(render(seed)[0])
        if flat is not None:  # all of one size, since their ranges are combined
            yield (flat.image[None, :_SIDE_PX, :_SIDE_PX],)


def tables(seeds: range) -> Iterator[Shown]:
    """Yield samples for the tray finder."""
    for seed in seeds:
        yield (reduce_for_network(render(seed)[0])[0][None],)


def places(seeds: range) -> Iterator[Shown]:
    """Yield samples for the closer look: some of the places that the detector names."""
    for ((tray,),) in trays(seeds):
        peaks = decode(compute_cells(tray), LOWEST)
        yield from ((patch[None],) for patch in patches(tray, peaks, EDGE_PX)[::_PLACE_STEP])


def wide_places(seeds: range) -> Iterator[Shown]:
    """Yield samples for the wide look."""
    for seed in seeds:
        picture = render(seed)[0]
        flat = rectify(picture)
        if flat is not None:
            found, _ = drop_weak_neighbours(decode(compute_cells(flat.image), LOWEST), EDGE_PX)
            source = Source.of(picture, flat)
            seen = upright_patches(source, flat.image, found, range(0, len(found), _PLACE_STEP))
            yield from (network_inputs([one]) for one in seen)


def quantize(floats: Path, output: Path, pictures: Iterator[Shown], ends: tuple[int, int]) -> None:
    """Write the 8-bit version, which reads levels, of an exported network. Ranges are measured on `pictures`.

    `ends`: how many of the first and of the last convolutions stay floats. Raises `NetworkError`.
    """
    first_sample = next(pictures)
    with TemporaryDirectory() as folder:
        middle, rounded = (Path(folder) / f"{name}.onnx" for name in ("middle", "rounded"))
        graph = _write_centred(floats, middle)
        names = [one.name for one in graph.input]
        counts = [one.type.tensor_type.shape.dim[1].dim_value for one in graph.input]
        if counts != [levels.shape[-1] for levels in first_sample]:
            raise NetworkError(
                f"{floats} is not what this network is exported as: the channels of its inputs are {counts}.",
                "Export it anew with `python -m calibration.training export`.",
            )
        convolutions = [node.name for node in graph.node if node.op_type == "Conv"]
        quantize_static(
            middle,
            rounded,
            _Pictures(names, chain([first_sample], pictures)),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            nodes_to_exclude=[*convolutions[: ends[0]], *convolutions[len(convolutions) - ends[1] :]],
            extra_options={"TensorQuantOverrides": {name: [_LEVELS] for name in names}},
        )
        _write_level_reader(rounded, output)


def read_levels(floats: Path, output: Path) -> None:
    """Write a version of an exported network that reads levels but keeps floats. Raises `NetworkError`."""
    with TemporaryDirectory() as folder:
        middle = Path(folder) / "middle.onnx"
        _write_centred(floats, middle)
        _write_level_reader(middle, output)


def write_sums_graph(output: Path) -> None:
    """Write the graph with which `vision.network` tests whether sums of 8-bit products overflow."""
    shape = [None, None]
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["levels", "weights"], ["sums"])],
        "sums",
        [
            helper.make_tensor_value_info("levels", TensorProto.UINT8, shape),
            helper.make_tensor_value_info("weights", TensorProto.INT8, shape),
        ],
        [helper.make_tensor_value_info("sums", TensorProto.INT32, shape)],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), output)


def _write_centred(floats: Path, middle: Path) -> onnx.GraphProto:
    """Move an exported network's zero point to `MIDDLE` and write it to `middle`. Raises `NetworkError`."""
    try:
        quant_pre_process(floats, middle, skip_symbolic_shape=True)
        model = onnx.load(middle)
    except Exception as error:  # ONNX's errors and its runtime's have no common base
        raise NetworkError(
            f"{floats} cannot be read as a network.",
            "Name a file that `python -m calibration.training export` wrote.",
        ) from error
    move_zero_point(model.graph)
    onnx.save(model, middle)
    return model.graph


def _write_level_reader(path: Path, output: Path) -> None:
    model = onnx.load(path)
    take_levels(model.graph)
    onnx.checker.check_model(model)
    onnx.save(model, output)
