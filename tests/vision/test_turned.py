"""Cameras on any side of the table, trays off the mat's centre or half out of the picture."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.synth import Options, render
from calibration.synth.render import render_scene
from calibration.synth.sample import sample_scene
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.reading import Doubt
from vision.scene.rectify import rectify

COUNTS = {"red": 3, "blue": 3, "yellow": 3, "green": 3}
PLAIN = Options(size_px=(960, 720), mat=True, plain=True, counts=COUNTS, tray="square")


def one_marker(seed: int) -> tuple[Picture, dict[str, object]]:
    """A picture in which all markers but one are covered."""
    picture, label = render(seed, PLAIN)
    covered = picture.copy()
    markers = label["markers"]
    assert isinstance(markers, dict)
    for corners in list(markers.values())[1:]:
        cv2.fillPoly(covered, [cv2.convexHull(np.array(corners, np.int32))], (120, 120, 120))
    return covered, label


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("seed", [51_001, 51_003])
def test_a_camera_on_any_side_of_the_table_counts_alike(seed: int, turns: int) -> None:
    """With one marker in view the tray itself fixes the plane, whichever way it is turned."""
    picture, label = one_marker(seed)
    reading = TrayReader().read(np.ascontiguousarray(np.rot90(picture, turns)))
    exact = reading.counts == label["visible_counts"]
    assert exact or not reading.certain
    assert reading.total > 6


def test_a_tray_beside_the_middle_of_the_mat_is_asked_about() -> None:
    """A row of cubes along its wall would lie outside the area searched for the floor."""
    scene = sample_scene(301, PLAIN)
    for off_mm in (0.0, 24.0):
        moved = replace(scene, tray=replace(scene.tray, centre_mm=(off_mm, 0.0), yaw_rad=0.0), cubes=())
        reading = TrayReader().read(render_scene(moved, 9)[0])
        assert (Doubt.TRAY_MOVED in reading.doubts) == (off_mm > 0)


def test_a_tray_that_is_partly_out_of_the_picture_is_asked_about() -> None:
    picture, _ = render(51_001, PLAIN)
    whole = rectify(picture)
    assert whole is not None
    middle = round(float(np.mean([x for x, _ in whole.to_picture[:2, 2:3].T])) + picture.shape[1] / 2)
    cut = np.ascontiguousarray(picture[:, : min(middle, picture.shape[1] // 2)])
    reading = TrayReader().read(cut)
    assert not reading.certain
    assert Doubt.TRAY_CUT in reading.doubts
