"""A run that fills a folder with path-traced pictures can be interrupted and resumed."""

import json
from pathlib import Path

import pytest

from calibration.measuring.labels import LabelsError, load_labels
from calibration.synth import Options, render
from calibration.traced.folder import file_name, missing_seeds, write_picture

SEEDS = range(5, 8)


def write_one(folder: Path, seed: int) -> None:
    picture, entry = render(seed, Options(size_px=(320, 240)))
    write_picture(folder, file_name(seed), picture, entry)


def test_a_cut_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """With two of three pictures present, only the third is missing; once it is written, none is."""
    folder = tmp_path / "new" / "folder"
    write_one(folder, 5)
    write_one(folder, 7)
    assert list(missing_seeds(folder, SEEDS)) == [6]
    write_one(folder, 6)
    assert list(missing_seeds(folder, SEEDS)) == []


def test_labels_hold_every_whole_picture_at_any_moment(tmp_path: Path) -> None:
    """After each picture the folder can be read like any labelled folder."""
    for number, seed in enumerate(SEEDS, start=1):
        write_one(tmp_path, seed)
        pictures = load_labels(tmp_path).pictures
        assert [p.file for p in pictures] == [file_name(s) for s in SEEDS[:number]]
        assert all((tmp_path / p.file).stat().st_size > 1000 for p in pictures)


def test_a_picture_without_its_truth_is_made_again(tmp_path: Path) -> None:
    """If a run was cut between file and label, the file alone does not count."""
    write_one(tmp_path, 5)
    (tmp_path / file_name(6)).write_bytes(b"half a pict")
    assert list(missing_seeds(tmp_path, SEEDS)) == [6, 7]


def test_what_else_the_labels_say_stays(tmp_path: Path) -> None:
    """Falls were dropped from a folder that held some, and pictures of other programs ended the run."""
    fall = {"frames": ["x.jpg"], "fps": 15, "motion_ends": 0, "counts": {"red": 1}}
    mine: dict[str, object] = {"pictures": [{"counts": {"red": 2}}], "sequences": [fall], "taken_by": "me"}
    (tmp_path / "labels.json").write_text(json.dumps(mine), encoding="utf-8-sig")
    assert list(missing_seeds(tmp_path, SEEDS)) == [5, 6, 7]
    write_one(tmp_path, 5)
    body = json.loads((tmp_path / "labels.json").read_text())
    assert [entry.get("file") for entry in body.pop("pictures")] == [None, file_name(5)]
    assert body == {"sequences": [fall], "taken_by": "me"}


@pytest.mark.parametrize("damaged", ['{"pictures": [', '{"pictures": 3}', "[]"])
def test_damaged_labels_are_told_and_nothing_is_written(tmp_path: Path, damaged: str) -> None:
    (tmp_path / "labels.json").write_text(damaged)
    with pytest.raises(LabelsError, match=r"labels\.json"):
        next(missing_seeds(tmp_path, SEEDS))
    with pytest.raises(LabelsError, match=r"labels\.json"):
        write_one(tmp_path, 5)
    assert [path.name for path in tmp_path.iterdir()] == ["labels.json"]
    assert (tmp_path / "labels.json").read_text() == damaged
