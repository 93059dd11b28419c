"""Who may do what: the host by a secret link, players by a code that is read at the table; others only watch.

Both are kept in one private file beside the tables, so that a restart changes nothing, and shared by all that
run in this folder. The code is short because it is typed; guessing is slowed down, and a new one can be made
at any time.
"""

import hashlib
import hmac
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from companion.store.errors import StoreError
from companion.store.keyfile import keep_private, read_private
from companion.table.errors import TableRefusal

LETTERS = "ACDEFHJKMNPRTWXY"
"""Sixteen letters that nobody confuses, on a screen, on paper or spoken."""
CODE_LENGTH = 6
"""16^6 codes are 16.8 million: at 30 wrong tries a minute, one evening (5 h) finds it once in 1,864."""
CODE_LASTS_MS = 24 * 3600 * 1000
WRONG_A_MINUTE = 30
"""Wrong tries of all devices together, so that many addresses do not help."""
WRONG_EACH = 6
"""Wrong tries of one address."""
_MINUTE_MS = 60_000
_SECRET_BYTES = 24
_RETRY_MS = 10_000
"""Least time between two tries to save on a disk that takes nothing."""


class WrongCode(TableRefusal):
    """This is not, or no longer, the code of this table."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            "wrong_code", "That is not the code. It is in the menu on the table's page, and can change."
        )


class TooManyTries(TableRefusal):
    """Somebody is guessing."""

    status = 429

    def __init__(self) -> None:
        super().__init__("too_many_tries", "Too many wrong codes. Wait a minute, then try again.")


class NotJoined(TableRefusal):
    """A device on the network that has not been let in can only watch."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            "not_joined",
            "This device is only watching. Scan the code in the menu on the table's page, or type it "
            "at /join.",
        )


class NotHost(TableRefusal):
    """Only the host may do that."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            "not_host", "Only the host can do that: open the host's link, printed when Tenshu starts."
        )


class Access:
    """The secrets of this place; thread-safe."""

    def __init__(self, path: Path, wall_ms: Callable[[], int]) -> None:
        """Read what is kept, and make what is missing. Raises `StoreError` for a newer Tenshu's file."""
        self._path = path
        self._wall_ms = wall_ms
        self._lock = threading.Lock()
        self._wrong_tries: list[tuple[int, str]] = []
        self._host_key = secrets.token_urlsafe(_SECRET_BYTES)
        self._sign_key = secrets.token_urlsafe(_SECRET_BYTES)
        self._code, self._code_since = _fresh_code(), wall_ms()
        self._seen = _stamp(path)
        """The file as it was last read."""
        self._is_saved, self._tried_ms = True, 0
        self._adopt(_read_secrets(path))
        self._save()

    @property
    def host_key(self) -> str:
        """The host's secret, for the link that is printed."""
        with self._up_to_date():
            return self._host_key

    def is_host(self, key: str) -> bool:
        """Whether this is the host's secret."""
        return bool(key) and hmac.compare_digest(key.encode(), self.host_key.encode())

    def new_host_key(self) -> str:
        """Return a new secret; links with the old one no longer work."""
        with self._up_to_date():
            self._host_key = secrets.token_urlsafe(_SECRET_BYTES)
            self._save()
            return self._host_key

    def code(self) -> str:
        """Return the current code; one that is a day old is replaced."""
        with self._up_to_date():
            if abs(self._wall_ms() - self._code_since) > CODE_LASTS_MS:  # or made while the clock was ahead
                self._change_code()
            return self._code

    def new_code(self) -> str:
        """Return a new code; whoever has joined stays."""
        with self._up_to_date():
            self._change_code()
            return self._code

    def join(self, code: str, address: str) -> str:
        """Return a token for a device that knows the code. Raises `WrongCode`, `TooManyTries`."""
        typed = "".join(code.upper().split()).replace("-", "")
        current = self.code()
        with self._lock:
            now = self._wall_ms()
            # A clock that is set back must not turn the minute into hours.
            self._wrong_tries = [(at, who) for at, who in self._wrong_tries if abs(now - at) < _MINUTE_MS]
            tries_here = sum(who == address for _, who in self._wrong_tries)
            if tries_here >= WRONG_EACH or len(self._wrong_tries) >= WRONG_A_MINUTE:
                raise TooManyTries
            if not hmac.compare_digest(typed.encode(), current.encode()):
                self._wrong_tries.append((now, address))
                raise WrongCode
            return self._sign_token(secrets.token_urlsafe(9))

    def has_joined(self, token: str) -> bool:
        """Whether this token was issued here."""
        if not token:
            return False
        with self._up_to_date():
            signed = self._sign_token(token.partition(".")[0])
        return hmac.compare_digest(token.encode(), signed.encode())

    def send_all_out(self) -> None:
        """Invalidate every token and change the code: all without a seat have to join again."""
        with self._up_to_date():
            self._sign_key = secrets.token_urlsafe(_SECRET_BYTES)
            self._change_code()

    @contextmanager
    def _up_to_date(self) -> Iterator[None]:
        """Hold the lock, after taking over what another Tenshu in this folder has changed. Otherwise what is
        revoked there would be good here, and written back with the next code."""
        with self._lock:
            if self._is_saved:
                self._follow()
            elif abs(self._wall_ms() - self._tried_ms) >= _RETRY_MS:
                self._save()
            yield

    def _follow(self) -> None:
        stamp = _stamp(self._path)
        if stamp not in (None, self._seen):
            self._seen = stamp
            with suppress(StoreError):  # a newer Tenshu's: this one ends with the secrets it has
                self._adopt(read_private(self._path))

    def _adopt(self, kept: Mapping[str, Any]) -> None:
        """Take over what the file has; what is missing or damaged stays as it is."""
        self._host_key = str(kept.get("host") or self._host_key)
        self._sign_key = str(kept.get("sign") or self._sign_key)
        self._code = str(kept.get("code") or self._code)
        since = kept.get("code_since")
        self._code_since = since if isinstance(since, int) else self._code_since

    def _sign_token(self, number: str) -> str:
        return (
            f"{number}.{hmac.new(self._sign_key.encode(), number.encode(), hashlib.sha256).hexdigest()[:32]}"
        )

    def _change_code(self) -> None:
        self._code, self._code_since = _fresh_code(), self._wall_ms()
        self._save()

    def _save(self) -> None:
        content = {
            "host": self._host_key,
            "sign": self._sign_key,
            "code": self._code,
            "code_since": self._code_since,
        }
        self._is_saved, self._tried_ms = False, self._wall_ms()
        # A disk that takes nothing must not keep the table from opening: it is tried again later.
        with suppress(OSError):
            keep_private(self._path, content)
            self._is_saved, self._seen = True, None  # so that what another wrote just then is read, too


def _read_secrets(path: Path) -> dict[str, Any]:
    try:
        return read_private(path)
    except StoreError as error:
        remedy = "Update Tenshu, or remove that file: then every phone has to join again."
        raise StoreError(error.sentence, remedy, error.key) from None


def _stamp(path: Path) -> tuple[int, int] | None:
    """Return a value that changes with each write, which replaces the file; None without a readable one."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_ino, stat.st_mtime_ns


def _fresh_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
