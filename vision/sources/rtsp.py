"""Find out why a camera at an rtsp:// address gives no video: FFmpeg says only that there is none."""

import re
import socket
from contextlib import suppress
from urllib.parse import urlsplit, urlunsplit

from vision.addresses import url_name
from vision.errors import CameraError
from vision.sources.asking import TIMEOUT_S, gone, refused

SCHEME = "rtsp://"
_PORT = 554
_STATUS = re.compile(rb"RTSP/1\.\d (\d{3})")
_SIZE = re.compile(rb"^content-length: *(\d{1,5}) *\r?$", re.IGNORECASE | re.MULTILINE)
_BASE = re.compile(rb"^content-base: *(\S+) *\r?$", re.IGNORECASE | re.MULTILINE)
_TRACK = re.compile(rb"^m=video[^\n]*\n(?:(?!m=)[^\n]*\n)*?a=control:(\S+)", re.MULTILINE)
_ELSEWHERE = re.compile(rb"[a-z]+://", re.IGNORECASE)
_BY_TCP = b"Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n"
_REFUSED_WAY = 461
_PIECES, _PIECE = 6, 4096
"""Number of reads per answer, and bytes each: a camera sending a byte a second would hold us up."""


def ailment(url: str) -> CameraError | None:
    """Return what the answers to DESCRIBE and SETUP (RFC 2326, 10.2 and 10.4), sent without a password, say
    is wrong.

    None if they tell nothing.
    """
    try:
        parts = urlsplit(url)
        at = parts.netloc.rpartition("@")[2]
        asked = urlunsplit(parts._replace(netloc=at)).replace(" ", "%20")
        line = f"DESCRIBE {asked} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n".encode()
        connection = socket.create_connection((parts.hostname or "", parts.port or _PORT), TIMEOUT_S)
    except (OSError, ValueError) as error:
        return gone(url, error)
    told, way = b"", b""
    with connection:
        told = _answer(connection, line)
        if track := _TRACK.search(told):
            base = _BASE.search(told)
            there = _track(base[1] if base else asked.encode(), track[1])
            way = _answer(connection, b"SETUP %b RTSP/1.0\r\nCSeq: 2\r\n%b\r\n" % (there, _BY_TCP))
    if _code(way) == _REFUSED_WAY:  # FFmpeg has tried UDP too
        return _no_way(url)
    return refused(url, _code(told), told=parts.username is not None) if _code(told) >= 300 else None


def _answer(connection: socket.socket, asked: bytes) -> bytes:
    """Return the answer to one request, with as much of its body as arrives."""
    told = b""
    with suppress(OSError):
        connection.sendall(asked)
        for _ in range(_PIECES):
            piece = connection.recv(_PIECE)
            told += piece
            head, ends, body = told.partition(b"\r\n\r\n")
            size = _SIZE.search(head)
            if not piece or (ends and len(body) >= (int(size[1]) if size else 0)):
                break
    return told


def _code(told: bytes) -> int:
    status = _STATUS.match(told)
    return int(status[1]) if status else 0


def _track(base: bytes, control: bytes) -> bytes:
    """Return the URL of the video track itself (RFC 2326, C.1.1)."""
    if control == b"*":
        return base
    return control if _ELSEWHERE.match(control) else base.rstrip(b"/") + b"/" + control


def _no_way(url: str) -> CameraError:
    return CameraError(
        f"{url_name(url)} sends its video neither over TCP nor over UDP.",
        "Turn on RTSP over TCP (unicast) in its settings.",
        "no_transport",
    )
