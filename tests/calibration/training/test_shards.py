"""Places in files that appear while training runs."""

from pathlib import Path

import numpy as np
import pytest

from calibration.training.crops import Crop
from calibration.training.peaks import Peaks, join_peaks, upright_peaks_of
from calibration.training.shards import (
    TRAY_PX,
    new_shards,
    new_trays,
    source_of,
    trays_of,
    write_shard,
    write_trays,
)


def _places(number: int) -> Peaks:
    rng = np.random.default_rng(number)
    shape = upright_peaks_of([]).patches.shape[1:]
    truth = np.stack(
        [rng.integers(0, 3, number), rng.integers(-1, 6, number), rng.integers(-1, 6, number)], 1
    )
    return Peaks(
        rng.integers(0, 255, (number, *shape), np.uint8), truth, rng.random(number).astype(np.float32)
    )


def test_what_was_written_is_read_once(tmp_path: Path) -> None:
    places = _places(3)
    write_shard(tmp_path, "traced-7-0000", places)
    known: set[str] = set()
    [(source, again)] = new_shards(tmp_path, known)
    assert source == "traced"
    np.testing.assert_array_equal(again.patches, places.patches)
    np.testing.assert_array_equal(again.truth, places.truth)
    assert again.truth.dtype == np.int64
    assert list(new_shards(tmp_path, known)) == []
    write_shard(tmp_path, "rendered-8-0000", _places(1))
    [(source, more)] = new_shards(tmp_path, known)
    assert (source, len(join_peaks([again, more]))) == ("rendered", 4)


def test_what_is_half_written_or_broken_does_not_end_a_run(tmp_path: Path) -> None:
    (tmp_path / "traced-1-0000.tmp").write_bytes(b"half")
    (tmp_path / "traced-2-0000.npz").write_bytes(b"no archive")
    write_shard(tmp_path, "traced-3-0000", _places(2))
    [(_, places)] = new_shards(tmp_path, set())
    assert len(places) == 2


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("traced-700000000-0003.npz", "traced"),
        ("labelled-real.npz", "labelled"),
        ("check-traced-900000000-0000.npz", "check-traced"),
    ],
)
def test_a_name_tells_the_source(name: str, source: str) -> None:
    assert source_of(name) == source


def _crop(width: int, height: int, places: list[tuple[float, float]]) -> Crop:
    """Make a dark crop with a bright pixel where each cube is."""
    picture = np.zeros((height, width, 3), np.uint8)
    for x, y in places:
        picture[int(y), int(x)] = 255
    cubes = np.array([(x, y, 2, 1.0, 20.0, -1) for x, y in places], np.float32).reshape(-1, 6)
    return Crop(picture, cubes)


def test_whole_trays_lie_in_the_middle_with_their_cubes_where_they_are_seen(tmp_path: Path) -> None:
    places = [(30.0, 40.0), (400.0, 20.0)]
    crops = [_crop(448, 448, places), _crop(512, 480, []), _crop(TRAY_PX + 32, 448, places)]
    write_trays(tmp_path, "traced-1-0000", trays_of(crops))
    write_shard(tmp_path, "traced-2-0000", _places(1))
    known: set[str] = set()
    [(source, trays)] = new_trays(tmp_path, known)
    assert source == "traced"
    assert trays.pictures.shape == (2, TRAY_PX, TRAY_PX, 3)
    assert [len(cubes) for cubes in trays.cubes] == [2, 0]
    for x, y in trays.cubes[0][:, :2]:
        assert trays.pictures[0, int(y), int(x)].tolist() == [255, 255, 255]
    np.testing.assert_array_equal(trays.cubes[0][:, 2:], crops[0].cubes[:, 2:])
    assert list(new_trays(tmp_path, known)) == []


def test_no_trays_are_a_shard_too(tmp_path: Path) -> None:
    write_trays(tmp_path, "traced-1-0000", trays_of([]))
    [(_, trays)] = new_trays(tmp_path, set())
    assert (len(trays), trays.pictures.shape) == (0, (0, TRAY_PX, TRAY_PX, 3))
