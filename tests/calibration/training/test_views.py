"""Views of crops: what moves in the picture moves in the truth."""

import cv2
import numpy as np

from calibration.training.crops import Crop
from calibration.training.views import VIEW_PX, Drawer, slant_matrix, vary_light, vary_tone, view


def test_a_cube_is_where_the_view_says() -> None:
    picture = np.full((448, 448, 3), 40, np.uint8)
    cv2.circle(picture, (220, 230), 8, (250, 250, 250), -1)
    crop = Crop(picture, np.array([[220, 230, 0, 1.0, 20, -1]], np.float32))
    rng = np.random.default_rng(1)
    found = 0
    for _ in range(20):
        seen, cubes = view(rng, crop)
        x, y = cubes[0, :2]
        if 15 < x < VIEW_PX - 15 and 15 < y < VIEW_PX - 15:
            found += 1
            grey = cv2.GaussianBlur(seen.max(axis=2), (0, 0), 3)
            _, _, _, brightest = cv2.minMaxLoc(grey)
            assert np.hypot(brightest[0] - x, brightest[1] - y) < 5
    assert found > 5


def test_what_was_hard_is_drawn_more_often() -> None:
    crops = [Crop(np.zeros((448, 448, 3), np.uint8), np.zeros((0, 6), np.float32)) for _ in range(2)]
    drawer = Drawer(np.random.default_rng(2), crops)
    for _ in range(30):
        drawer.note_loss(0, 100.0)
        drawer.note_loss(1, 0.1)
    drawn = [drawer.draw() for _ in range(200)]
    assert 140 < drawn.count(0) < 200


def test_another_tilt_makes_nothing_larger() -> None:
    rng = np.random.default_rng(3)
    shapes = [slant_matrix(rng) for _ in range(200)]
    assert all(abs(np.linalg.det(shape) - 1) < 1e-9 for shape in shapes)
    shorter = [np.linalg.svd(shape)[1][1] for shape in shapes]
    assert 0.8 < min(shorter) < np.median(shorter) < 0.99


def test_shadows_of_other_lamps_fall_across_some_views() -> None:
    """They darken one side of a picture, some by more than half, and leave the other as it was."""
    rng = np.random.default_rng(4)
    darker = []
    for _ in range(200):
        seen = cv2.GaussianBlur(vary_light(rng, np.full((128, 128, 3), 90, np.uint8)), (0, 0), 4)[8:-8, 8:-8]
        darker.append(float(seen.max(axis=2).min()) / float(seen.max(axis=2).max()))
    dark = sum(share < 0.8 for share in darker)
    assert 20 < dark < 110
    assert min(darker) < 0.65
    assert np.median(darker) > 0.85


def test_a_shadow_falls_across_a_place_as_across_what_stands_about_it() -> None:
    """A patch of 128 px and the centre of a view at an eighth of its resolution, in the same light."""
    differences = []
    for seed in range(60):
        near = vary_tone(np.random.default_rng(seed), np.full((128, 128, 3), 90, np.uint8), 128)
        about = vary_tone(np.random.default_rng(seed), np.full((64, 64, 3), 90, np.uint8), 16)
        small = cv2.resize(near, (16, 16), interpolation=cv2.INTER_AREA).astype(float)
        differences.append(np.abs(small - about[24:40, 24:40]).mean())
    assert max(differences) < 4
