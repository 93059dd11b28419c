"""Conversion of class names to their `kind` in JSON."""

import re


def snake(name: str) -> str:
    """Convert CamelCase to snake_case: `ThrowSettled` becomes `throw_settled`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
