"""A calibrated table on which something has changed, rendered and read without the mat."""

import math
from collections.abc import Callable
from dataclasses import replace

import pytest

from calibration.profiles.learn import learn
from calibration.profiles.taught import reader_of
from calibration.synth import Options
from calibration.synth.scene import COLOURS, Scene
from calibration.synth.staged import StagedTable
from calibration.synth.throws import THROWS
from tests.calibration.moves import lit, on_another_cloth, without_mat
from vision.palette import SHOGUN_SRGB, Palette
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.scene.rectify import rectify

_TWO_OF_EACH = dict.fromkeys(COLOURS, 2)


def _stage_table(seed: int, *, mat: bool) -> StagedTable:
    return StagedTable(seed, Options(size_px=(640, 480), mat=mat, plastic="clear", throws=THROWS))


def _calibrate_reader(table: StagedTable, *, cubes: bool) -> TrayReader:
    empty = table.render_empty()
    flat = rectify(empty)
    assert flat is not None
    shown = {colour: [table.render_apart(colour, 5)[0]] for colour in COLOURS} if cubes else {}
    return reader_of(learn(empty, flat.tray, shown, name="t", made="", cube_mm=table.scene.cube_mm))


def _throw_cubes(table: StagedTable, seed: int) -> tuple[Picture, dict[str, int]]:
    picture, label = table.render_thrown(_TWO_OF_EACH, seed)
    counts = label["visible_counts"]
    assert isinstance(counts, dict)
    return picture, counts


def _light_by_bulb(scene: Scene) -> Scene:
    return lit(scene, 1.0, 0.8)


@pytest.mark.parametrize(
    ("seed", "cubes", "change"),
    [
        (2300012, False, on_another_cloth),
        (2300012, True, on_another_cloth),
        (2300015, False, without_mat),
        (2300008, True, without_mat),
        (2300002, True, lambda scene: _light_by_bulb(without_mat(scene))),
    ],
)
def test_what_shows_through_a_clear_tray_is_no_lamp(
    seed: int, cubes: bool, change: Callable[[Scene], Scene]
) -> None:
    """A floor that had become darker and redder was taken for a lamp: purple cubes were surely blue."""
    table = _stage_table(seed, mat=change is not on_another_cloth)
    reader = _calibrate_reader(table, cubes=cubes)
    picture, counts = _throw_cubes(table.with_scene_change(change), 10 * seed + 1)
    assert reader.read(picture).counts == counts


@pytest.mark.parametrize("change", [lambda scene: scene, _light_by_bulb])
def test_a_calibration_without_cubes_leaves_none_out(change: Callable[[Scene], Scene]) -> None:
    """Its white is a guess, and so is the expected look of a dye: red cubes were taken for shadows."""
    table = _stage_table(2300001, mat=False)
    picture, counts = _throw_cubes(table.with_scene_change(change), 23000012)
    assert _calibrate_reader(table, cubes=False).read(picture).counts == counts


def test_cubes_tell_the_light_unless_those_that_were_shown_still_do() -> None:
    """A changed floor says nothing about today's lamps, whatever cubes the calibration was shown."""
    flat = rectify(_stage_table(2300003, mat=False).render_empty())
    assert flat is not None
    known, stale = replace(flat, known=True), replace(flat, known=True, stale=True)
    usual, taught = TrayReader(), TrayReader(Palette.of_colours(SHOGUN_SRGB))
    assert [usual._may_relight(rectified) for rectified in (flat, known, stale)] == [True, True, True]
    assert [taught._may_relight(rectified) for rectified in (flat, known, stale)] == [True, False, True]


def test_another_lamp_is_told_by_the_floor_and_another_floor_is_not() -> None:
    table = _stage_table(2300003, mat=False)
    reader = _calibrate_reader(table, cubes=False)
    same, other = (
        rectify(_throw_cubes(table.with_scene_change(change), 1)[0], known=reader.known)
        for change in (_light_by_bulb, on_another_cloth)
    )
    assert same is not None
    assert other is not None
    assert reader.known is not None
    assert (same.stale, other.stale) == (False, True)
    warmer = same.light.linear / reader.known.light.linear
    assert warmer[2] / warmer[0] == pytest.approx(math.exp(0.8), rel=0.1)
    assert other.light.linear == pytest.approx(reader.known.light.linear)
