"""Faster training steps on a CPU: 16-bit arithmetic, and batches prepared in the background."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import torch
from torch import Tensor, nn

Batch = TypeVar("Batch")

_HAS_FAST_BF16 = torch.cpu._is_avx512_bf16_supported()
"""Whether this processor multiplies 16-bit numbers: two steps in the time of one, four with AMX."""


def prefetch(make: Callable[[], Batch]) -> Iterator[Batch]:
    """Yield batches forever; a thread makes the next one while the caller takes a step with the last."""
    with ThreadPoolExecutor(1) as executor:
        pending = executor.submit(make)
        while True:
            ready, pending = pending.result(), executor.submit(make)
            yield ready


def network_output(net: nn.Module, seen: Tensor) -> Tensor:
    """Return a network's output during training, computed in 16 bits where that is fast, as 32-bit floats."""
    with torch.autocast("cpu", torch.bfloat16, enabled=_HAS_FAST_BF16):
        output: Tensor = net(seen)
    return output.float()
