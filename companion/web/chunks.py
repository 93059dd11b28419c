"""Reads a chunked body piece by piece: a chunk may announce any size, and its size line may never end."""

import re
from typing import Any

from cheroot.server import ChunkedRFile

_PIECE_BYTES = 64 << 10
_LINE_BYTES = 1 << 10
"""Longest line with a chunk's size and extensions."""
_SIZE = re.compile(rb"[0-9A-Fa-f]{1,8}")


class Chunks(ChunkedRFile):
    """Bounds the memory: cheroot would hold each chunk and its size line whole, whatever the app accepts."""

    def __init__(self, rfile: Any, most: int) -> None:
        super().__init__(rfile, most)
        self._chunk_left = 0

    def _fetch(self) -> None:
        """Append the next piece to the buffer, nothing at the end. Raises ValueError, answered with 400."""
        if self.closed:
            return
        self._chunk_left = self._chunk_left or self._read_size()
        if not self._chunk_left:
            self.closed = True
            return
        piece = self.rfile.read(min(self._chunk_left, _PIECE_BYTES))
        self._chunk_left -= len(piece)
        if not piece or (not self._chunk_left and self.rfile.read(2) != b"\r\n"):
            raise ValueError("a chunk is not as long as it says")
        self.buffer += piece

    def _read_size(self) -> int:
        """Read the next chunk's size line and return the size in bytes. Raises ValueError."""
        line = self.rfile.readline(_LINE_BYTES)
        size = line.split(b";", 1)[0].strip()
        if not line.endswith(b"\n") or not _SIZE.fullmatch(size):
            raise ValueError("a chunk does not say how long it is")
        self.bytes_read += len(line) + int(size, 16)
        if self.bytes_read > self.maxlen:
            raise ValueError("the chunks are too much together")
        return int(size, 16)
