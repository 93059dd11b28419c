"""A file asked for with -o is written whole or not at all, and nothing is left beside it."""

import os
from errno import ENOSPC
from pathlib import Path

import pytest

from calibration.written import WriteError, atomic_file, atomic_output, check_writable, write_atomically


def write_output(target: Path, text: str = "new") -> None:
    with atomic_output(target, "another file with -o") as part:
        part.write_text(text)


def test_it_is_there_at_once_and_nothing_beside_it(tmp_path: Path) -> None:
    """The old file stays until the end of the block, and its permissions stay even after it."""
    target = tmp_path / "mat.pdf"
    target.write_text("old")
    target.chmod(0o640)
    with atomic_output(target, "another file with -o") as part:
        part.write_text("new")
        assert target.read_text() == "old"
    assert (target.read_text(), target.stat().st_mode & 0o777) == ("new", 0o640)
    assert list(tmp_path.iterdir()) == [target]


def test_what_fails_in_the_middle_leaves_the_old_file(tmp_path: Path) -> None:
    """On a full disk, and on Ctrl-C."""
    target = tmp_path / "mat.pdf"
    target.write_text("old")

    def fail_with(error: BaseException) -> None:
        with atomic_output(target, "another file with -o") as part:
            part.write_text("half")
            raise error

    with pytest.raises(
        WriteError,
        match=r"\(No space left on device\)\. Free some space there, or name another file with -o\.",
    ):
        fail_with(OSError(ENOSPC, os.strerror(ENOSPC)))
    with pytest.raises(KeyboardInterrupt):
        fail_with(KeyboardInterrupt())
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_stays_one_and_a_device_a_device(tmp_path: Path) -> None:
    """`-o /dev/null` must not replace the device by a file."""
    target, link = tmp_path / "mat.pdf", tmp_path / "link.pdf"
    link.symlink_to(target)
    write_output(link)
    assert link.is_symlink()
    assert target.read_text() == "new"
    write_output(Path(os.devnull))
    assert Path(os.devnull).is_char_device()


@pytest.mark.parametrize("name", ["gone/mat.pdf", ".", "file/mat.pdf", "x" * 300 + ".pdf"])
def test_what_cannot_be_written_is_told_before_and_when_it_is(tmp_path: Path, name: str) -> None:
    """A missing folder, a folder, a path below a file, a name that is too long."""
    (tmp_path / "file").touch()
    for asked in (lambda path: check_writable(path, "another file with -o"), write_output):
        with pytest.raises(WriteError, match=r"cannot be written \(.*\)\. Name another file with -o\.$"):
            asked(tmp_path / name)
    check_writable(tmp_path / "mat.pdf", "another file with -o")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_what_the_program_keeps_stands_there_whole_with_its_folder(tmp_path: Path) -> None:
    """Text and bytes; the earlier content is gone."""
    path = tmp_path / "not" / "yet" / "in-use.txt"
    write_atomically(path, b"long, long ago")
    write_atomically(path, "dæk")
    assert path.read_text(encoding="utf-8") == "dæk"
    assert list(path.parent.iterdir()) == [path]


def test_a_secret_is_its_owners_though_a_killed_program_left_an_open_file(tmp_path: Path) -> None:
    """Otherwise whoever could read the leftover file could read the next secret."""
    path = tmp_path / "keys.json"
    (tmp_path / "keys.json.new").write_text("half")
    (tmp_path / "keys.json.new").chmod(0o644)
    write_atomically(path, "{}", private=True)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_disk_that_takes_nothing_leaves_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many full disks report it only on fsync."""
    path = tmp_path / "in-use.txt"
    write_atomically(path, "old")

    def raise_disk_full(_: int) -> None:
        raise OSError(ENOSPC, os.strerror(ENOSPC))

    monkeypatch.setattr(os, "fsync", raise_disk_full)
    with pytest.raises(OSError, match="No space left"), atomic_file(path) as file:
        file.write(b"half")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
