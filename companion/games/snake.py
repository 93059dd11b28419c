"""Names of kinds in JSON."""

import re


def snake(name: str) -> str:
    """`ThrowSettled` as `throw_settled`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
