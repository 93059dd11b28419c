"""A whole game as one file: a ZIP with a description, one line per event, and the pictures they refer to.

It holds every secret of the game, as the table's own file does. Everything read back is validated, because
the file may come from anywhere.
"""

import json
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from os import SEEK_END
from typing import IO, Final

from companion.errors import TenshuError
from companion.store.errors import too_long_error
from companion.store.events import Body, StoredEvent
from companion.store.evidence import picture_name

_KIND: Final = "tenshu-backup/"
FORMAT: Final = f"{_KIND}1"
SUFFIX: Final = ".tenshu"
ABOUT, EVENTS, PICTURES = "tenshu.json", "events.jsonl", "pictures/"
MOST_EVENT_BYTES: Final = 128 << 20
"""Limit of all events, for `save` and `load`. A two-year game takes about 0.5 MB; a throw takes 4 kB, so a
just-the-tower table may run for more than thirty thousand."""
MOST_LINE_LENGTH: Final = 1 << 20
"""Limit of one event; the longest written are a few kilobytes. No phone is answered while one is parsed."""
MOST_PICTURE_BYTES: Final = 8 << 20
MOST_PICTURES: Final = 2000
MOST_PICTURES_BYTES: Final = 160 << 20
"""Total of all saved pictures: an upload larger than this plus the events is not accepted."""
MOST_LISTED_BYTES: Final = 1 << 20
"""Size limit of the ZIP's central directory; with two thousand pictures it has 0.2 MB."""
MOST_NUMBER: Final = 1 << 53
"""JSON numbers are exact up to here in every program."""
MOST_MS: Final = 32_503_680_000_000
"""The year 3000: later times cannot be shown as dates everywhere."""


class NoBackup(TenshuError):
    """The file is not a backup, or is damaged."""

    def __init__(
        self, why: str, remedy: str = "Choose a file that Tenshu saved, whole and unchanged."
    ) -> None:
        super().__init__(f"This is not a backup of a game: {why}.", remedy)


class NewerBackup(NoBackup):
    """The backup was written by a newer Tenshu in another format."""

    def __init__(self) -> None:
        super().__init__("a newer Tenshu made it", "Update Tenshu.")


@dataclass(frozen=True, slots=True)
class Backup:
    """The contents of a backup file."""

    table: str
    """The table's name where it was saved."""
    events: tuple[StoredEvent, ...]
    pictures: tuple[str, ...]
    """Names only; `pictures_of` reads the pictures."""


def save(file: IO[bytes], events: Sequence[StoredEvent], picture: Callable[[str], bytes | None]) -> None:
    """Write the events and the newest existing pictures, within the limits of `load`. Raise OSError, and
    `StoreError` if there are more events than `load` takes."""
    table = events[0].game if events else "table"
    about = {"format": FORMAT, "table": table, "events": len(events)}
    lines = "".join(f"{json.dumps(_event_json(event))}\n" for event in events)  # in ASCII: a byte a character
    if len(lines) > MOST_EVENT_BYTES:
        raise too_long_error()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_zip_entry(ABOUT), json.dumps(about), zipfile.ZIP_DEFLATED)
        archive.writestr(_zip_entry(EVENTS), lines, zipfile.ZIP_DEFLATED)
        bytes_left = MOST_PICTURES_BYTES
        for name in reversed(_evidence_names(events)[-MOST_PICTURES:]):
            jpeg = picture(name)
            bytes_left -= len(jpeg or b"")
            if bytes_left < 0:
                break
            if jpeg is not None:
                archive.writestr(_zip_entry(PICTURES + name), jpeg)  # a JPEG is already compressed


def load(file: IO[bytes]) -> Backup:
    """Return what a file holds. Raise `NoBackup`."""
    try:
        _check_directory(file)
        with zipfile.ZipFile(file) as archive:
            about = json.loads(_read_member(archive, ABOUT, 10_000))
            if not isinstance(about, dict) or about.get("format") != FORMAT:
                newer = isinstance(about, dict) and str(about.get("format")).startswith(_KIND)
                raise NewerBackup if newer else NoBackup("Tenshu did not make it")
            events = tuple(_parse_events(_read_lines(archive, EVENTS, MOST_EVENT_BYTES)))
            members = set(archive.namelist())
            pictures = tuple(name for name in _evidence_names(events) if PICTURES + name in members)
            return Backup(str(about.get("table", "")), events, pictures[-MOST_PICTURES:])
    except _BROKEN as error:
        raise NoBackup(f"it cannot be read ({str(error) or type(error).__name__})") from None


def pictures_of(file: IO[bytes], names: Sequence[str]) -> Iterator[bytes | None]:
    """Yield the pictures one at a time; None for one that is damaged."""
    with suppress(*_BROKEN), zipfile.ZipFile(file) as archive:
        for name in names:
            yield _read_picture(archive, name)


_BROKEN = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error),
    *(OSError, EOFError, KeyError, ValueError, RuntimeError),
)
"""What Python raises for a damaged, encrypted or odd archive; NotImplementedError is a RuntimeError."""
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The methods `save` uses; others may take as much memory as the file says."""


_END_RECORD: Final = b"PK\x05\x06"
_END_RECORD_BYTES: Final = 22
_LONG_END: Final = b"PK\x06\x07"
_LONG_END_BYTES: Final = 20


def _check_directory(file: IO[bytes]) -> None:
    """Check the ZIP directory's size before Python reads all of it. Raise `NoBackup`."""
    file_bytes = file.seek(0, SEEK_END)
    file.seek(max(0, file_bytes - _END_RECORD_BYTES - _LONG_END_BYTES))
    last = file.read()
    end = last[-_END_RECORD_BYTES:]
    if not end.startswith(_END_RECORD) or last.startswith(_LONG_END):
        raise NoBackup("its end is not one that Tenshu writes")
    if int.from_bytes(end[12:16], "little") > MOST_LISTED_BYTES:
        raise NoBackup("it lists more than a game has")


def _read_member(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    # The sizes an archive states are not trusted: unpack at most one byte more than allowed.
    with _open_member(archive, name) as member:
        content = member.read(most + 1)
    if len(content) > most:
        raise NoBackup(f"{name} is too large")
    return content


def _read_lines(archive: zipfile.ZipFile, name: str, most: int) -> Iterator[bytes]:
    """Yield the lines one at a time, because all of them at once would take several times their memory."""
    bytes_left = most
    with _open_member(archive, name) as member:
        while line := member.readline(MOST_LINE_LENGTH + 2):  # a line that is too long is cut just above
            bytes_left -= len(line)
            if bytes_left < 0:
                raise NoBackup(f"{name} is too large")
            yield line


def _open_member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    if archive.getinfo(name).compress_type not in _COMPRESSIONS:
        raise NoBackup(f"{name} is packed in another way")
    return archive.open(name)


def _read_picture(archive: zipfile.ZipFile, name: str) -> bytes | None:
    try:
        jpeg = _read_member(archive, PICTURES + name, MOST_PICTURE_BYTES)
    except (NoBackup, *_BROKEN):
        return None
    return jpeg if picture_name(jpeg) == name else None


def _zip_entry(name: str) -> zipfile.ZipInfo:
    """Return an entry without the current time: a clock at 1970, before ZIP's epoch, would make it fail."""
    entry = zipfile.ZipInfo(name)
    entry.external_attr = 0o600 << 16
    return entry


def _event_json(event: StoredEvent) -> Body:
    return {
        "seq": event.seq,
        "batch": event.batch,
        "kind": event.kind,
        "author": event.author,
        "ts_ms": event.ts_ms,
        "body": event.body,
    }


def _parse_events(lines: Iterable[bytes]) -> Iterator[StoredEvent]:
    batch = 0
    for number, line in enumerate(lines, 1):
        if len(line.rstrip(b"\r\n")) > MOST_LINE_LENGTH:
            raise NoBackup(f"event {number} is too large")
        event = _parse_event(json.loads(line.decode("utf-8")))
        batch = event.batch if event.batch == number else batch
        if event.seq != number or event.batch != batch:
            raise NoBackup(f"event {number} is missing or out of place")
        yield event


def _parse_event(line: Body) -> StoredEvent:
    if not isinstance(line, dict):
        raise NoBackup("an event is no event")
    # Python accepts NaN and lone surrogates, but neither disk nor page does: raises ValueError
    json.dumps(line, ensure_ascii=False, allow_nan=False).encode()
    seq, batch, ts_ms = (line.get(name) for name in ("seq", "batch", "ts_ms"))
    kind, author, body = (line.get(name) for name in ("kind", "author", "body"))
    numbers = ((seq, MOST_NUMBER), (batch, MOST_NUMBER), (ts_ms, MOST_MS))
    are_numbers = all(isinstance(n, int) and 0 <= n < most for n, most in numbers)
    if not (are_numbers and isinstance(kind, str) and isinstance(author, str) and isinstance(body, dict)):
        raise NoBackup("an event is no event")
    return StoredEvent("", int(seq or 0), int(batch or 0), kind, author[:24], int(ts_ms or 0), body)


def _evidence_names(events: Sequence[StoredEvent]) -> list[str]:
    names = [event.body.get("evidence") for event in events]
    return list(dict.fromkeys(name for name in names if isinstance(name, str)))
