"""The socket that is listened on, and how many files and sockets this program may have open."""

import errno
import socket
import sys
import time
from contextlib import suppress
from typing import Any, Final

FILES: Final = 1024
"""Room for the connections of both ports and everything else; macOS starts programs with 256."""
_NO_MORE: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_PAUSE_S: Final = 0.05


class ListeningSocket(socket.socket):
    """Lets a connection wait while there is no room for it.

    Cheroot would fail at it again and again, log each time, and never come to close those that have ended.
    """

    @classmethod
    def of(cls, other: socket.socket) -> "ListeningSocket":
        """Return the same socket as one of this kind; the other can no longer be used."""
        timeout_s = other.gettimeout()
        taken_over = cls(fileno=other.detach())
        taken_over.settimeout(timeout_s)
        return taken_over

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection. Raises TimeoutError, after a moment, if no more can be opened."""
        try:
            return super().accept()
        except OSError as error:
            if error.errno not in _NO_MORE:
                raise
            time.sleep(_PAUSE_S)
            raise TimeoutError from None


def make_room() -> None:
    """Raise this program's own limit of open files to `FILES`, if the system lets it."""
    if sys.platform == "win32":  # it has none
        return
    import resource  # noqa: PLC0415 - not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
