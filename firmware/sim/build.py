"""Builds the board's program and the simulated chip with `make`, if the tools are installed."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import platformdirs

from firmware.link.errors import BoardError

SOURCE: Final = Path(__file__).parents[1]
RELEASE: Final = SOURCE / "tenshu.hex"
"""Ships with Tenshu, for those without a compiler; `make -C firmware release` renews it."""


def output_folder() -> Path:
    """Return the output folder: beside the sources in a checkout, else in the user's cache (others may own
    the sources)."""
    checkout_output = SOURCE.parent / "build" / "firmware"
    if (SOURCE.parent / "pyproject.toml").is_file():
        return checkout_output
    try:
        return platformdirs.user_cache_path("tenshu", appauthor=False) / "firmware"
    except RuntimeError:  # a user without a home directory
        return checkout_output


OUTPUT: Final = output_folder()
ELF: Final = OUTPUT / "tenshu.elf"
HEX: Final = OUTPUT / "tenshu.hex"
LIBRARY: Final = OUTPUT / "libboard.so"
RUNNER: Final = OUTPUT / "simboard"
CORE_TESTS: Final = OUTPUT / "core-tests"

_INSTALL = "Install them: sudo apt-get install gcc make gcc-avr avr-libc libsimavr-dev"
_HEADERS = (Path("/usr/include/simavr/sim_avr.h"), Path("/usr/local/include/simavr/sim_avr.h"))
_TOOLS: Final = {
    "core-tests": ("make", "cc"),
    "fuzzers": ("make", "cc"),
    "all": ("make", "avr-gcc"),
    "sim": ("make", "cc", "avr-gcc"),
}


class BuildError(BoardError):
    """Tools are missing, or the build fails."""


def missing_tools(target: str = "sim") -> str | None:
    """Return what prevents building `target`, in a sentence; None if nothing does."""
    if sys.platform == "win32":
        return "The simulated board needs Linux or macOS."
    tools = [tool for tool in _TOOLS[target] if shutil.which(tool) is None]
    if target == "sim" and not any(header.exists() for header in _HEADERS):
        tools.append("libsimavr")
    return f"The simulated board needs {', '.join(tools)}." if tools else None


def build(target: str = "sim") -> Path:
    """Bring `target` up to date and return the output folder. Raises `BuildError`."""
    missing_sentence = missing_tools(target)
    if missing_sentence:
        raise BuildError("build", missing_sentence, _INSTALL)
    import fcntl  # noqa: PLC0415 - not on Windows, which `missing_tools` has said

    try:
        OUTPUT.mkdir(parents=True, exist_ok=True)
        lock = (OUTPUT / "lock").open("w")
    except OSError as error:
        raise BuildError(
            "build", f"Nothing can be written to {OUTPUT}.", "Give your user the right to."
        ) from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run in several processes
        result = subprocess.run(  # noqa: S603 - our own Makefile, words of our own
            ["make", "-C", str(SOURCE), target, f"OUT={OUTPUT}"],  # noqa: S607 - make is where PATH says
            capture_output=True,
            text=True,
            check=False,
        )
    if result.returncode:
        lines = (result.stderr or result.stdout).strip().splitlines()
        raise BuildError("build", "The board's program cannot be built.", "\n".join(lines[-15:]))
    return OUTPUT
