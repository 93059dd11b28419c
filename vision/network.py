"""A small network that ships with the program, run on the CPU by ONNX Runtime; by OpenCV where there is none.

The detector's weights are 8-bit integers (see docs/training.md): ONNX Runtime needs a third of OpenCV's time
for them. Any thread may ask.
"""

import os
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from math import prod
from threading import Lock, local
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture

try:
    import onnxruntime
except ImportError:  # no wheel for a 32-bit board
    onnxruntime = None

Floats = npt.NDArray[np.float32]
_THREADS = {"cubes": 2, "closer": 2, "wide": 2, "tray": 1, "cover": 2}
"""A third thread gains nothing at this size, and the page wants a core; the tray is looked for while another
thread looks for the mat's markers."""
_ERRORS_ONLY = 3
_HALF = 127.5
"""Of the range of a level."""


class Network(Protocol):
    """Pictures in, the first output out."""

    def run(self, pictures: Sequence[Picture]) -> Floats:
        """(N, …) raw values of N (H, W, C) uint8 pictures of one size."""


def network(name: str) -> Network:
    """The one that ships as `vision/data/<name>.onnx`; loaded once a process."""
    return _loaded(name, os.getpid())


@cache
def _loaded(name: str, process: int) -> Network:
    """Threads do not come along into a forked process: it loads its own, and the parent's stays untouched."""
    weights = files("vision").joinpath(f"data/{name}.onnx").read_bytes()
    return OpenCvNetwork(weights) if onnxruntime is None else OrtNetwork(weights, _THREADS[name])


class OrtNetwork:
    """ONNX Runtime's."""

    def __init__(self, weights: bytes, threads: int = 2) -> None:
        options = onnxruntime.SessionOptions()
        # No more than OpenCV may: processes that read side by side have a core each.
        options.intra_op_num_threads = min(threads, cv2.getNumThreads())
        # Waking a thread costs more than a layer; spinning between two pictures would take the page's core.
        options.add_session_config_entry("session.intra_op.allow_spinning", "1")
        options.add_session_config_entry("session.force_spinning_stop", "1")
        options.log_severity_level = _ERRORS_ONLY
        self._session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
        self._input = self._session.get_inputs()[0].name
        self._own = local()

    def run(self, pictures: Sequence[Picture]) -> Floats:
        """(N, …) raw values of N (H, W, C) uint8 pictures of one size."""
        values: Floats = self._session.run(None, {self._input: self._filled(pictures)})[0]
        return values

    def _filled(self, pictures: Sequence[Picture]) -> Floats:
        """As `centred`, in memory that each thread keeps: fresh megabytes take longer than the sums."""
        height, width, channels = pictures[0].shape
        shape = (len(pictures), channels, height, width)
        kept: Floats = getattr(self._own, "kept", np.empty(0, np.float32))
        if kept.size < prod(shape):
            kept = self._own.kept = np.empty(prod(shape), np.float32)
        blob = kept[: prod(shape)].reshape(shape)
        for place, picture in zip(blob, pictures, strict=True):
            place[:] = picture.transpose(2, 0, 1)
        np.multiply(blob, np.float32(1 / _HALF), out=blob)
        np.subtract(blob, np.float32(1), out=blob)
        return blob


class OpenCvNetwork:
    """OpenCV's; it keeps input and output in itself, so one at a time."""

    def __init__(self, weights: bytes) -> None:
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8), cv2.dnn.ENGINE_CLASSIC)
        self._one_at_a_time = Lock()

    def run(self, pictures: Sequence[Picture]) -> Floats:
        """(N, …) raw values of N (H, W, C) uint8 pictures of one size."""
        with self._one_at_a_time:
            self._net.setInput(centred(pictures))
            return np.array(self._net.forward(), np.float32)


def centred(pictures: Sequence[Picture]) -> Floats:
    """(N, C, H, W), -1..1, of N (H, W, C) pictures."""
    return np.ascontiguousarray(np.stack(pictures).transpose(0, 3, 1, 2) / np.float32(_HALF) - np.float32(1))
