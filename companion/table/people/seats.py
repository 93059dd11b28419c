"""Who sits where: a seat belongs to the device that holds its key; a restart or a reload changes nothing.

Only digests of keys are kept, in one small file beside the table. A taken seat goes to another phone when its
holder or the host lets go of it; the old key no longer works from then on.

The file also says which game it belongs to, because it is left over when somebody removes a table by hand:
another game that gets the same name must not get its seats.
"""

import hashlib
import hmac
import json
import re
import secrets
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.store.errors import StoreError, not_saved_error
from companion.store.events import StoredEvent
from companion.store.keyfile import keep_private, read_private
from companion.table.errors import TableRefusal

KEY_BYTES = 18
_SHA256 = re.compile("[0-9a-f]{64}")
_OWNER, _FIRST_EVENT = "owner", "first_event"
"""Where the file keeps the digest of its game's first event: in an object, as seats are texts."""


class NoKey(TableRefusal):
    """The seat belongs to another device."""

    status = 403

    def __init__(self, seat: str) -> None:
        sentence = f"Another device sits on {seat}. Leave the seat there, or ask the host for it."
        super().__init__("seat_taken", sentence, colour=seat)


class NobodySits(TableRefusal):
    """The seat was freed, or never taken."""

    status = 403

    def __init__(self, seat: str) -> None:
        super().__init__("seat_free", f"Nobody sits on {seat} now. Take the seat first.", colour=seat)


class Seats:
    """The seats of one table; thread-safe."""

    def __init__(self, path: Path, events: Sequence[StoredEvent] = ()) -> None:
        """Read what was kept for the game with these events. With an unreadable file, or another game's, all
        seats are free, and so is one whose digest is damaged; with a newer Tenshu's file none can be taken,
        or whoever came first would read what somebody plans in secret."""
        self._lock = threading.Lock()
        self._read(path, events)

    def taken(self) -> list[str]:
        """Return the seats that a device holds."""
        with self._lock:
            return sorted(self._digests)

    def take(self, seat: str, held: str, own: str | None = None) -> str:
        """Return a key for a free seat, or the same one again for its holder. Raises `NoKey`, `StoreError`.

        `own`: a key made by the device, which it knows even if no answer reaches it.
        """
        with self._lock:
            if seat in self._digests:
                if not self._is_key_of(seat, held):
                    raise NoKey(seat)
                return held
            return self._issue_key(seat, own)

    def give(self, seat: str, own: str | None = None) -> str:
        """Return a new key for a seat, whoever held it; the old one no longer works. Raises `StoreError`."""
        with self._lock:
            return self._issue_key(seat, own)

    def turn_to(self, path: Path, events: Sequence[StoredEvent] = ()) -> None:
        """Turn to the seats of another table, which has these events."""
        with self._lock:
            self._read(path, events)

    def is_key(self, held: str) -> bool:
        """Whether this opens any seat of the table."""
        with self._lock:
            return bool(held) and any(self._is_key_of(seat, held) for seat in self._digests)

    def is_key_of(self, seat: str, held: str) -> bool:
        """Whether this is the key of that seat."""
        with self._lock:
            return bool(held) and self._is_key_of(seat, held)

    def check(self, seat: str, held: str) -> None:
        """Check that the device sits there. Raises `NoKey`, `NobodySits`."""
        with self._lock:
            if seat not in self._digests:
                raise NobodySits(seat)
            if not self._is_key_of(seat, held):
                raise NoKey(seat)

    def free(self, seat: str) -> None:
        """Invalidate the seat's key; anyone may take it. Raises `StoreError`."""
        with self._lock:
            self._save({other: digest for other, digest in self._digests.items() if other != seat})

    def _read(self, path: Path, events: Sequence[StoredEvent]) -> None:
        self._path = path
        self._owner = owner_of(events)
        self._digests: dict[str, str] = {}
        self._newer_error: StoreError | None = None
        try:
            content = read_private(path)
        except StoreError as error:
            self._newer_error = error
            return
        owner = stored_owner(content)
        if owner == self._owner or not (owner and self._owner):  # older files and damaged tables have none
            self._digests = {
                seat: digest
                for seat, digest in content.items()
                if isinstance(digest, str) and _SHA256.fullmatch(digest)
            }
            self._owner = self._owner or owner

    def _issue_key(self, seat: str, own: str | None) -> str:
        key = own or secrets.token_urlsafe(KEY_BYTES)
        self._save({**self._digests, seat: _digest(key)})
        return key

    def _is_key_of(self, seat: str, held: str) -> bool:
        return hmac.compare_digest(self._digests.get(seat, ""), _digest(held))

    def _save(self, digests: dict[str, str]) -> None:
        if self._newer_error is not None:
            raise self._newer_error
        try:
            owner = {_OWNER: {_FIRST_EVENT: self._owner}} if self._owner else {}
            keep_private(self._path, {**digests, **owner})
        except OSError as error:
            raise not_saved_error(error) from None
        self._digests = digests


def owner_of(events: Sequence[StoredEvent]) -> str:
    """Return a digest of a game's first event, the same for all copies of the game; empty without events."""
    if not events:
        return ""
    first = events[0]
    return _digest(json.dumps([first.kind, first.ts_ms, first.body], sort_keys=True))


def stored_owner(content: Mapping[str, Any]) -> str:
    """Return the same as the content of a seats file states it; empty if an older Tenshu wrote the file."""
    owner = content.get(_OWNER)
    first_event = owner.get(_FIRST_EVENT) if isinstance(owner, dict) else None
    return first_event if isinstance(first_event, str) else ""


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
