"""The simulated chip in virtual time, for tests and proofs: deterministic for a given seed."""

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from firmware.link.wire import Command, Kind, Line, WireError, compose_command, parse
from firmware.sim import build

EEPROM_BYTES = 1024


@dataclass(frozen=True, slots=True)
class Said:
    """A line from the board and when its last byte was on the wire, in seconds of simulated time."""

    at_s: float
    line: Line


@dataclass(frozen=True, slots=True)
class Figures:
    """What instruments on the chip have measured since the last `forget`; must agree with chip.h."""

    conversions: int
    reads: int
    overruns: int
    collisions: int
    power_downs: int
    wrong_gains: int
    resets: int
    longest_sck_us: float
    longest_cli_us: float
    longest_busy_us: float
    lowest_stack: int
    busy: float


class _Figures(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_uint64) for name in list(Figures.__dataclass_fields__)[:7]),
        *((name, ctypes.c_double) for name in list(Figures.__dataclass_fields__)[7:10]),
        ("lowest_stack", ctypes.c_uint32),
        ("busy", ctypes.c_double),
    ]


class Crashed(RuntimeError):
    """The program on the chip has jumped outside itself, or slept with interrupts off."""


def _load_library() -> ctypes.CDLL:
    build.build()
    library = ctypes.CDLL(str(build.LIBRARY))
    pointer, number, real, text = ctypes.c_void_p, ctypes.c_int, ctypes.c_double, ctypes.c_char_p
    signatures: dict[str, tuple[type | None, list[object]]] = {
        "chip_new": (pointer, [text, ctypes.c_uint64]),
        "chip_free": (None, [pointer]),
        "chip_run": (ctypes.c_bool, [pointer, real]),
        "chip_time": (real, [pointer]),
        "chip_do": (ctypes.c_bool, [pointer, text]),
        "chip_hear": (None, [pointer, text, number]),
        "chip_line": (number, [pointer, text, number, ctypes.POINTER(real)]),
        "chip_figures": (None, [pointer, ctypes.POINTER(_Figures)]),
        "chip_forget": (None, [pointer]),
        "chip_hang": (None, [pointer]),
        "chip_register": (number, [pointer, number]),
        "chip_eeprom_get": (None, [pointer, text, number]),
        "chip_eeprom_set": (None, [pointer, text, number]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class SimChip:
    """One board. `do` takes the words of docs/firmware.md, such as `cube 0.36` or `+2 hand 80 1.5`."""

    _loaded: ctypes.CDLL | None = None

    def __init__(self, *script: str, seed: int = 1) -> None:
        """Power up at time 0, then run `script`. Raises `BuildError`."""
        if SimChip._loaded is None:
            SimChip._loaded = _load_library()
        self._lib = SimChip._loaded
        self._chip: int | None = self._lib.chip_new(str(build.ELF).encode(), seed)
        if not self._chip:
            raise RuntimeError("simavr does not know the chip or the file")
        self._number = 0
        self._unread: list[Said] = []
        self.torn = 0
        """Number of lines cut by a reset."""
        for line in script:
            self.do(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Free the chip."""
        if self._chip:
            self._lib.chip_free(self._chip)
        self._chip = None

    @property
    def now_s(self) -> float:
        """Simulated time."""
        return float(self._lib.chip_time(self._chip))

    @property
    def figures(self) -> Figures:
        """Measurements since the last `forget`."""
        raw = _Figures()
        self._lib.chip_figures(self._chip, ctypes.byref(raw))
        return Figures(**{name: getattr(raw, name) for name in Figures.__dataclass_fields__})

    def forget(self) -> None:
        """Restart the measurements."""
        self._lib.chip_forget(self._chip)

    def register(self, address: int) -> int:
        """Return a byte of the data space, registers included."""
        return int(self._lib.chip_register(self._chip, address))

    @property
    def eeprom(self) -> bytes:
        """The whole content of the EEPROM."""
        content = ctypes.create_string_buffer(EEPROM_BYTES)
        self._lib.chip_eeprom_get(self._chip, content, EEPROM_BYTES)
        return content.raw

    @eeprom.setter
    def eeprom(self, content: bytes) -> None:
        self._lib.chip_eeprom_set(self._chip, content, len(content))

    def do(self, line: str) -> None:
        """Run a script line. Raises `ValueError` if it is not understood."""
        if not self._lib.chip_do(self._chip, line.encode()):
            raise ValueError(f"not understood, or too much at once: {line}")

    def hang(self) -> None:
        """Make the program hang; only its watchdog can help."""
        self._lib.chip_hang(self._chip)

    def send(self, data: bytes) -> None:
        """Send bytes to the board."""
        self._lib.chip_hear(self._chip, data, len(data))

    def run(self, seconds: float) -> list[Said]:
        """Let time pass and return what was said meanwhile. Raises `Crashed`."""
        if not self._lib.chip_run(self._chip, seconds):
            raise Crashed(f"at {self.now_s:.6f} s")
        unread, self._unread = self._unread, []
        return [*unread, *self._read_lines()]

    def until(self, wanted: Callable[[Line], bool], within_s: float = 5.0) -> Said:
        """Return the first line that is wanted. Raises `TimeoutError`."""
        end = self.now_s + within_s
        while self.now_s < end:
            heard = self.run(0.01)
            for number, said in enumerate(heard):
                if wanted(said.line):
                    self._unread = heard[number + 1 :]
                    return said
        raise TimeoutError(f"nothing within {within_s} s")

    def ask(self, command: Command, *arguments: int | str) -> Line:
        """Send a command and wait for its ACK or NAK."""
        self._number = self._number % 999 + 1
        number = self._number
        self.send(compose_command(number, command, *arguments))
        return self.until(lambda line: line.kind in (Kind.ACK, Kind.NAK) and line.number(0) == number).line

    def _read_lines(self) -> Iterator[Said]:
        text, at_s = ctypes.create_string_buffer(256), ctypes.c_double()
        while (count := self._lib.chip_line(self._chip, text, 256, ctypes.byref(at_s))) >= 0:
            if not count:
                continue
            try:
                yield Said(at_s.value, parse(text.raw[:count]))
            except WireError:
                self.torn += 1
