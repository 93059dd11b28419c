"""Every burst of up to 16 bits, at every place in a line and in both bit orders, is caught.

Arrays filter the damaged lines that still look like one; those that pass the checksum, and all that the burst
splits at a new line end, go through the real parser.
"""

import binascii
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pytest

from firmware.link import wire
from firmware.link.wire import Kind, Line, WireError

Bytes: TypeAlias = npt.NDArray[np.uint8]

LINES = [
    Line(0, 3, Kind.HELLO, ("tenshu", 1, "0.1.0", "power")),
    Line(123, 345678, Kind.DROP, (345500, 361)),
    Line(999, 7, Kind.SETTLED, (7, 5)),
    Line(12, 1111, Kind.ACK, (1, "TARE", 111)),
]
_TABLE = np.array([binascii.crc_hqx(bytes([byte]), 0) for byte in range(256)], dtype=np.uint16)
_CUTS = np.isin(np.arange(256), [*b"\r\n$>*"])
_PASSES = (np.arange(256) >= 0x20) & (np.arange(256) <= 0x7E) | np.isin(np.arange(256), [*b"\r\n"])


def _bursts(bit: int, lsb_first: bool) -> Bytes:
    """(32768, 3): every burst of at most 16 bits that begins at bit `bit` of the first byte."""
    patterns = np.arange(1, 1 << 16, 2, dtype=np.uint32)  # bit 0 is the first on the wire, always flipped
    spread = (patterns[:, None] << bit) >> np.array([0, 8, 16], dtype=np.uint32) & 0xFF
    damage = spread.astype(np.uint8)
    if lsb_first:
        return damage
    bits = np.unpackbits(damage[..., None], axis=-1)[..., ::-1]
    mirrored: Bytes = np.packbits(bits, axis=-1)[..., 0]
    return mirrored


def _checksums(bodies: Bytes) -> npt.NDArray[np.uint16]:
    """Checksums of rows: (N, L) to (N,)."""
    value = np.full(len(bodies), 0xFFFF, dtype=np.uint16)
    for column in bodies.T:
        value = (value << np.uint16(8)) ^ _TABLE[(value >> np.uint16(8)).astype(np.uint8) ^ column]
    return value


def _suspects(stream: bytes, at: int, damage: Bytes) -> Bytes:
    """Return the damaged copies that the parser must judge; the rest is unprintable or has a wrong
    checksum."""
    whole = np.frombuffer(stream, dtype=np.uint8)
    changed = damage ^ whole[at : at + damage.shape[1]]
    printable = _PASSES[changed[:, 0]]  # column by column: most bursts fail here
    for column in changed.T[1:]:
        printable = printable & _PASSES[column]
    damage, changed = damage[printable], changed[printable]
    torn = np.any(_CUTS[changed] & (damage != 0), axis=1)
    copies = np.tile(whole, (len(changed), 1))
    copies[:, at : at + damage.shape[1]] = changed
    star = stream.index(b"*")
    sums = _checksums(copies[:, 1:star])
    digits = np.frombuffer(b"0123456789ABCDEF", dtype=np.uint8)[
        sums[:, None] >> np.array([12, 8, 4, 0], dtype=np.uint16) & 0xF
    ]
    agrees = np.all(copies[:, star + 1 : star + 5] == digits, axis=1)
    suspects: Bytes = copies[torn | agrees]
    return suspects


def _parse_stream(stream: bytes) -> list[Line]:
    read = (_parse(part.removesuffix(b"\r")) for part in stream.split(b"\n"))
    return [line for line in read if line is not None]


@lru_cache(maxsize=1 << 14)
def _parse(text: bytes) -> Line | None:
    """Parse with the real parser; cached, since many bursts leave the same pieces of a line."""
    try:
        return wire.parse(text)
    except WireError:
        return None


@pytest.mark.parametrize("lsb_first", [True, False], ids=["as on the wire", "mirrored"])
@pytest.mark.parametrize("line", LINES, ids=lambda line: line.kind.value)
def test_no_burst_of_16_bits_makes_another_line(line: Line, lsb_first: bool) -> None:
    stream = wire.compose(line)
    tried = 0
    for bit in range(8):
        damage = _bursts(bit, lsb_first)
        for at in range(len(stream)):
            remaining = len(stream) - at
            fits = damage if remaining >= 3 else damage[~np.any(damage[:, remaining:], axis=1)][:, :remaining]
            tried += len(fits)
            for suspect in _suspects(stream, at, fits):
                assert _parse_stream(suspect.tobytes()) in ([], [line]), (at, suspect.tobytes())
    assert tried > 8 * 32768 * (len(stream) - 3)


def test_a_believed_copy_would_be_found() -> None:
    """The filter passes what the parser would believe: a damaged body with a matching checksum of its own."""
    stream = wire.compose(LINES[2])
    star = stream.index(b"*")
    last = star - 1
    other = stream[:last] + b"6" + stream[star:]
    wrong = bytearray(other)
    wrong[star + 1 : star + 5] = b"%04X" % wire.crc(other[1:star])
    damage = np.zeros((1, 1), dtype=np.uint8)  # it is in `wrong` already
    assert [bytes(row) for row in _suspects(bytes(wrong), last, damage)] == [bytes(wrong)]
