"""What is no part of Tenshu, as training and path tracing need it: told in a sentence where it is missing."""

import sys

_TORCH = "In an environment of its own with Tenshu: `pip install torch onnx` (docs/training.md)."
_REMEDIES = {
    "torch": _TORCH,
    "onnx": _TORCH,
    "bpy": "It is Blender as a module, of one Python each: docs/training.md says how to install it.",
}


def ended_without(missing: ModuleNotFoundError) -> SystemExit:
    """Says on stderr what is missing; to be raised. Raises `missing` itself where it is none of these."""
    remedy = _REMEDIES.get(missing.name or "")
    if remedy is None:
        raise missing
    sys.stderr.write(f"{missing.name} is not installed, and this needs it. {remedy}\n")
    return SystemExit(2)
