"""Optional packages for training and path tracing: if one is missing, a sentence says how to get it."""

import sys
from importlib import import_module

_TORCH = "In an environment of its own with Tenshu: `pip install torch onnx` (docs/training.md)."
_REMEDIES = {
    "torch": _TORCH,
    "onnx": _TORCH,
    "bpy": "It is Blender as a module, of one Python each: docs/training.md says how to install it.",
}


def require_packages(*names: str) -> None:
    """Exit with a message on stderr if a package is missing. Call it after parsing: `--help` needs none."""
    for name in names:
        try:
            import_module(name)
        except ModuleNotFoundError as missing:
            remedy = _REMEDIES.get(missing.name or "")
            if remedy is None:
                raise
            sys.stderr.write(f"{missing.name} is not installed, and this needs it. {remedy}\n")
            raise SystemExit(2) from None
