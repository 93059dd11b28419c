"""PNGs: the length of every chunk is checked before a decoder allocates memory for it."""

import struct
import zlib

import cv2
import numpy as np
import pytest

from tests.vision.test_pictures import encoded, is_like, never, scene
from vision.errors import PictureError
from vision.pictures import decode_picture, decode_sent

START = b"\x89PNG\r\n\x1a\n"


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


HEADER = chunk(b"IHDR", struct.pack(">IIBBBBB", 640, 480, 8, 2, 0, 0, 0))
END = chunk(b"IEND", b"")


@pytest.mark.parametrize("kind", [b"IDAT", b"tEXt", b"eXIf", b"IEND"])
@pytest.mark.parametrize("length", [65, 77, 0x7FFFFFFF, 0xC0000000, 0xFFFFFFFF])
def test_a_chunk_that_claims_more_than_there_is_is_not_decoded(
    kind: bytes, length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture of 117 bytes made OpenCV allocate three gigabytes."""
    data = START + HEADER + struct.pack(">I", length) + kind + b"\0" * 64 + END
    monkeypatch.setattr(cv2, "imdecode", never)
    for decode in (decode_picture, decode_sent):
        with pytest.raises(PictureError, match="cut short") as caught:
            decode(data, "claims.png")
        assert caught.value.key == "picture_cut"


@pytest.mark.parametrize("bits", [8, 16])
@pytest.mark.parametrize("has_alpha", [False, True])
def test_whole_pngs_with_any_chunks_are_read(bits: int, has_alpha: bool) -> None:
    """What stands in another chunk, or after the end, is no end and no length."""
    pixels = cv2.cvtColor(scene(), cv2.COLOR_BGR2BGRA) if has_alpha else scene()
    data = encoded(pixels.astype(np.uint16) * 257 if bits == 16 else pixels, ".png")
    first = len(START + HEADER)
    text = chunk(b"tEXt", b"Comment\0" + END + b"\xff" * 40)
    for whole in (
        data,
        data[:first] + text + data[first:],
        data[:-12] + text + data[-12:],
        data + b"\xff" * 99,
    ):
        for decode in (decode_picture, decode_sent):
            assert is_like(decode(whole, "whole.png"), scene())
