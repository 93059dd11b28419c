"""The tray found without a mat, in pictures whose truth is known."""

from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest

from calibration.synth import Options, render
from calibration.synth.scene import Plastic, Shape
from vision.locator import CORNER_INSET, SIGNS, locate
from vision.plane import project
from vision.rectify import rectify


@pytest.mark.parametrize("shape", ["square", "oval"])
@pytest.mark.parametrize("plastic", ["black", "clear"])
def test_floor_and_shape_are_found_without_a_mat(shape: Shape, plastic: Plastic) -> None:
    picture, entry = render(
        910_003, Options(size_px=(640, 480), mat=False, tray=shape, plastic=plastic, plain=True)
    )
    found = locate(picture)
    assert found.shape == shape
    assert found.certainty > 0.3
    floor = np.array([(-50, -50), (50, -50), (50, 50), (-50, 50)], np.float32)
    to_px = cv2.getPerspectiveTransform(floor, np.array(entry["floor"], np.float32))
    half = np.array(entry["inner_mm"], np.float64) / 2
    there = project(SIGNS * CORNER_INSET * half, np.asarray(to_px, np.float64))
    assert np.abs(found.corners_px - there).max() < 0.06 * picture.shape[1]


def test_nothing_is_found_where_there_is_no_tray() -> None:
    assert rectify(np.full((480, 640, 3), 128, np.uint8)) is None


def test_threads_do_not_mix_their_pictures() -> None:
    """A web page and a camera may ask at the same time: one network, one input."""
    options = Options(size_px=(320, 240), mat=False, plain=True)
    pictures = [render(seed, options)[0] for seed in (910_101, 910_102, 910_103)]
    alone = [locate(picture).corners_px for picture in pictures]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda n: locate(pictures[n % 3]).corners_px, range(60)))
    assert all(np.array_equal(corners, alone[n % 3]) for n, corners in enumerate(together))
