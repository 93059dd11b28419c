"""Files of rendered crops: a missing, truncated or wrong file is reported in a sentence."""

import json
from pathlib import Path

import numpy as np
import pytest

from calibration.training.crops import SIDE_PX, CropsError, read


def _write_crops(folder: Path, tables: object) -> Path:
    path = folder / "crops.npy"
    np.save(path, np.full((2, SIDE_PX, SIDE_PX, 3), 90, np.uint8))
    path.with_suffix(".json").write_text(json.dumps(tables))
    return path


def test_crops_come_back_with_their_cubes(tmp_path: Path) -> None:
    cube = [10.5, 20.5, 3, 0.75, 20.0, -1]
    crops = read(_write_crops(tmp_path, [[cube], []]))
    assert [len(crop.cubes) for crop in crops] == [1, 0]
    assert crops[0].cubes[0].tolist() == cube
    assert crops[1].picture.shape == (SIDE_PX, SIDE_PX, 3)


def test_a_missing_file_is_named_with_what_writes_it(tmp_path: Path) -> None:
    with pytest.raises(CropsError, match=r"none\.npy .*calibration\.training render"):
        read(tmp_path / "none.npy")


@pytest.mark.parametrize("tables", [[[]], [[], [], []], [[[1, 2]], []], [["red"], []], 7])
def test_cubes_that_do_not_belong_to_the_pictures_are_refused(tmp_path: Path, tables: object) -> None:
    with pytest.raises(CropsError):
        read(_write_crops(tmp_path, tables))


@pytest.mark.parametrize("ending", [".npy", ".json"])
def test_a_cut_file_is_refused(tmp_path: Path, ending: str) -> None:
    path = _write_crops(tmp_path, [[], []]).with_suffix(ending)
    path.write_bytes(path.read_bytes()[:5])
    with pytest.raises(CropsError):
        read(path.with_suffix(".npy"))
