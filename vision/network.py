"""A small network that ships with the program, run on the CPU by ONNX Runtime, or by OpenCV if that is
missing.

The detector's weights are 8-bit integers (see docs/training.md), for which ONNX Runtime needs a third of
OpenCV's time. Thread-safe.
"""

import os
from functools import cache
from importlib.resources import files
from threading import Lock
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

try:
    import onnxruntime
except ImportError:  # no wheel for a 32-bit board
    onnxruntime = None

Floats = npt.NDArray[np.float32]
_THREADS = {"cubes": 2, "closer": 2, "wide": 2, "tray": 1, "cover": 1}
"""A third thread gains nothing at this size, and the page needs a core; the tray is located while another
thread looks for the mat's markers."""
_ERRORS_ONLY = 3
INPUTS = ("levels", "about")
"""Names of a network's inputs; every network has the first."""
Levels = npt.NDArray[np.uint8]
"""(N, H, W, C) pictures of one size, as stored."""


class Network(Protocol):
    """Takes levels and returns the network's first output."""

    def run(self, *levels: Levels) -> Floats:
        """Return (N, …) raw values for N pictures, given one (N, H, W, C) per input of the network, in
        order."""


def network(name: str, *, spare_core: bool = False) -> Network:
    """Return the network shipped as `vision/data/<name>.onnx`, loaded once per process.

    `spare_core`: leave a core to work that runs at the same time.
    """
    threads = min(_THREADS[name], cv2.getNumThreads() - 1 if spare_core else cv2.getNumThreads())
    return _load_network(name, max(1, threads), os.getpid())


@cache
def _load_network(name: str, threads: int, process: int) -> Network:
    """Keyed by process, since threads do not survive a fork: a child loads its own network."""
    weights = files("vision").joinpath(f"data/{name}.onnx").read_bytes()
    return OpenCvNetwork(weights) if onnxruntime is None else OrtNetwork(weights, threads)


class OrtNetwork:
    """Runs a network with ONNX Runtime."""

    def __init__(self, weights: bytes, threads: int = 2) -> None:
        options = onnxruntime.SessionOptions()
        # No more than OpenCV may use: processes that read in parallel have a core each.
        options.intra_op_num_threads = min(threads, cv2.getNumThreads())
        # Waking a thread costs more than a layer; spinning between two pictures would take the page's core.
        options.add_session_config_entry("session.intra_op.allow_spinning", "1")
        options.add_session_config_entry("session.force_spinning_stop", "1")
        if _sums_overflow():
            options.add_session_config_entry("session.x64quantprecision", "1")
        options.log_severity_level = _ERRORS_ONLY
        self._session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])

    def run(self, *levels: Levels) -> Floats:
        """Return (N, …) raw values for N pictures, given one (N, H, W, C) per input."""
        values: Floats = self._session.run(None, dict(zip(INPUTS, levels, strict=False)))[0]
        return values


@cache
def _sums_overflow() -> bool:
    """Whether products are summed in 16 bits, as by AVX2 without VNNI (onnxruntime/onnxruntime#6004).

    Exact sums take half as long again, so they are requested only if needed.
    """
    probe = files("vision").joinpath("data/sums.onnx").read_bytes()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # so that it starts no thread pool
    session = onnxruntime.InferenceSession(probe, options, providers=["CPUExecutionProvider"])
    levels, weights = np.full((1, 64), 255, np.uint8), np.full((64, 16), 127, np.int8)
    sums = session.run(None, {"levels": levels, "weights": weights})[0]
    return bool((sums != 255 * 127 * 64).any())


class OpenCvNetwork:
    """Runs a network with OpenCV, whose nets keep input and output inside: one call at a time."""

    def __init__(self, weights: bytes) -> None:
        # The older engine treats levels as floats and returns nonsense.
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8), cv2.dnn.ENGINE_NEW)
        self._one_at_a_time = Lock()

    def run(self, *levels: Levels) -> Floats:
        """Return (N, …) raw values for N pictures, given one (N, H, W, C) per input."""
        with self._one_at_a_time:
            for name, batch in zip(INPUTS, levels, strict=False):
                self._net.setInput(batch, name)
            return np.array(self._net.forward(), np.float32)
