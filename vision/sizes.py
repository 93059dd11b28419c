"""How large a picture will be, from its first bytes, before a decoder allocates memory for it."""

import re
from dataclasses import dataclass

_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_MARKER = re.compile(rb"\xff([\x02-\xcf\xda-\xfe])", re.DOTALL)
"""The next marker that has a length; what stands between two is skipped, as decoders do."""

_OF_OS2 = 12
"""Length in bytes of the oldest form of BMP header."""


@dataclass(frozen=True, slots=True)
class Size:
    """Size as stored, before any EXIF rotation."""

    width: int
    height: int
    bits: int = 8
    """Bits per channel once decoded."""

    @property
    def pixels(self) -> int:
        """Number of pixels."""
        return self.width * self.height


def stored_size(data: bytes) -> Size | None:
    """Return the size of a JPEG, PNG, WebP or BMP; None for any other file, or if it is not given."""
    if data.startswith(b"\xff\xd8"):
        return _jpeg_size(data)
    if data.startswith(b"\x89PNG") and data[12:16] == b"IHDR" and len(data) > 24:
        width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
        return Size(width, height, max(data[24], 8))  # fewer bits are indices into a palette
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        return _webp_size(data)
    if data.startswith(b"BM") and len(data) >= 26:
        return _bmp_size(data)
    return None


def _jpeg_size(data: bytes) -> Size | None:
    at = 2
    while found := _MARKER.search(data, at):
        at = found.end()
        if found[1][0] in _FRAMES:
            height, width = data[at + 3 : at + 5], data[at + 5 : at + 7]
            return Size(int.from_bytes(width, "big"), int.from_bytes(height, "big"))
        at += int.from_bytes(data[at : at + 2], "big")
    return None


def _webp_size(data: bytes) -> Size | None:
    match data[12:16]:
        case b"VP8X":
            return Size(1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little"))
        case b"VP8L":
            sides = int.from_bytes(data[21:25], "little")
            return Size(1 + (sides & 0x3FFF), 1 + (sides >> 14 & 0x3FFF))
        case b"VP8 ":
            width, height = (int.from_bytes(data[at : at + 2], "little") & 0x3FFF for at in (26, 28))
            return Size(width, height)
    return None


def _bmp_size(data: bytes) -> Size:
    field_bytes = 2 if data[14] == _OF_OS2 else 4
    width, height = (
        int.from_bytes(data[at : at + field_bytes], "little", signed=True) for at in (18, 18 + field_bytes)
    )
    return Size(abs(width), abs(height))  # a negative height means top-down rows
