"""`python -m tests.vision.other_processor FILE [BESIDE]`: the networks' output here for one seed's noise.

Written both with Tenshu's own settings and with ONNX Runtime's defaults; also prints the differences from
what another processor wrote to `BESIDE`.
"""

import argparse
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from vision.network import INPUTS, OrtNetwork, _sums_overflow

SHAPES = {
    "tray": [(1, 128, 160, 3)],
    "closer": [(4, 64, 64, 4)],
    "wide": [(2, 128, 128, 8), (2, 64, 64, 8)],
}


def main(output: Path, beside: Path | None = None) -> None:
    """Write one array per network, and one each with the default settings."""
    import onnxruntime

    chance = np.random.default_rng(11)
    arrays: dict[str, Any] = {"overflows": np.array(_sums_overflow())}
    for name, shapes in SHAPES.items():
        weights = files("vision").joinpath(f"data/{name}.onnx").read_bytes()
        levels = [chance.integers(0, 255, shape, np.uint8) for shape in shapes]
        arrays[name] = OrtNetwork(weights).run(*levels)
        usual = onnxruntime.InferenceSession(weights, providers=["CPUExecutionProvider"])
        arrays[f"usual {name}"] = usual.run(None, dict(zip(INPUTS, levels, strict=False)))[0]
    np.savez(output, **arrays)
    if beside is not None:
        with np.load(beside) as other_arrays:
            for name, values in arrays.items():
                difference = np.abs(values.astype(float) - other_arrays[name])
                print(f"{name:14} {difference.mean():8.4f} in the mean, {difference.max():8.4f} at most")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="What the networks say here of one seed's noise.")
    parser.add_argument("output", type=Path, metavar="FILE", help="where it is written, as here.npz")
    parser.add_argument("beside", type=Path, nargs="?", metavar="BESIDE", help="what another processor wrote")
    main(**vars(parser.parse_args()))
