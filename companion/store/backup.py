"""A whole game as one file: a ZIP with what it is, its events a line each, and the pictures they name.

It holds every secret of the game, as the table's own file does. What is read back is checked piece by piece:
it may come from anywhere.
"""

import json
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from os import SEEK_END
from typing import IO, Final

from companion.errors import TenshuError
from companion.store.events import Body, StoredEvent
from companion.store.evidence import picture_name

_KIND: Final = "tenshu-backup/"
FORMAT: Final = f"{_KIND}1"
SUFFIX: Final = ".tenshu"
ABOUT, EVENTS, PICTURES = "tenshu.json", "events.jsonl", "pictures/"
MOST_EVENT_BYTES: Final = 64 << 20
"""A game of two years writes some 0.5 MB; a throw 4 kB, at a table of the tower alone for years."""
MOST_LINE_LENGTH: Final = 1 << 20
"""Of one event; the longest that is written have a few kilobytes. No phone is answered while one is read."""
MOST_PICTURE_BYTES: Final = 8 << 20
MOST_PICTURES: Final = 2000
MOST_PICTURES_BYTES: Final = 160 << 20
"""Of all that are saved: whoever takes the file up takes no larger one than that and its events."""
MOST_LISTED_BYTES: Final = 1 << 20
"""Of the list at its end; that of a game with two thousand pictures has 0.2 MB."""
MOST_NUMBER: Final = 1 << 53
"""As JSON's numbers are exact to there in every program."""
MOST_MS: Final = 32_503_680_000_000
"""The year 3000: a later time cannot be told as a date everywhere."""


class NoBackup(TenshuError):
    """The file is no backup, or is damaged."""

    def __init__(
        self, why: str, remedy: str = "Choose a file that Tenshu saved, whole and unchanged."
    ) -> None:
        super().__init__(f"This is not a backup of a game: {why}.", remedy)


class NewerBackup(NoBackup):
    """Of a Tenshu that writes them in another way."""

    def __init__(self) -> None:
        super().__init__("a newer Tenshu made it", "Update Tenshu.")


@dataclass(frozen=True, slots=True)
class Backup:
    """What was in the file."""

    table: str
    """Its name where it was saved."""
    events: tuple[StoredEvent, ...]
    pictures: tuple[str, ...]
    """Names; each is read when it is wanted."""


def save(file: IO[bytes], events: Sequence[StoredEvent], picture: Callable[[str], bytes | None]) -> None:
    """Write events and the newest pictures that still exist, no more than are taken up. Raises OSError."""
    table = events[0].game if events else "table"
    about = {"format": FORMAT, "table": table, "events": len(events)}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_entry(ABOUT), json.dumps(about), zipfile.ZIP_DEFLATED)
        lines = "".join(f"{json.dumps(_line(event))}\n" for event in events)
        archive.writestr(_entry(EVENTS), lines, zipfile.ZIP_DEFLATED)
        left = MOST_PICTURES_BYTES
        for name in reversed(_named(events)[-MOST_PICTURES:]):
            jpeg = picture(name)
            left -= len(jpeg or b"")
            if left < 0:
                break
            if jpeg is not None:
                archive.writestr(_entry(PICTURES + name), jpeg)  # a JPEG is packed already


def load(file: IO[bytes]) -> Backup:
    """What a file holds. Raises `NoBackup`."""
    try:
        _check_list(file)
        with zipfile.ZipFile(file) as archive:
            about = json.loads(_member(archive, ABOUT, 10_000))
            if not isinstance(about, dict) or about.get("format") != FORMAT:
                newer = isinstance(about, dict) and str(about.get("format")).startswith(_KIND)
                raise NewerBackup if newer else NoBackup("Tenshu did not make it")
            events = tuple(_events(_member(archive, EVENTS, MOST_EVENT_BYTES)))
            there = set(archive.namelist())
            pictures = tuple(name for name in _named(events) if PICTURES + name in there)
            return Backup(str(about.get("table", "")), events, pictures[-MOST_PICTURES:])
    except _BROKEN as error:
        raise NoBackup(f"it cannot be read ({str(error) or type(error).__name__})") from None


def pictures_of(file: IO[bytes], names: Sequence[str]) -> Iterator[bytes | None]:
    """The pictures, one at a time; None for one that is damaged."""
    with suppress(*_BROKEN), zipfile.ZipFile(file) as archive:
        for name in names:
            yield _picture(archive, name)


_BROKEN = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error),
    *(OSError, EOFError, KeyError, ValueError, RuntimeError),
)
"""What Python raises for a broken, locked or strange archive; NotImplementedError is a RuntimeError."""
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""As `save` packs: others take as much memory as the file says."""


_END: Final = b"PK\x05\x06"
_END_BYTES: Final = 22
_LONG_END: Final = b"PK\x06\x07"
_LONG_END_BYTES: Final = 20


def _check_list(file: IO[bytes]) -> None:
    """Python reads the whole list of an archive before anything can be asked of it. Raises `NoBackup`."""
    whole = file.seek(0, SEEK_END)
    file.seek(max(0, whole - _END_BYTES - _LONG_END_BYTES))
    last = file.read()
    end = last[-_END_BYTES:]
    if not end.startswith(_END) or last.startswith(_LONG_END):
        raise NoBackup("its end is not one that Tenshu writes")
    if int.from_bytes(end[12:16], "little") > MOST_LISTED_BYTES:
        raise NoBackup("it lists more than a game has")


def _member(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    if archive.getinfo(name).compress_type not in _PACKED:
        raise NoBackup(f"{name} is packed in another way")
    # What an archive says of its own sizes is not believed: no more is unpacked than is wanted.
    with archive.open(name) as member:
        content = member.read(most + 1)
    if len(content) > most:
        raise NoBackup(f"{name} is too large")
    return content


def _picture(archive: zipfile.ZipFile, name: str) -> bytes | None:
    try:
        jpeg = _member(archive, PICTURES + name, MOST_PICTURE_BYTES)
    except (NoBackup, *_BROKEN):
        return None
    return jpeg if picture_name(jpeg) == name else None


def _entry(name: str) -> zipfile.ZipInfo:
    """With no time of the clock: one that says 1970, before ZIP files begin, could save nothing."""
    entry = zipfile.ZipInfo(name)
    entry.external_attr = 0o600 << 16
    return entry


def _line(event: StoredEvent) -> Body:
    return {
        "seq": event.seq,
        "batch": event.batch,
        "kind": event.kind,
        "author": event.author,
        "ts_ms": event.ts_ms,
        "body": event.body,
    }


def _events(lines: bytes) -> Iterator[StoredEvent]:
    batch = 0
    for number, line in enumerate(lines.decode("utf-8").splitlines(), 1):
        if len(line) > MOST_LINE_LENGTH:
            raise NoBackup(f"event {number} is too large")
        event = _event(json.loads(line))
        batch = event.batch if event.batch == number else batch
        if event.seq != number or event.batch != batch:
            raise NoBackup(f"event {number} is missing or out of place")
        yield event


def _event(line: Body) -> StoredEvent:
    if not isinstance(line, dict):
        raise NoBackup("an event is no event")
    # Python reads NaN and half a character, and neither the disk nor a page takes them: ValueError
    json.dumps(line, ensure_ascii=False, allow_nan=False).encode()
    seq, batch, ts_ms = (line.get(name) for name in ("seq", "batch", "ts_ms"))
    kind, author, body = (line.get(name) for name in ("kind", "author", "body"))
    numbers = ((seq, MOST_NUMBER), (batch, MOST_NUMBER), (ts_ms, MOST_MS))
    whole = all(isinstance(n, int) and 0 <= n < most for n, most in numbers)
    if not (whole and isinstance(kind, str) and isinstance(author, str) and isinstance(body, dict)):
        raise NoBackup("an event is no event")
    return StoredEvent("", int(seq or 0), int(batch or 0), kind, author[:24], int(ts_ms or 0), body)


def _named(events: Sequence[StoredEvent]) -> list[str]:
    named = [event.body.get("evidence") for event in events]
    return list(dict.fromkeys(name for name in named if isinstance(name, str)))
