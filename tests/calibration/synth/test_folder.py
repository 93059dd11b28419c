"""Interrupted rendering leaves the truth of everything complete, and no partial picture."""

import json
import multiprocessing
import os
from dataclasses import dataclass
from errno import ENOSPC
from pathlib import Path

import cv2
import pytest

from calibration.measuring.labels import load_labels
from calibration.synth import Options
from calibration.synth.folder import FolderError, write_folder
from calibration.written import WriteError

SMALL = Options(size_px=(320, 240))


@dataclass(frozen=True)
class Deadly(Options):
    """Kills the worker process that uses it, as the system does when memory runs out."""

    def __getattribute__(self, name: str) -> object:
        if name == "size_px" and multiprocessing.parent_process() is not None:
            os._exit(9)
        return super().__getattribute__(name)


def assert_whole(folder: Path, number: int) -> None:
    """Assert that the labels name all pictures, and that the folder holds nothing else."""
    named = sorted(picture.file for picture in load_labels(folder).pictures)
    assert len(named) == number
    assert sorted(path.name for path in folder.iterdir()) == ["labels.json", *named]
    assert all(cv2.imread(str(folder / name)) is not None for name in named)


def test_a_full_disk_leaves_what_is_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for two pictures, half of the third is not left there."""
    write = Path.write_bytes
    asked: list[Path] = []

    def write_until_full(self: Path, data: bytes) -> int:
        asked.append(self)
        if len(asked) < 3:
            return write(self, data)
        write(self, data[:100])
        raise OSError(ENOSPC, os.strerror(ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", write_until_full)
    with pytest.raises(WriteError, match="Free some space there, or name another folder"):
        list(write_folder(tmp_path, range(6), SMALL))
    assert_whole(tmp_path, 2)


@pytest.mark.parametrize("seeds", [range(6), range(12)])
def test_who_stops_in_the_middle_has_what_is_complete(
    tmp_path: Path, seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one process and with two: what was begun is finished and labelled, and nothing more is begun."""
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    written = write_folder(tmp_path, seeds, SMALL)
    next(written)
    written.close()
    number = len(json.loads((tmp_path / "labels.json").read_text())["pictures"])
    assert 1 <= number < 12
    assert_whole(tmp_path, number)


def test_a_process_that_is_ended_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    with pytest.raises(FolderError, match=r"A process that rendered was ended.*0 are complete"):
        list(write_folder(tmp_path, range(8), Deadly(size_px=(320, 240))))
    assert list(tmp_path.iterdir()) == []
