"""Tables, mat and room as maps of albedo and light."""

import cv2
import numpy as np
import pytest

from calibration.synth.sample import sample_scene
from calibration.synth.scene import Options, floats
from calibration.traced.surfaces import printed_mat, room, table
from vision.scene.mat import MARKER_DICTIONARY


def test_every_kind_of_table_is_a_colour_that_exists() -> None:
    """Over sixteen seeds albedo is physically possible, never one flat colour, and most kinds occur."""
    kinds = set()
    for seed in range(16):
        name, albedo, rough = table(np.random.default_rng(seed))
        kinds.add(name)
        assert albedo.dtype == np.float32
        assert 0.005 <= albedo.min() <= albedo.max() <= 0.9
        assert albedo.std((0, 1)).max() > 1e-4
        assert 0 < rough <= 1
    assert len(kinds) >= 4


def test_the_printed_mat_has_its_four_markers() -> None:
    sheet = printed_mat(sample_scene(1, Options(mat=True)), 4.0)
    grey = (np.clip(sheet, 0, 1).mean(2) * 255).astype(np.uint8)
    finder = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY))
    _, found, _ = finder.detectMarkers(grey)
    assert sorted(found.ravel().tolist()) == [0, 1, 2, 3]


@pytest.mark.parametrize("seed", range(5))
def test_a_room_gives_white_paper_the_light_it_was_told_to(seed: int) -> None:
    """Checked numerically: the cosine-weighted mean over the upper hemisphere."""
    sky = floats([0.5, 0.4, 0.3])
    light = room(np.random.default_rng(seed), sky)
    theta = (np.arange(32) + 0.5) / 32 * np.pi
    weight = np.sin(theta) * np.maximum(np.cos(theta), 0)
    falling = (light * weight[:, None, None]).sum((0, 1)) / (weight.sum() * 64)
    assert falling == pytest.approx(sky, rel=1e-4)
    assert light.min() > 0
