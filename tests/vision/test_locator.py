"""The tray found without a mat, in pictures with known ground truth."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from calibration.finding.views import true_corners
from calibration.synth import Options, render
from calibration.synth.scene import Plastic, Shape
from tests.vision.mat_picture import mat_picture
from vision.reader import TrayReader
from vision.scene.fiducials import find_fiducials
from vision.scene.locator import CORNER_INSET, SIGNS, Located, locate
from vision.scene.plane import project
from vision.scene.rectify import rectify
from vision.scene.tray import find_tray


@pytest.mark.parametrize("shape", ["square", "oval"])
@pytest.mark.parametrize("plastic", ["black", "clear"])
def test_floor_and_shape_are_found_without_a_mat(shape: Shape, plastic: Plastic) -> None:
    picture, entry = render(
        910_003, Options(size_px=(640, 480), mat=False, tray=shape, plastic=plastic, plain=True)
    )
    found = locate(picture)
    assert found.shape == shape
    assert found.certainty > 0.3
    assert _worst(found, entry) < 0.06 * picture.shape[1]


@pytest.mark.parametrize("size_px", [(480, 640), (360, 640)])
@pytest.mark.parametrize("plastic", ["black", "clear"])
def test_tray_is_found_by_a_phone_held_upright(size_px: tuple[int, int], plastic: Plastic) -> None:
    """Tall pictures are not in the network's training data."""
    picture, entry = render(910_004, Options(size_px=size_px, mat=False, plastic=plastic, plain=True))
    found = locate(picture)
    assert found.certainty > 0.3
    assert found.shape == entry["tray"]
    assert _worst(found, entry) < 0.06 * picture.shape[0]


@pytest.mark.parametrize("quarters", [1, 3])
def test_tray_is_found_by_a_camera_that_lies_on_its_side(quarters: int) -> None:
    picture, _ = render(910_005, Options(size_px=(640, 480), mat=False, plain=True))
    found = locate(np.ascontiguousarray(np.rot90(picture, quarters)))
    standing = locate(picture).corners_px
    last_x, last_y = picture.shape[1] - 1, picture.shape[0] - 1
    x, y = standing.T
    turned = np.stack([y, last_x - x] if quarters == 1 else [last_y - y, x], axis=1)
    due = np.roll(turned, 1 if quarters == 3 else -1, axis=0)
    assert found.certainty > 0.3
    assert np.abs(found.corners_px - due).max() < 0.06 * picture.shape[1]


def test_tall_and_wide_pictures_of_the_same_table_are_read_alike() -> None:
    """Down to the counts: what lies in the tray does not depend on how the camera is held."""
    picture, entry = render(910_006, Options(size_px=(1280, 960), mat=False, plain=True))
    due: Any = entry["visible_counts"]
    thrown = {colour: number for colour, number in due.items() if number}
    for quarters in range(4):
        counts = TrayReader().read(np.ascontiguousarray(np.rot90(picture, quarters))).counts
        assert {colour: number for colour, number in counts.items() if number} == thrown


def _worst(found: Located, entry: Mapping[str, Any]) -> float:
    """Return the error of the worst corner, in pixels."""
    true_px = true_corners(entry)
    assert true_px is not None
    return float(np.abs(found.corners_px - true_px).max())


def test_nothing_is_found_where_there_is_no_tray() -> None:
    assert rectify(np.full((480, 640, 3), 128, np.uint8)) is None


def test_threads_do_not_mix_their_pictures() -> None:
    """A web page and a camera may ask concurrently: there is one network with one input."""
    options = Options(size_px=(320, 240), mat=False, plain=True)
    pictures = [render(seed, options)[0] for seed in (910_101, 910_102, 910_103)]
    alone = [locate(picture).corners_px for picture in pictures]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda n: locate(pictures[n % 3]).corners_px, range(60)))
    assert all(np.array_equal(corners, alone[n % 3]) for n, corners in enumerate(together))


@pytest.mark.parametrize(
    ("seen_mm", "shape", "taken_mm"),
    [
        ((174.0, 166.0), "square", (170.0, 170.0)),
        ((152.0, 156.0), "square", (154.0, 154.0)),
        ((168.0, 140.0), "square", (168.0, 140.0)),
        ((168.0, 140.0), "oval", (168.0, 140.0)),
        ((60.0, 60.0), "square", (170.0, 170.0)),
    ],
)
def test_mat_gives_the_size_of_a_tray_that_nobody_told(
    seen_mm: tuple[float, float], shape: Shape, taken_mm: tuple[float, float]
) -> None:
    """A usual size is kept, nearly square is made square, others stay as measured, nonsense is rejected."""
    picture = mat_picture()
    fiducials = find_fiducials(picture)
    assert fiducials is not None
    corners = project(SIGNS * CORNER_INSET * np.array(seen_mm) / 2, fiducials.to_px)
    tray = find_tray(picture, fiducials, located=Located(corners, 4.0, shape, 0.9))
    assert tray is not None
    assert tray.inner_mm == pytest.approx(taken_mm, abs=0.5)
    assert (tray.edge_mm > 0) == (taken_mm != (170.0, 170.0))


def test_size_that_was_told_is_believed_before_what_is_seen() -> None:
    picture = mat_picture()
    fiducials = find_fiducials(picture)
    assert fiducials is not None
    corners = project(SIGNS * CORNER_INSET * 70.0, fiducials.to_px)
    tray = find_tray(picture, fiducials, (160.0, 120.0), Located(corners, 4.0, "oval", 0.9))
    assert tray is not None
    assert (tray.inner_mm, tray.edge_mm) == ((160.0, 120.0), 0.0)
