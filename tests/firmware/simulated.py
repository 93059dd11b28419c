"""The simulated chip for tests: built on demand, skipped with a reason if its tools are missing."""

import pytest

from firmware.link.wire import Kind
from firmware.sim import build
from firmware.sim.chip import Said, SimChip


def need_simulator() -> None:
    """Skip the test and say why if there is no simulator; in CI one is installed."""
    lacking = build.missing_tools()
    if lacking:
        pytest.skip(lacking)


def ready(*script: str, seed: int = 1, seconds: float = 3.0) -> SimChip:
    """Return a chip that has settled, with its initial output already consumed."""
    need_simulator()
    chip = SimChip(*script, seed=seed)
    chip.run(seconds)
    return chip


def kinds(output: list[Said], *wanted: Kind) -> list[Said]:
    """Return the lines of the wanted kinds."""
    return [entry for entry in output if entry.line.kind in wanted]
