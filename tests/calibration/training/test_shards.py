"""Places in files that appear while training runs."""

from pathlib import Path

import numpy as np
import pytest

from calibration.training.peaks import Peaks, joined, upright_peaks_of
from calibration.training.shards import new_shards, source_of, write_shard


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
    assert (source, len(joined([again, more]))) == ("rendered", 4)


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
