"""Find out why a camera at an rtsp:// address gives no video: FFmpeg says only that there is none."""

import re
import socket
from contextlib import suppress
from urllib.parse import urlsplit, urlunsplit

from vision.addresses import url_name
from vision.errors import CameraError
from vision.sources.asking import TIMEOUT_S, no_answer_error, refused_error

SCHEME = "rtsp://"
_PORT = 554
_STATUS = re.compile(rb"RTSP/1\.\d (\d{3})")
_SIZE = re.compile(rb"^content-length: *(\d{1,5}) *\r?$", re.IGNORECASE | re.MULTILINE)
_BASE = re.compile(rb"^content-base: *(\S+) *\r?$", re.IGNORECASE | re.MULTILINE)
_TRACK = re.compile(rb"^m=video[^\n]*\n(?:(?!m=)[^\n]*\n)*?a=control:(\S+)", re.MULTILINE)
_ABSOLUTE_URL = re.compile(rb"[a-z]+://", re.IGNORECASE)
_BY_TCP = b"Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n"
_UNSUPPORTED_TRANSPORT = 461
_PIECES, _PIECE = 6, 4096
"""Number of reads per answer, and bytes each: a camera sending a byte a second would hold us up."""


def diagnose(url: str) -> CameraError | None:
    """Return what the answers to DESCRIBE and SETUP (RFC 2326, 10.2 and 10.4), sent without a password, say
    is wrong.

    None if they tell nothing.
    """
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        request_url = urlunsplit(parts._replace(netloc=host)).replace(" ", "%20")
        line = f"DESCRIBE {request_url} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n".encode()
        connection = socket.create_connection((parts.hostname or "", parts.port or _PORT), TIMEOUT_S)
    except (OSError, ValueError) as error:
        return no_answer_error(url, error)
    description, setup = b"", b""
    with connection:
        description = _request(connection, line)
        if track := _TRACK.search(description):
            base = _BASE.search(description)
            track_url = _track_url(base[1] if base else request_url.encode(), track[1])
            setup = _request(connection, b"SETUP %b RTSP/1.0\r\nCSeq: 2\r\n%b\r\n" % (track_url, _BY_TCP))
    if _status_code(setup) == _UNSUPPORTED_TRANSPORT:  # FFmpeg has tried UDP too
        return _no_transport_error(url)
    return (
        refused_error(url, _status_code(description), sent_login=parts.username is not None)
        if _status_code(description) >= 300
        else None
    )


def _request(connection: socket.socket, request: bytes) -> bytes:
    """Return the answer to one request, with as much of its body as arrives."""
    answer = b""
    with suppress(OSError):
        connection.sendall(request)
        for _ in range(_PIECES):
            piece = connection.recv(_PIECE)
            answer += piece
            head, blank_line, body = answer.partition(b"\r\n\r\n")
            size = _SIZE.search(head)
            if not piece or (blank_line and len(body) >= (int(size[1]) if size else 0)):
                break
    return answer


def _status_code(answer: bytes) -> int:
    status = _STATUS.match(answer)
    return int(status[1]) if status else 0


def _track_url(base: bytes, control: bytes) -> bytes:
    """Return the URL of the video track itself (RFC 2326, C.1.1)."""
    if control == b"*":
        return base
    return control if _ABSOLUTE_URL.match(control) else base.rstrip(b"/") + b"/" + control


def _no_transport_error(url: str) -> CameraError:
    return CameraError(
        f"{url_name(url)} sends its video neither over TCP nor over UDP.",
        "Turn on RTSP over TCP (unicast) in its settings.",
        "no_transport",
    )
