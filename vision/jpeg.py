"""Where a JPEG ends, and whether it is whole: its markers are walked as ITU-T T.81 (annex B) has them.

Decoders fill what is missing with grey, go on after damage, and say nothing of either. After the picture's
end a phone may have put anything: a second view, a gain map, a short film. That is no part of the picture.
"""

import re
from enum import Enum

_MARKER = re.compile(rb"\xff([^\x00\xff\xd0-\xd7])", re.DOTALL)
"""The next one that is no stuffed 0xff, fill byte or restart."""
_END, _SCAN, _TEMPORARY = 0xD9, 0xDA, 0x01
_IN_SCANS = frozenset({0xC4, _SCAN, 0xDC, 0xDD, 0xFE, *range(0xE0, 0xF0)})
"""Besides the end, these may follow a scan: tables, another scan, comments."""

MOST_SCANS = 32
"""A camera writes one, a program some ten; each costs a decoder a walk over the whole picture."""


class Jpeg(Enum):
    """How far a walk over the markers of a JPEG came."""

    WHOLE = "whole"
    CUT = "cut"
    GARBLED = "garbled"
    """A scan holds a byte that none can hold, or leads to where no marker is; or there are too many."""


def walked(data: bytes) -> Jpeg:
    """Walk from the start to the end marker; segments, and thumbnails in them, are skipped by their length.

    Of 200 bytes overwritten with any others this finds half, of 1,000 nearly all; what it misses looks torn,
    and is asked about as a rule.
    """
    at, scans = 2, 0
    while found := _MARKER.search(data, at):
        marker, at = found[1][0], found.end()
        if marker == _END:
            return Jpeg.WHOLE
        if (scans and marker not in _IN_SCANS) or scans > MOST_SCANS:
            return Jpeg.GARBLED
        if marker != _TEMPORARY:
            at += int.from_bytes(data[at : at + 2], "big")
        if marker == _SCAN:
            scans += 1
        elif scans and data[at : at + 1] not in (b"\xff", b""):
            return Jpeg.GARBLED
    return Jpeg.CUT
