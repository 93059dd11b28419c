"""Flashing the program onto the board with avrdude; the commands used are shown."""

import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from firmware.link.errors import BoardError, PortError
from firmware.link.ports import present_ports
from firmware.link.serialport import open_port
from firmware.link.troubles import port_error
from firmware.sim.build import RELEASE

NEW_BAUD, OLD_BAUD = 115200, 57600
"""Bootloader speeds: Uno and new Nanos; Nanos from before 2018 and most copies of them."""
_HOW_TO_GET = {
    "linux": "Install it: `sudo apt install avrdude`.",
    "darwin": "Install it: `brew install avrdude`.",
    "win32": "Get it from github.com/avrdudes/avrdude, or name the Arduino IDE's own: --avrdude PATH.",
}


@dataclass(frozen=True, slots=True)
class Flashing:
    """Which program goes to which port, and the avrdude that flashes it."""

    port: str
    program: Path
    avrdude: str

    def command(self, baud: int) -> list[str]:
        """Return avrdude's argument list for a bootloader speed."""
        board = ["-c", "arduino", "-p", "m328p", "-P", self.port, "-b", str(baud), "-D"]
        return [self.avrdude, *board, "-U", f"flash:w:{self.program}:i"]

    def shell_line(self, baud: int) -> str:
        """Return the same as one quoted line that can be pasted into a shell."""
        command = self.command(baud)
        return subprocess.list2cmdline(command) if sys.platform == "win32" else shlex.join(command)


def prepare(port: str, program: Path | None, avrdude: str | None) -> Flashing:
    """Find port, program and avrdude. Raise `BoardError` if one is missing."""
    name = avrdude or "avrdude"
    found = shutil.which(name)
    if found is None:
        remedy = _HOW_TO_GET.get(sys.platform, "Install it, or name it: --avrdude PATH.")
        raise BoardError("no_avrdude", f"There is no program {name}.", remedy)
    return Flashing(only_port(port), find_program(program), found)


def flash(
    flashing: Flashing,
    bauds: Sequence[int],
    say: Callable[[str], None],
    run: Callable[[list[str]], int] = subprocess.call,
) -> None:
    """Try the bootloader speeds in turn. Raise `BoardError` if none works."""
    open_port(flashing.port).close()  # explains a busy or forbidden port better than avrdude
    for baud in bauds:
        say("$ " + flashing.shell_line(baud))
        try:
            if run(flashing.command(baud)) == 0:
                return
        except OSError as error:
            raise BoardError(
                "no_avrdude",
                f"{flashing.avrdude} cannot be run: {error.strerror}.",
                "Reinstall avrdude, or name another one: --avrdude PATH.",
            ) from error
    raise BoardError(
        "not_flashed",
        f"avrdude could not flash the board on {flashing.port}.",
        "Its message above says why; docs/load-cell.md has the usual reasons. Trying again does no harm.",
    )


def only_port(port: str, list_ports: Callable[[], Sequence[str]] = present_ports) -> str:
    """Return the named port, or the only one. Raise `PortError`: flashing the wrong device could harm it."""
    if port != "auto":
        return port
    ports = list_ports()
    if not ports:
        raise port_error("not_found", port)
    if len(ports) > 1:
        raise PortError(
            "many",
            f"There are {len(ports)} ports: {', '.join(ports)}.",
            "Name one: `--port " + ports[0] + "`.",
        )
    return ports[0]


def find_program(named: Path | None) -> Path:
    """Return the named file, or the program that comes with Tenshu. Raise `BoardError`."""
    program = named or RELEASE
    if not program.is_file():
        raise BoardError(
            "no_program", f"There is no {program}.", "Leave --hex out, or make one: `make -C firmware`."
        )
    return program
