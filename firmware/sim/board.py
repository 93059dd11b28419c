"""A simulated board on its own port, for the real link to find: a process that runs the real program."""

import subprocess
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from firmware.link.errors import BoardError
from firmware.link.wire import Command
from firmware.sim import build
from firmware.sim.chip import SimChip

CUBE_GAP_S: Final = 0.06
"""Time between two cubes of a handful."""
_GOODBYE_S = 3.0


class SimulatedBoard:
    """Plugged in from the start; `port` stays the same when the cable is pulled and plugged in again."""

    def __init__(
        self,
        *script: str,
        speed: float = 1.0,
        boot_ms: int = 0,
        calibrated: bool = True,
        folder: Path | None = None,
    ) -> None:
        """`speed` 0 means as fast as possible; `boot_ms`: opening the port resets the board, deaf for this
        long.

        `calibrated`: tare and scale are in its EEPROM. `script` runs at once. Raises `BoardError`.
        """
        build.build()
        self._temporary = None if folder else tempfile.TemporaryDirectory(prefix="tenshu-board-")
        workdir = folder or Path(self._temporary.name if self._temporary else "")
        self._port_path, eeprom_file = workdir / "board", workdir / "eeprom"
        if calibrated:
            eeprom_file.write_bytes(calibrated_eeprom())
        self._process = subprocess.Popen(  # noqa: S603 - the program that was just built
            [build.RUNNER, build.ELF, self._port_path, str(speed), str(boot_ms), eeprom_file],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None, "asked for"
        if not self._process.stdout.readline():
            self.close()
            raise BoardError(
                "build", "The simulated board does not start.", "Run `make -C firmware clean sim`."
            )
        for line in script:
            self.do(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.close()

    @property
    def port(self) -> str:
        """Name of its port."""
        return str(self._port_path)

    @property
    def running(self) -> bool:
        """Whether the process is still running."""
        return self._process.poll() is None

    def do(self, line: str) -> None:
        """Run a script line (docs/firmware.md lists the words). No effect on a board that has ended."""
        assert self._process.stdin is not None, "asked for"
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            return

    def drop(self, masses_mg: Iterable[float], gap_s: float = CUBE_GAP_S) -> None:
        """Let cubes fall onto the tray one after another."""
        for number, mass_mg in enumerate(masses_mg):
            self.do(f"+{number * gap_s:.3f} cube {mass_mg / 1000:.4f}")

    def take(self, mass_mg: float, seconds: float = 0.4) -> None:
        """Let a hand take this much from the tray."""
        self.do(f"lay {-mass_mg / 1000:.4f} {seconds}")

    def pull(self) -> None:
        """Pull the cable: the port dies and its name vanishes."""
        self.do("pull")

    def plug(self) -> None:
        """Plug the cable in again, which restarts the board."""
        self.do("plug")

    def close(self) -> None:
        """End it. Idempotent."""
        if self._process.stdin is not None and not self._process.stdin.closed:
            self.do("")
            self._process.stdin.close()
        try:
            self._process.wait(_GOODBYE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        if self._temporary is not None:
            self._temporary.cleanup()


@cache
def calibrated_eeprom() -> bytes:
    """Return a simulated board's EEPROM after tare, calibration with 50 g, and SAVE."""
    with SimChip() as chip:
        chip.run(2)
        chip.ask(Command.TARE)
        chip.do("lay 50 0.2")
        chip.run(2)
        chip.ask(Command.CALIBRATE, "mass", 50_000)
        chip.ask(Command.SAVE)
        return chip.eeprom
