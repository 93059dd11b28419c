"""An exported network with 8-bit weights and activations: a third of the time, a quarter of the size.

The first convolutions and the detector's last stay as they are: they cost little, and much of the loss of
exactness would be theirs. Ranges are measured on rendered trays. Needs `onnx`; see docs/training.md.
"""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from calibration.synth import render
from vision.finding.closer import LOWEST, patches
from vision.finding.detector import EDGE_PX, decode, look
from vision.finding.finer import apart
from vision.finding.stored import Source
from vision.finding.upright import upright_patches
from vision.network import centred
from vision.pictures import Picture
from vision.scene.locator import as_shown
from vision.scene.rectify import rectify

_SIDE_PX = 448
_EVERY = 4


class _Pictures(CalibrationDataReader):
    def __init__(self, name: str, pictures: Iterator[Picture]) -> None:
        self._name = name
        self._pictures = pictures

    def get_next(self) -> dict[str, np.ndarray] | None:
        """The next one, as the network is fed."""
        picture = next(self._pictures, None)
        if picture is None:
            return None
        return {self._name: centred([picture])}


def trays(seeds: range) -> Iterator[Picture]:
    """What the detector is shown."""
    for seed in seeds:
        flat = rectify(render(seed)[0])
        if flat is not None:  # of one size, as the ranges are put together
            yield flat.image[:_SIDE_PX, :_SIDE_PX]


def tables(seeds: range) -> Iterator[Picture]:
    """What the tray finder is shown."""
    for seed in seeds:
        yield as_shown(render(seed)[0])[0]


def places(seeds: range) -> Iterator[Picture]:
    """What the closer look is shown: some of the places that the detector names."""
    for tray in trays(seeds):
        peaks = decode(look(tray), LOWEST)
        yield from patches(tray, peaks, EDGE_PX)[::_EVERY]


def wide_places(seeds: range) -> Iterator[Picture]:
    """What the wide look is shown."""
    for seed in seeds:
        picture = render(seed)[0]
        flat = rectify(picture)
        if flat is not None:
            found, _ = apart(decode(look(flat.image), LOWEST), EDGE_PX)
            source = Source.of(picture, flat)
            yield from upright_patches(source, flat.image, found, range(0, len(found), _EVERY))


def quantize(floats: Path, output: Path, pictures: Iterator[Picture], ends: tuple[int, int]) -> None:
    """Writes the 8-bit network of an exported one; ranges are measured on what it is shown.

    `ends` are the first and the last convolutions that stay floats.
    """
    with TemporaryDirectory() as folder:
        folded = Path(folder) / "folded.onnx"
        quant_pre_process(floats, folded, skip_symbolic_shape=True)
        graph = onnx.load(folded).graph
        convolutions = [node.name for node in graph.node if node.op_type == "Conv"]
        quantize_static(
            folded,
            output,
            _Pictures(graph.input[0].name, pictures),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            nodes_to_exclude=[*convolutions[: ends[0]], *convolutions[len(convolutions) - ends[1] :]],
        )
