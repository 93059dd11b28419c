"""Hard places: drawn from a seed, kept in files, and told apart from other files."""

from errno import ENOSPC
from os import strerror
from pathlib import Path

import numpy as np
import pytest

from calibration.synth import render
from calibration.training.crops import crop_as_labelled
from calibration.training.hard import PlacesError, draw_options, hard_places, read_places, write_places
from calibration.training.pairs import STACK
from calibration.training.peaks import hard_peaks_of, peaks_of, upright_peaks_of
from vision.finding.faint import FAINTEST

_UPRIGHT = (144, 144, 6)


def test_a_seed_draws_the_same_and_seeds_differ() -> None:
    """Of ten, two are mostly black cubes in a black tray, and three are throws."""
    drawn = [draw_options(seed) for seed in range(40)]
    assert drawn == [draw_options(seed) for seed in range(40)]
    black = [o for o in drawn if o.plastic == "black"]
    assert len(black) == 8
    assert sum(o.throws is not None for o in drawn) == 12
    for options in black:
        assert options.counts is not None
        assert options.counts["black"] > 0.4 * sum(options.counts.values())
    numbers = [sum((o.counts or {}).values()) for o in drawn]
    assert min(numbers) >= 8
    assert max(numbers) <= 40


def test_black_trays_alone_are_drawn_where_they_are_asked_for() -> None:
    drawn = [draw_options(seed, black=True) for seed in range(30)]
    counts = [dict(options.counts or {}) for options in drawn]
    assert {options.plastic for options in drawn} == {"black"}
    assert sum(of["black"] for of in counts) > 0.6 * sum(sum(of.values()) for of in counts)
    assert sum(options.throws is not None for options in drawn) == 20


def test_places_are_kept_in_a_file_with_their_truth(tmp_path: Path) -> None:
    """They are the same as straight from the pictures, and a heap with many stacks gives some stacks."""
    path = tmp_path / "places.npy"
    number = write_places(path, [50, 51], 1, upright_peaks_of)
    kept, drawn = read_places(path, _UPRIGHT), [hard_places(upright_peaks_of, seed) for seed in (50, 51)]
    assert len(kept) == number == sum(len(places) for places in drawn) > 0
    np.testing.assert_array_equal(kept.truth, np.concatenate([places.truth for places in drawn]))
    np.testing.assert_array_equal(kept.patches, np.concatenate([places.patches for places in drawn]))
    assert (kept.truth[:, 0] == STACK).any()


def test_of_black_trays_fainter_places_are_kept_than_the_reader_asks_about(tmp_path: Path) -> None:
    """Those that the reader asks about hold too few black cubes to learn from."""
    path = tmp_path / "places.npy"
    write_places(path, range(88_000_000, 88_000_003), 1, upright_peaks_of, black=True)
    kept = read_places(path, _UPRIGHT)
    drawn = [hard_places(upright_peaks_of, seed, black=True) for seed in range(88_000_000, 88_000_003)]
    np.testing.assert_array_equal(kept.truth, np.concatenate([places.truth for places in drawn]))
    assert (kept.scores < FAINTEST).any()


def test_a_file_that_holds_no_places_is_told(tmp_path: Path) -> None:
    path = tmp_path / "places.npy"
    with pytest.raises(PlacesError, match="do not hold places of this look"):
        read_places(path, _UPRIGHT)
    np.save(path, np.zeros((3, 4), np.uint8))
    path.with_suffix(".json").write_text('{"truth": [[0, -1, -1]], "scores": [0.1]}', encoding="utf-8")
    with pytest.raises(PlacesError, match=r"training places NAME\.npy --of"):
        read_places(path, _UPRIGHT)


@pytest.mark.parametrize(
    "told", ['{"truth": [[0, -1]], "scores": [0.1]}', '{"truth": [[0, -1, -1]], "scores": []}']
)
def test_a_truth_that_does_not_fit_its_patches_is_told(tmp_path: Path, told: str) -> None:
    path = tmp_path / "places.npy"
    np.save(path, np.zeros((1, *_UPRIGHT), np.uint8))
    path.with_suffix(".json").write_text(told, encoding="utf-8")
    with pytest.raises(PlacesError, match="do not hold places"):
        read_places(path, _UPRIGHT)


def test_a_full_disk_is_told_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mocked, since no disk can be filled here."""

    def raise_disk_full(*_: object) -> None:
        raise OSError(ENOSPC, strerror(ENOSPC))

    monkeypatch.setattr(np, "save", raise_disk_full)
    with pytest.raises(PlacesError, match=r"No space left on device\. Make room there"):
        write_places(tmp_path / "places.npy", [50], 1, upright_peaks_of)


@pytest.mark.parametrize("name", ["places", "nowhere/places.npy"])
def test_a_file_that_cannot_be_written_is_told_before_anything_is_drawn(tmp_path: Path, name: str) -> None:
    with pytest.raises(PlacesError, match=r"Name a file NAME\.npy"):
        write_places(tmp_path / name, range(10**9), 1, upright_peaks_of)


def test_the_closer_look_has_hard_places_of_its_own(tmp_path: Path) -> None:
    """Every stack is kept and a few clear places, fewer than it learns from in ordinary trays."""
    crop = crop_as_labelled(*render(50, draw_options(50)))
    assert crop is not None
    path = tmp_path / "closer.npy"
    write_places(path, [50], 1, hard_peaks_of)
    kept, named = read_places(path, (96, 96, 4)), peaks_of([crop])
    assert 0 < len(kept) < 0.8 * len(named)
    assert (kept.truth[:, 0] == STACK).sum() == (named.truth[:, 0] == STACK).sum() > 0
