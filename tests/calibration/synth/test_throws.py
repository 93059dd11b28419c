"""Recorded throws: the file, drawing from it, and the shipped ones."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.synth import Options, render
from calibration.synth.layout import Pose
from calibration.synth.sample import sample_scene
from calibration.synth.staged import StagedTable, drop_unsupported
from calibration.synth.throws import THROWS, Throw, ThrowsError, draw_throw, read_throws, write_throws


def _least_gap_mm(throw: Throw) -> float:
    """Distance between the centres of the two nearest cubes."""
    centres = np.array([pose.centre_mm for pose in throw.poses])
    gaps = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    return float(gaps[~np.eye(len(centres), dtype=bool)].min())


def test_no_shipped_cube_lies_in_another_or_outside_the_tray() -> None:
    throws = read_throws(THROWS)
    assert len(throws) > 300
    for throw in throws:
        half = max(throw.tray.inner_mm) / 2
        for pose in throw.poses:
            assert np.abs(pose.centre_mm[:2] - throw.tray.centre_mm).max() < half + 5
            lowest = pose.centre_mm[2] - np.abs(pose.axes[:, 2]).sum() * throw.edge_mm / 2
            assert lowest > -0.5
        if len(throw.poses) > 1:
            assert _least_gap_mm(throw) > 0.95 * throw.edge_mm


def test_few_shipped_cubes_lie_on_others_as_on_real_tables() -> None:
    throws = read_throws(THROWS)
    heights = [pose.centre_mm[2] / throw.edge_mm for throw in throws for pose in throw.poses]
    assert 0.002 < np.mean(np.array(heights) > 0.9) < 0.05


def test_a_file_tells_what_was_written(tmp_path: Path) -> None:
    throws = read_throws(THROWS)[:20]
    write_throws(tmp_path / "some.npz", throws)
    for before, after in zip(throws, read_throws(tmp_path / "some.npz"), strict=True):
        assert after.tray.inner_mm == pytest.approx(before.tray.inner_mm, abs=0.01)
        assert after.tray.shape == before.tray.shape
        assert after.edge_mm == pytest.approx(before.edge_mm, abs=1e-3)
        for was, is_now in zip(before.poses, after.poses, strict=True):
            assert is_now.centre_mm == pytest.approx(was.centre_mm, abs=0.02)
            assert is_now.axes == pytest.approx(was.axes, abs=0.002)
            assert is_now.axes @ is_now.axes.T == pytest.approx(np.eye(3), abs=1e-5)


@given(st.integers(0, 2**32), st.integers(0, 30), st.sampled_from(["square", "oval"]), st.floats(7.5, 10.5))
def test_a_throw_of_a_kind_has_the_cubes_that_were_wanted(
    seed: int, number: int, shape: str, edge_mm: float
) -> None:
    throws = read_throws(THROWS)
    drawn = draw_throw(
        np.random.default_rng(seed),
        throws,
        shape="oval" if shape == "oval" else "square",
        edge_mm=edge_mm,
        number=number,
    )
    if drawn is None:
        assert 8.6 < edge_mm < 9.4  # most cubes are 8 or 10 mm
        return
    assert drawn.tray.shape == shape
    assert drawn.edge_mm == edge_mm
    assert len(drawn.poses) == number
    if number > 1:
        assert _least_gap_mm(drawn) > 0.95 * edge_mm


def test_larger_cubes_touch_the_floor_and_each_other_as_before() -> None:
    throw = next(t for t in read_throws(THROWS) if len(t.poses) > 20)
    drawn = draw_throw(np.random.default_rng(2), [throw], edge_mm=throw.edge_mm + 0.5)
    assert drawn is not None
    assert _least_gap_mm(drawn) / drawn.edge_mm == pytest.approx(
        _least_gap_mm(throw) / throw.edge_mm, abs=1e-4
    )
    for before, after in zip(throw.poses, drawn.poses, strict=True):
        height = before.centre_mm[2] / throw.edge_mm
        assert after.centre_mm[2] / drawn.edge_mm == pytest.approx(height, abs=1e-4)


def test_a_picture_of_a_throw_shows_the_counts_that_were_asked_for() -> None:
    options = Options(size_px=(640, 480), throws=THROWS, counts={"red": 4, "blue": 3})
    picture, label = render(5, options)
    assert label["counts"] == {"red": 4, "blue": 3, "black": 0, "yellow": 0, "purple": 0, "green": 0}
    again, _ = render(5, options)
    assert (picture == again).all()


def test_cubes_of_an_edge_that_no_throw_had_are_heaped_in_their_tray_all_the_same() -> None:
    assert draw_throw(np.random.default_rng(1), read_throws(THROWS), edge_mm=16.0) is None
    for seed in range(4):
        scene = sample_scene(seed, Options(throws=THROWS, cube_mm=16.0, counts={"red": 5}))
        half = np.array(scene.tray.inner_mm) / 2
        assert scene.cubes
        for cube in scene.cubes:
            assert (np.abs(cube.centre_mm[:2] - scene.tray.centre_mm) < half).all()


def test_a_scene_takes_tray_and_cubes_of_one_throw() -> None:
    scene = sample_scene(8, Options(throws=THROWS))
    like = [t for t in read_throws(THROWS) if t.edge_mm == scene.cube_mm and len(t.poses) == len(scene.cubes)]
    assert any(t.tray.inner_mm == scene.tray.inner_mm for t in like)


def test_a_staged_table_keeps_its_tray_from_throw_to_throw() -> None:
    table = StagedTable(3, Options(size_px=(640, 480), throws=THROWS))
    _, first = table.render_thrown({"red": 5}, 1)
    _, second = table.render_thrown({"red": 5}, 2)
    assert first["inner_mm"] == second["inner_mm"]
    assert first["cubes"] != second["cubes"]


def test_what_fell_is_held_and_what_lay_on_a_cube_goes_with_it() -> None:
    for throw in read_throws(THROWS)[:200]:
        assert len(drop_unsupported(list(throw.poses), throw.edge_mm)) == len(throw.poses)
    towers = [t for t in read_throws(THROWS) if len(_upper_cubes(t)) == 1]
    for throw in towers[:50]:
        (upper,) = _upper_cubes(throw)
        away = [np.abs(pose.centre_mm - upper.centre_mm)[:2].max() for pose in throw.poses]
        far = [pose for pose, mm in zip(throw.poses, away, strict=True) if mm > 2 * throw.edge_mm]
        assert all(pose is not upper for pose in drop_unsupported([*far, upper], throw.edge_mm))


def _upper_cubes(throw: Throw) -> list[Pose]:
    return [pose for pose in throw.poses if pose.centre_mm[2] > 1.1 * throw.edge_mm]


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04cut off"])
def test_a_wrong_file_is_named_with_what_makes_a_right_one(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "throws.npz"
    with pytest.raises(ThrowsError, match=r"no file .*calibration\.traced throws"):
        read_throws(path)
    path.write_bytes(content)
    with pytest.raises(ThrowsError, match="holds no throws"):
        read_throws(path)
    np.savez(path, other=np.zeros(3))
    with pytest.raises(ThrowsError, match="holds no throws"):
        read_throws(path)
