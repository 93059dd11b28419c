"""The exported detector with 8-bit weights and activations: a third of the time, a quarter of the size.

The first two and the last two convolutions stay as they are: they cost little, and much of the loss of
exactness would be theirs. Ranges are measured on rendered trays. Needs `onnx`; see docs/training.md.
"""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from calibration.synth import render
from vision.pictures import Picture
from vision.rectify import rectify

_ENDS = 2
_SIDE_PX = 448


class _Trays(CalibrationDataReader):
    def __init__(self, name: str, seeds: range) -> None:
        self._name = name
        self._trays = _rendered(seeds)

    def get_next(self) -> dict[str, np.ndarray] | None:
        """The next one, as the network is fed."""
        tray = next(self._trays, None)
        if tray is None:
            return None
        return {self._name: cv2.dnn.blobFromImage(tray, 1 / 127.5, mean=(127.5, 127.5, 127.5))}


def _rendered(seeds: range) -> Iterator[Picture]:
    for seed in seeds:
        flat = rectify(render(seed)[0])
        if flat is not None:  # of one size, as the ranges are put together
            yield flat.image[:_SIDE_PX, :_SIDE_PX]


def quantize(floats: Path, output: Path, seeds: range) -> None:
    """Writes the 8-bit network of an exported one."""
    with TemporaryDirectory() as folder:
        folded = Path(folder) / "folded.onnx"
        quant_pre_process(floats, folded, skip_symbolic_shape=True)
        graph = onnx.load(folded).graph
        convolutions = [node.name for node in graph.node if node.op_type == "Conv"]
        quantize_static(
            folded,
            output,
            _Trays(graph.input[0].name, seeds),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            nodes_to_exclude=[*convolutions[:_ENDS], *convolutions[-_ENDS:]],
        )
