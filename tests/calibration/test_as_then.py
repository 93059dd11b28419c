"""What was already so at the calibration is not asked about again; what has come or moved since is."""

from dataclasses import replace
from functools import partial

import cv2
import numpy as np

from calibration.profiles.learn import learn
from calibration.profiles.taught import reader_of
from calibration.synth import Options
from calibration.synth.scene import Scene, floats
from calibration.synth.staged import StagedTable
from calibration.synth.throws import THROWS
from tests.calibration.moves import lined, pushed, without_mat
from vision.reader import TrayReader
from vision.reading import Doubt
from vision.scene.fiducials import find_fiducials
from vision.scene.rectify import rectify


def staged(seed: int, *, mat: bool) -> StagedTable:
    return StagedTable(seed, Options((960, 720), mat=mat, throws=THROWS))


def calibrated_reader(table: StagedTable, *shown: str) -> TrayReader:
    flat = rectify(empty := table.render_empty())
    assert flat is not None
    cubes = {colour: [table.render_apart(colour, 5)[0]] for colour in shown}
    return reader_of(learn(empty, flat.tray, cubes, name="home", made="", cube_mm=table.scene.cube_mm))


def without_empty(reader: TrayReader) -> TrayReader:
    """Return the reader as from a profile of an older version, without a picture of the empty tray."""
    assert reader.known is not None
    known = replace(reader.known, empty=None)
    return TrayReader(reader.palette, reader.cube_mm, reader.inner_mm, known)


def doubts_of(reader: TrayReader, table: StagedTable) -> tuple[Doubt, ...]:
    return reader.read(table.render_thrown({"red": 2, "green": 1}, 50)[0]).doubts


def with_chest_moved(scene: Scene) -> Scene:
    """Move the chest along the wall by two of its lengths."""
    chest = next(thing for thing in scene.others if thing.name == "orange-chest")
    moved = replace(chest, centre_mm=floats(chest.centre_mm - np.array([28, 0, 0])))
    return replace(scene, others=(moved, *(thing for thing in scene.others if thing is not chest)))


def test_a_tray_that_always_seemed_off_the_mats_middle_has_not_moved() -> None:
    """The network put a clear tray's middle 6 mm off, and every throw of an evening asked."""
    table = staged(303, mat=True)
    reader = calibrated_reader(table)
    assert Doubt.TRAY_MOVED in doubts_of(TrayReader(), table)
    assert Doubt.TRAY_MOVED in doubts_of(without_empty(reader), table)
    assert doubts_of(reader, table) == ()
    for offset_mm in (-12.0, 12.0):
        assert Doubt.TRAY_MOVED in doubts_of(reader, table.with_scene_change(partial(pushed, x_mm=offset_mm)))


def test_what_hardly_shows_or_shows_without_the_mat_has_not_moved() -> None:
    """If the offset is unknown, that must not count as a return to the mat's middle."""
    table = staged(303, mat=True)
    known = calibrated_reader(table).known
    assert known is not None
    assert known.tray_on_mat is not None
    assert known.tray_on_mat.off_mm > 5
    mat = find_fiducials(table.render_empty())
    assert mat is not None
    assert known.moved(replace(known.tray_on_mat, off=None), mat) is None
    fewer = replace(mat, markers_px=dict([*mat.markers_px.items()][:2]))
    assert known.moved(replace(known.tray_on_mat, off=(1.0, 0.0)), fewer) == (1.0, 0.0)
    small = cv2.resize(
        table.with_scene_change(without_mat).render_empty(), (640, 480), interpolation=cv2.INTER_AREA
    )
    elsewhere = rectify(np.asarray(small, np.uint8), known.tray.inner_mm, known)
    assert elsewhere is not None
    assert elsewhere.tray.off_mm == 0


def test_a_tray_that_stood_elsewhere_when_it_was_calibrated_asks() -> None:
    """Its outline is wrong by that much, then and now."""
    table = staged(303, mat=True).with_scene_change(partial(pushed, x_mm=14.0))
    flat = rectify(table.render_empty())
    assert flat is not None
    assert flat.tray.off_mm > 9
    assert Doubt.TRAY_MOVED in doubts_of(calibrated_reader(table), table)


def test_a_chest_that_stood_beside_the_empty_tray_is_no_cube_on_its_rim() -> None:
    """An orange chest touched the wall, and every throw of an evening asked."""
    table = staged(404, mat=False)
    reader = calibrated_reader(table)
    assert Doubt.ON_RIM in doubts_of(TrayReader(), table)
    assert Doubt.ON_RIM in doubts_of(without_empty(reader), table)
    assert doubts_of(reader, table) == ()
    assert Doubt.ON_RIM in doubts_of(reader, table.with_scene_change(with_chest_moved))


def test_cubes_beyond_an_outline_that_was_found_too_small_are_asked_about() -> None:
    """Path-traced table 1021: a square tray was taken for an oval one, a yellow cube for wood beside it."""
    options = Options((960, 720), mat=False, plastic="clear", tray="square", light="daylight", throws=THROWS)
    table = StagedTable(7108, options)
    reader = calibrated_reader(table)
    known = reader.known
    assert known is not None
    across, down = known.tray.inner_mm
    small = replace(known, tray=replace(known.tray, inner_mm=(0.7 * across, 0.7 * down)))
    picture = table.render_thrown({"yellow": 12}, 9)[0]
    assert Doubt.ON_RIM not in reader.read(picture).doubts
    assert Doubt.ON_RIM in TrayReader(reader.palette, reader.cube_mm, None, small).read(picture).doubts


def test_what_the_empty_tray_showed_is_not_counted_however_much_it_looks_like_cubes() -> None:
    """Squares of a cloth may; here they are real cubes that were left in the tray for the calibration."""
    options = Options((960, 720), mat=False, plastic="clear", tray="square", light="daylight", throws=THROWS)
    table = StagedTable(7108, options)
    known = calibrated_reader(table).known
    assert known is not None
    picture = table.render_thrown({"black": 3}, 9)[0]
    assert TrayReader(known=known).read(picture).counts["black"] > 0
    assert TrayReader(known=replace(known, empty=picture)).read(picture).counts["black"] == 0


def test_a_table_that_a_clear_tray_shows_hides_no_cubes_that_look_alike() -> None:
    """Yellow cubes on wood are seen, yet every throw asked; on yellow felt they may be missed."""
    clear = staged(6005, mat=False)
    reader = calibrated_reader(clear, "red", "green", "yellow")
    assert Doubt.LIKE_FLOOR in doubts_of(without_empty(reader), clear)
    assert doubts_of(reader, clear) == ()
    felt = StagedTable(7001, Options((960, 720), mat=False, plastic="black", tray="square", throws=THROWS))
    felt = felt.with_scene_change(partial(lined, srgb=(220, 185, 60)))
    assert Doubt.LIKE_FLOOR in doubts_of(calibrated_reader(felt, "red", "green", "yellow"), felt)
