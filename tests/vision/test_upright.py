"""Patches rotated upright for the camera, and what their network is told."""

import cv2
import numpy as np
import pytest

from tests.vision.cells import peak_at
from vision.finding.closer import OUTPUTS
from vision.finding.stored import FINE, SIDE_PX, Source, patch_to_flat
from vision.finding.upright import (
    INPUT_CHANNELS,
    NEAR_CHANNELS,
    UprightPlace,
    both_ways_logits,
    network_inputs,
    upright_patches,
    wide_logits,
    with_slope,
)
from vision.scene.plane import project
from vision.scene.viewpoint import Viewpoint

_MIDDLE = (SIDE_PX - 1) / 2


@pytest.mark.parametrize("place", [(100, 20), (180, 100), (100, 180), (20, 100), (40, 160)])
def test_wherever_the_camera_stands_tops_are_above_their_feet(place: tuple[int, int]) -> None:
    """A bright spot further from the camera than the place must be in the upper half of the patch."""
    viewpoint = Viewpoint(100.0, 100.0, 200.0)
    away = np.array(place) - 100.0
    x, y = np.array(place) + 12 * away / np.hypot(*away)
    image = np.zeros((200, 200, 3), np.uint8)
    cv2.circle(image, (round(x), round(y)), 4, (255, 255, 255), -1)
    [seen] = upright_patches(Source(image, np.eye(3), None, viewpoint), image, [peak_at(*place)], [0])
    rows, columns = np.nonzero(seen.near[:, :, 0] > 127)
    assert rows.mean() == pytest.approx(_MIDDLE - 12 * FINE, abs=2.0)
    assert columns.mean() == pytest.approx(_MIDDLE, abs=2.0)
    assert seen.near.shape == (SIDE_PX, SIDE_PX, NEAR_CHANNELS)
    assert np.unique(seen.near[:, :, 4]).tolist() == [round(255 * float(np.hypot(*away)) / 200)]


def test_however_a_patch_is_held_its_place_stays_in_the_middle() -> None:
    to_flat = patch_to_flat((77.0, 33.0), 2.0, 64, Viewpoint(10.0, 250.0, 300.0).upright((77.0, 33.0)))
    assert project(np.full((1, 2), 31.5), to_flat)[0] == pytest.approx((77.0, 33.0))
    assert abs(np.linalg.det(to_flat[:2, :2])) == pytest.approx(0.25)


def test_a_slope_beyond_what_a_channel_holds_is_the_steepest() -> None:
    patch = np.zeros((4, 4, 4), np.uint8)
    slopes = [int(with_slope(patch, slope)[0, 0, 4]) for slope in (-0.1, 0.0, 0.5, 3.0)]
    assert slopes == [0, 0, 128, 255]


def test_a_mirror_shows_the_place_and_what_stands_about_it() -> None:
    image = np.random.default_rng(3).integers(0, 255, (161, 161, 3), dtype=np.uint8)
    [seen] = upright_patches(Source(image, np.eye(3), None), image, [peak_at(70, 80)], [0])
    assert np.array_equal(seen.mirrored.near, seen.near[:, ::-1])
    assert np.array_equal(seen.mirrored.about, seen.about[:, ::-1])


def test_the_network_is_shown_levels_and_how_they_share_the_light() -> None:
    """Levels doubled in the dark and in the light must be equally far apart as shares."""
    chance = np.random.default_rng(5)
    near = chance.integers(0, 255, (2, 16, 16, NEAR_CHANNELS), np.uint8)
    about = chance.integers(0, 255, (2, 8, 8, 4), np.uint8)
    near[0, 0, :4, 0] = (30, 60, 120, 240)
    seen, beside = network_inputs([UprightPlace(*pair) for pair in zip(near, about, strict=True)])
    assert (seen.shape, beside.shape) == ((2, 16, 16, INPUT_CHANNELS), (2, 8, 8, INPUT_CHANNELS))
    assert np.array_equal(seen[..., :NEAR_CHANNELS], near)
    assert np.array_equal(beside[..., :4], about)
    steps = np.diff(seen[0, 0, :4, NEAR_CHANNELS].astype(int))
    assert steps.min() > 0.85 * steps.max() > 30
    share_of = dict(
        zip(near[..., :3].ravel().tolist(), seen[..., NEAR_CHANNELS:].ravel().tolist(), strict=True)
    )
    shares_about = [share_of[level] for level in about.ravel().tolist() if level in share_of]
    assert shares_about == [
        s for level, s in zip(about.ravel(), beside[..., 4:].ravel(), strict=True) if level in share_of
    ]
    for levels, shares in ((near[..., :3], seen[..., NEAR_CHANNELS:]), (about, beside[..., 4:])):
        order = np.argsort(levels.ravel(), kind="stable")
        assert (np.diff(shares.ravel()[order].astype(int)) >= 0).all()


def test_what_is_said_of_a_place_does_not_hang_on_the_side_that_the_camera_stands_on() -> None:
    """The same picture rotated by a quarter turn, together with the camera."""
    image = np.random.default_rng(2).integers(0, 255, (161, 161, 3), dtype=np.uint8)
    image = np.asarray(cv2.GaussianBlur(image, (0, 0), 3.0), np.uint8)
    turned = np.ascontiguousarray(np.rot90(image, -1))
    straight = Source(image, np.eye(3), None, Viewpoint(80.0, 130.0, 150.0))
    aside = Source(turned, np.eye(3), None, Viewpoint(30.0, 80.0, 150.0))
    first, second = (
        upright_patches(s, seen, [peak_at(80, 80)], [0]) for s, seen in ((straight, image), (aside, turned))
    )
    assert wide_logits(first).shape == (1, OUTPUTS)
    np.testing.assert_allclose(wide_logits(first), wide_logits(second), atol=0.25)


def test_what_stands_about_a_place_beyond_its_patch_is_seen_too() -> None:
    """The same place with others around it, and without."""
    image = np.full((448, 448, 3), 60, np.uint8)
    cv2.rectangle(image, (214, 214), (234, 234), (30, 30, 30), -1)
    crowd = image.copy()
    for x, y in ((120, 200), (330, 250), (200, 330), (240, 110)):
        cv2.rectangle(crowd, (x, y), (x + 20, y + 20), (30, 30, 30), -1)
    lone, among = (
        upright_patches(Source(seen, np.eye(3), None), seen, [peak_at(224, 224)], [0])
        for seen in (image, crowd)
    )
    np.testing.assert_array_equal(lone[0].near, among[0].near)
    assert np.abs(wide_logits(lone) - wide_logits(among)).max() > 0.05


def test_both_ways_are_the_mean_of_a_patch_and_its_mirror() -> None:
    image = np.random.default_rng(4).integers(0, 255, (161, 161, 3), dtype=np.uint8)
    seen = upright_patches(Source(image, np.eye(3), None), image, [peak_at(70, 80)], [0])
    parts = [wide_logits(seen), wide_logits([seen[0].mirrored])]
    assert np.abs(parts[0] - parts[1]).max() > 0.01
    np.testing.assert_allclose(both_ways_logits(seen, parts[0]), np.mean(parts, axis=0), atol=1e-4)
