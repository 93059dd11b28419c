"""A game as one file: what was saved comes back, and anything else is refused in one sentence."""

import io
import json
import math
import time
import zipfile
from dataclasses import replace
from typing import Any

import pytest

from companion.store.backup import ABOUT, EVENTS, FORMAT, MOST_PICTURES, NoBackup, load, pictures_of, save
from companion.store.errors import StoreError
from companion.store.events import StoredEvent
from companion.store.evidence import picture_name

PICTURE = picture_name(b"jpeg")
GAME = [
    StoredEvent("friday", 1, 1, "set", "host", 1000, {"seats": ["blue"]}),
    StoredEvent("friday", 2, 2, "throw", "camera", 2000, {"evidence": PICTURE}),
    StoredEvent("friday", 3, 2, "settled", "camera", 2000, {"tray": {"blue": 2}}),
    StoredEvent("friday", 4, 4, "throw", "Ånna", 3000, {"evidence": "gone.jpg"}),
]


def _backup_file(about: Any = None, lines: list[Any] | None = None, leave_out: str = "") -> io.BytesIO:
    description = {"format": FORMAT, "table": "friday", "events": 4} if about is None else about
    members = {ABOUT: json.dumps(description), EVENTS: "\n".join(json.dumps(line) for line in lines or [])}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in members.items():
            if name != leave_out:
                archive.writestr(name, text)
    return file


def _event_line(seq: int, batch: int, **more: Any) -> dict[str, Any]:
    return {"seq": seq, "batch": batch, "kind": "set", "author": "a", "ts_ms": 1, "body": {}} | more


def test_what_was_saved_comes_back_with_its_pictures() -> None:
    file = io.BytesIO()
    save(file, GAME, {PICTURE: b"jpeg"}.get)
    backup = load(file)
    assert backup.table == "friday"
    assert [(e.seq, e.batch, e.kind, e.author, e.ts_ms, e.body) for e in backup.events] == [
        (e.seq, e.batch, e.kind, e.author, e.ts_ms, e.body) for e in GAME
    ]
    assert backup.pictures == (PICTURE,)
    assert list(pictures_of(file, backup.pictures)) == [b"jpeg"]


def test_a_computer_without_a_clock_saves_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without battery and network the clock says 1970, but ZIP dates begin in 1980."""
    monkeypatch.setattr(time, "time", lambda: 700.0)
    file = io.BytesIO()
    save(file, GAME, {PICTURE: b"jpeg"}.get)
    assert len(load(file).events) == len(GAME)
    with zipfile.ZipFile(file) as archive:
        assert {entry.external_attr >> 16 for entry in archive.infolist()} == {0o600}
        kinds = [entry.compress_type for entry in archive.infolist()]
    assert kinds == [zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED]


def test_a_damaged_picture_is_told_and_takes_no_other_along() -> None:
    whole = picture_name(b"whole")
    file = io.BytesIO()
    save(file, [*GAME, replace(GAME[1], body={"evidence": whole})], {PICTURE: b"jpeg", whole: b"whole"}.get)
    damaged = io.BytesIO(file.getvalue().replace(b"jpeg", b"jxeg"))
    assert list(pictures_of(damaged, [PICTURE, whole])) == [None, b"whole"]


def test_a_picture_that_is_another_s_is_damaged() -> None:
    file = io.BytesIO()
    save(file, GAME, {PICTURE: b"another"}.get)
    assert list(pictures_of(file, [PICTURE])) == [None]


def _with_pictures(count: int, size: int) -> io.BytesIO:
    """Return the backup of a table with `count` throws, each with a picture of `size` bytes."""
    pictures = [b"%0*d" % (size, number) for number in range(count)]
    pictures_by_name = {picture_name(jpeg): jpeg for jpeg in pictures}
    throws = [
        replace(GAME[0], seq=n, batch=n, body={"evidence": name})
        for n, name in enumerate(pictures_by_name, 1)
    ]
    file = io.BytesIO()
    save(file, throws, pictures_by_name.get)
    return file


@pytest.mark.parametrize(
    ("bound", "most"), [("MOST_PICTURES", 3), ("MOST_PICTURES_BYTES", 320)], ids=["number", "bytes"]
)
def test_of_more_pictures_than_are_taken_up_the_newest_are_saved(
    bound: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With 2,001 pictures the newest was silently left out, and 192 MB of pictures made a file that was
    refused when it was needed."""
    monkeypatch.setattr(f"companion.store.backup.{bound}", most)
    file = _with_pictures(5, 100)
    with zipfile.ZipFile(file) as archive:
        assert len(archive.namelist()) == 2 + 3
    pictures = load(file).pictures
    assert list(pictures_of(file, pictures)) == [b"%0100d" % number for number in (2, 3, 4)]


def test_of_a_file_with_more_pictures_than_are_taken_up_the_newest_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Older versions saved such files, because they did not count."""
    file = _with_pictures(5, 100)
    monkeypatch.setattr("companion.store.backup.MOST_PICTURES", 2)
    assert load(file).pictures == tuple(picture_name(b"%0100d" % number) for number in (3, 4))


def test_a_table_of_seventeen_thousand_throws_is_taken_up_from_its_copies() -> None:
    """Each throw is about 4 kB; beyond eight thousand, and later sixteen, all copies were silently "too
    large"."""
    throws = [replace(GAME[0], seq=n, batch=n, body={"reading": "x" * 4000}) for n in range(1, 17_001)]
    file = io.BytesIO()
    save(file, throws, lambda _: None)
    assert len(load(file).events) == 17_000


def test_no_more_events_are_saved_than_are_taken_up(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.BytesIO()
    save(file, GAME, lambda _: None)
    with zipfile.ZipFile(file) as archive:
        size = archive.getinfo(EVENTS).file_size
    monkeypatch.setattr("companion.store.backup.MOST_EVENT_BYTES", size)
    save(io.BytesIO(), GAME, lambda _: None)
    assert len(load(file).events) == len(GAME)
    monkeypatch.setattr("companion.store.backup.MOST_EVENT_BYTES", size - 1)
    with pytest.raises(NoBackup, match="too large"):
        load(file)
    with pytest.raises(StoreError, match="too long to be saved") as refusal:
        save(io.BytesIO(), GAME, lambda _: None)
    assert refusal.value.key == "too_long_to_save"


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(io.BytesIO(b""), id="nothing"),
        pytest.param(io.BytesIO(b"PK\x03\x04 no archive"), id="no archive"),
        pytest.param(_backup_file(leave_out=ABOUT), id="says nothing of itself"),
        pytest.param(_backup_file(leave_out=EVENTS), id="no events"),
        pytest.param(_backup_file({"format": "tenshu-backup/9"}), id="newer"),
        pytest.param(_backup_file([1]), id="about is a list"),
        pytest.param(_backup_file(lines=[3]), id="an event is a number"),
        pytest.param(_backup_file(lines=[_event_line(2, 2)]), id="the first is missing"),
        pytest.param(_backup_file(lines=[_event_line(1, 1), _event_line(1, 1)]), id="one twice"),
        pytest.param(_backup_file(lines=[_event_line(1, 1), _event_line(2, 3)]), id="a batch of the future"),
        pytest.param(_backup_file(lines=[{**_event_line(1, 1), "seq": "1"}]), id="a number as text"),
        pytest.param(_backup_file(lines=[_event_line(1, 1, ts_ms=1 << 80)]), id="a time beyond all times"),
        pytest.param(_backup_file(lines=[_event_line(1, 1, ts_ms=1 << 50)]), id="a time that is no date"),
        pytest.param(_backup_file(lines=[_event_line(1, 1, body=[])]), id="a body that is a list"),
        pytest.param(
            _backup_file(lines=[_event_line(1, 1, body={"read_ms": math.nan})]), id="what is no number"
        ),
        pytest.param(
            _backup_file(lines=[_event_line(1, 1, body={"read_ms": math.inf})]), id="a number without end"
        ),
        pytest.param(_backup_file(lines=[_event_line(1, 1, author="\ud800")]), id="half a character"),
    ],
)
def test_what_is_no_backup_is_told_in_a_sentence(file: io.BytesIO) -> None:
    with pytest.raises(NoBackup) as error:
        load(file)
    assert error.value.sentence.startswith("This is not a backup of a game: ")
    assert error.value.remedy


@pytest.mark.parametrize("byte", range(12))
def test_one_wrong_byte_anywhere_in_the_game_is_told_in_a_sentence(byte: int) -> None:
    """Data that does not decompress raised an unhandled error."""
    file = io.BytesIO()
    save(file, [replace(GAME[0], seq=n, batch=n) for n in range(1, 40)], lambda _: None)
    assert len(load(file).events) == 39
    damaged = bytearray(file.getvalue())
    with zipfile.ZipFile(file) as archive:
        entry = archive.getinfo(EVENTS)
        damaged[entry.header_offset + 30 + len(EVENTS) + byte] ^= 0xFF
    with pytest.raises(NoBackup):
        load(io.BytesIO(damaged))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_is_packed_as_no_tenshu_packs_is_not_unpacked(method: int) -> None:
    """For these methods the file decides how much memory is used."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr(ABOUT, json.dumps({"format": FORMAT, "table": "friday", "events": 0}))
        archive.writestr(EVENTS, "")
    with pytest.raises(NoBackup, match="packed"):
        load(file)


def test_no_more_is_unpacked_than_is_wanted() -> None:
    """A ZIP bomb of a few kilobytes can expand to gigabytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(ABOUT, b" " * 20_000_000)
    assert len(file.getvalue()) < 40_000
    with pytest.raises(NoBackup, match="too large"):
        load(file)


def test_an_event_longer_than_any_is_not_read() -> None:
    """Thirty packed kilobytes grew to a gigabyte, and no phone was answered for eight seconds."""
    with pytest.raises(NoBackup, match="event 2 is too large"):
        load(_backup_file(lines=[_event_line(1, 1), _event_line(2, 2, body={"a": [[]] * 300_000})]))


@pytest.mark.parametrize(
    ("entries", "why"), [(10_000, "it lists more than a game has"), (70_000, "its end is not one")]
)
def test_a_list_longer_than_any_game_has_is_not_read(entries: int, why: str) -> None:
    """All of it was read: a file of 192 MB took a gigabyte and minutes before it was refused."""
    file = _backup_file()
    with zipfile.ZipFile(file, "a") as archive:
        entry = archive.getinfo(EVENTS)
        entry.comment = b"x" * 100
        archive.filelist += [entry] * entries
        archive.comment = b""
    with pytest.raises(NoBackup, match=why):
        load(file)


def test_the_list_of_a_game_with_all_the_pictures_that_it_may_have_is_read() -> None:
    """Its size is well below the limit."""
    pictures = {picture_name(b"%d" % n): b"%d" % n for n in range(MOST_PICTURES)}
    game = [replace(GAME[1], seq=n, batch=n, body={"evidence": name}) for n, name in enumerate(pictures, 1)]
    file = io.BytesIO()
    save(file, game, pictures.get)
    assert len(load(file).pictures) == MOST_PICTURES
