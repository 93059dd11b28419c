"""What was so when a table was calibrated is asked about no more; what has come or moved since is."""

from dataclasses import replace
from functools import partial

import numpy as np

from calibration.profiles.learn import learn
from calibration.profiles.taught import reader_of
from calibration.synth import Options
from calibration.synth.scene import Scene, floats
from calibration.synth.staged import StagedTable
from calibration.synth.throws import THROWS
from tests.calibration.moves import pushed
from vision.reader import TrayReader
from vision.reading import Doubt
from vision.scene.rectify import rectify


def calibrated(seed: int, *, mat: bool) -> tuple[StagedTable, TrayReader]:
    table = StagedTable(seed, Options((960, 720), mat=mat, throws=THROWS))
    flat = rectify(empty := table.empty())
    assert flat is not None
    return table, reader_of(learn(empty, flat.tray, {}, name="home", made="", cube_mm=table.scene.cube_mm))


def asks(reader: TrayReader, table: StagedTable) -> tuple[Doubt, ...]:
    return reader.read(table.thrown({"red": 2, "green": 1}, 50)[0]).doubts


def with_chest_moved(scene: Scene) -> Scene:
    """By two of its lengths, along the wall."""
    chest = next(one for one in scene.others if one.name == "orange-chest")
    moved = replace(chest, centre_mm=floats(chest.centre_mm - np.array([28, 0, 0])))
    return replace(scene, others=(moved, *(one for one in scene.others if one is not chest)))


def test_a_tray_that_always_seemed_off_the_mats_middle_has_not_moved() -> None:
    """The network took the middle of a clear one for 6 mm elsewhere, and every throw of an evening asked."""
    table, reader = calibrated(303, mat=True)
    assert Doubt.TRAY_MOVED in asks(TrayReader(), table)
    assert asks(reader, table) == ()
    for way in (-12.0, 12.0):
        assert Doubt.TRAY_MOVED in asks(reader, table.after(partial(pushed, x_mm=way)))


def test_a_tray_that_stood_elsewhere_when_it_was_calibrated_asks() -> None:
    """Its outline is wrong by as much, then and now."""
    table = StagedTable(303, Options((960, 720), mat=True, throws=THROWS)).after(partial(pushed, x_mm=14.0))
    flat = rectify(empty := table.empty())
    assert flat is not None
    assert flat.tray.off_mm > 9
    reader = reader_of(learn(empty, flat.tray, {}, name="home", made="", cube_mm=table.scene.cube_mm))
    assert Doubt.TRAY_MOVED in asks(reader, table)


def test_a_chest_that_stood_beside_the_empty_tray_is_no_cube_on_its_rim() -> None:
    """An orange one touches the wall; every throw of an evening asked."""
    table, reader = calibrated(404, mat=False)
    assert Doubt.ON_RIM in asks(TrayReader(), table)
    assert asks(reader, table) == ()
    assert Doubt.ON_RIM in asks(reader, table.after(with_chest_moved))


def test_without_a_picture_of_the_empty_tray_it_is_asked_about_as_ever() -> None:
    """Profiles of older versions have none."""
    for seed, mat, doubt in ((303, True, Doubt.TRAY_MOVED), (404, False, Doubt.ON_RIM)):
        table, reader = calibrated(seed, mat=mat)
        assert reader.known is not None
        older = TrayReader(reader.palette, reader.cube_mm, reader.inner_mm, replace(reader.known, empty=None))
        assert doubt in asks(older, table), seed
