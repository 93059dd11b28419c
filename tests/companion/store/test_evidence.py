import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.store.errors import StoreError
from companion.store.evidence import EvidenceFolder


def test_a_picture_comes_back_by_its_name(tmp_path: Path) -> None:
    folder = EvidenceFolder(tmp_path / "pictures")
    assert folder.read(folder.keep(b"jpeg")) == b"jpeg"


@pytest.mark.parametrize("name", ["../table.sqlite3", "x.jpg", "", "0" * 24 + ".jpg"])
def test_no_other_file_can_be_had(tmp_path: Path, name: str) -> None:
    (tmp_path / "table.sqlite3").write_bytes(b"secret")
    assert EvidenceFolder(tmp_path / "pictures").read(name) is None


def test_beyond_the_bound_the_oldest_go(tmp_path: Path) -> None:
    folder = EvidenceFolder(tmp_path, bound_bytes=250)
    names = []
    for number in range(4):
        names.append(folder.keep(bytes([number]) * 100))
        os.utime(tmp_path / names[-1], ns=(number, number))
    assert [folder.read(name) is not None for name in names] == [False, False, True, True]


def test_a_throw_does_not_look_at_all_pictures_of_the_year(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each throw scanned all 3,000 pictures, and restoring a file with 2,000 scanned two million."""
    patterns: list[str] = []
    glob = Path.glob

    def glob_and_count(path: Path, pattern: str) -> Iterator[Path]:
        patterns.append(pattern)
        return glob(path, pattern)

    monkeypatch.setattr(Path, "glob", glob_and_count)
    folder = EvidenceFolder(tmp_path, bound_bytes=16_000)
    for number in range(300):
        folder.keep(b"%0100d" % number)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 16_000
    assert len(patterns) < 40


def test_two_tables_that_keep_in_one_folder_stay_near_the_bound(tmp_path: Path) -> None:
    """Each table counts only what it wrote itself, and sees the other's pictures at its next scan."""
    folders = [EvidenceFolder(tmp_path, bound_bytes=16_000) for _ in range(2)]
    for number in range(300):
        folders[number % 2].keep(b"%0100d" % number)
        assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 17_100


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "pictures").write_text("a file in the way")
    with pytest.raises(StoreError, match="goes on without it"):
        EvidenceFolder(tmp_path / "pictures").keep(b"jpeg")
