"""Why a camera at an rtsp:// address gives no film: FFmpeg says no more than that there is none."""

import re
import socket
from contextlib import suppress
from urllib.parse import urlsplit, urlunsplit

from vision.errors import CameraError
from vision.sources.asking import TIMEOUT_S, gone, refused

SCHEME = "rtsp://"
_PORT = 554
_STATUS = re.compile(rb"RTSP/1\.\d (\d{3})")
_MOST_BYTES = 256


def ailment(url: str) -> CameraError | None:
    """What it answers to DESCRIBE (RFC 2326, 10.2), asked without password; None where that tells nothing."""
    try:
        parts = urlsplit(url)
        at = parts.netloc.rpartition("@")[2]
        asked = urlunsplit(parts._replace(netloc=at)).replace(" ", "%20")
        line = f"DESCRIBE {asked} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n".encode()
        connection = socket.create_connection((parts.hostname or "", parts.port or _PORT), TIMEOUT_S)
    except (OSError, ValueError) as error:
        return gone(url, error)
    told = b""
    with connection, suppress(OSError):
        connection.sendall(line)
        told = connection.recv(_MOST_BYTES)
    status = _STATUS.match(told)
    code = int(status[1]) if status else 0
    return refused(url, code, told=parts.username is not None) if code >= 300 else None
