"""Hard places written by worker processes."""

from pathlib import Path

from calibration.rays.places import write_shards_for
from calibration.training.pairs import STACK
from calibration.training.shards import new_shards, new_trays


def test_workers_write_places_with_their_truth_until_the_time_is_over(tmp_path: Path) -> None:
    """Uses the renderer, since on a CPU a traced picture takes longer than this test."""
    lines = list(write_shards_for(tmp_path, 2.0, ["rendered"], 700_000_000, check=True))
    assert len(lines) == 1
    shards = list(new_shards(tmp_path, set()))
    assert {source for source, _ in shards} == {"check-rendered"}
    places = sum(len(part) for _, part in shards)
    assert places > 0
    assert lines[0].endswith(f", {places} places")
    assert all(set(part.truth[:, 0].tolist()) <= {0, 1, STACK} for _, part in shards)


def test_several_networks_learn_from_the_same_pictures(tmp_path: Path) -> None:
    lines = list(
        write_shards_for(
            tmp_path, 2.0, ["rendered"], 700_000_000, check=False, networks=("trays", "closer", "wide")
        )
    )
    trays = [part for _, part in new_trays(tmp_path / "trays", set())]
    closer, wide = (
        [part for source, part in new_shards(tmp_path / name, set()) if source == "rendered"]
        for name in ("closer", "wide")
    )
    numbers = [sum(len(part) for part in parts) for parts in (trays, closer, wide)]
    assert all(numbers)
    assert lines[0].endswith(f", {numbers[0]} trays, {numbers[1]} places, {numbers[2]} places")
    assert closer[0].patches.shape[1:] != wide[0].patches.shape[1:]
