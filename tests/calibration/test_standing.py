"""A tray that stands where it stood, whatever lies under it now, and one that does not."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product

import cv2
import numpy as np
import pytest

from calibration.profiles.drift import Change, changes
from calibration.profiles.learn import learn
from calibration.profiles.profile import Profile
from calibration.synth import Options
from calibration.synth.render import render_scene
from calibration.synth.sample import sample_scene
from calibration.synth.scene import Camera, Plastic, Scene
from vision.pictures import Picture
from vision.scene.fiducials import find_fiducials
from vision.scene.tray import find_tray

SKIN = (120, 150, 205)
tables = pytest.mark.parametrize(
    ("seed", "plastic"), [(seed, plastic) for seed in (41, 42, 43) for plastic in ("clear", "black")]
)


@cache
def thrown(seed: int, plastic: Plastic) -> Scene:
    """A table with the mat and eight cubes."""
    counts = {"red": 3, "blue": 3, "black": 2}
    options = Options((1280, 960), mat=True, plastic=plastic, tray="square", counts=counts, plain=True)
    return sample_scene(seed, options)


def staged(seed: int, plastic: Plastic) -> Scene:
    return replace(thrown(seed, plastic), cubes=())


def calibrated(scene: Scene) -> Profile:
    empty = render_scene(scene, 3)[0]
    tray = find_tray(empty, find_fiducials(empty))
    assert tray is not None
    return learn(empty, tray, {}, name="home", made="")


def seen(scene: Scene) -> Picture:
    return render_scene(scene, 7)[0]


def camera_moved(profile: Profile, picture: Picture) -> bool:
    return Change.CAMERA_MOVED in changes(profile, picture)


def with_hand(picture: Picture) -> Picture:
    """A hand-sized thing left of the tray."""
    hand = picture.copy()
    height, width = picture.shape[:2]
    x, y = round(0.06 * width), round(0.6 * height)
    cv2.ellipse(hand, (x, y), (round(0.06 * width), round(0.1 * height)), 10, 0, 360, SKIN, -1, cv2.LINE_AA)
    return hand


def shifted(camera: Camera, x_mm: float, y_mm: float, z_mm: float = 0.0) -> Camera:
    way = np.array([x_mm, y_mm, z_mm], np.float32)
    matrix = camera.matrix.copy()
    matrix[:, 3] -= matrix[:, :3] @ way
    return replace(camera, matrix=matrix, place_mm=camera.place_mm + way)


def pushed(scene: Scene, x_mm: float) -> Scene:
    x, y = scene.tray.centre_mm
    return replace(scene, tray=replace(scene.tray, centre_mm=(x + x_mm, y)))


def turned(camera: Camera, degrees: float) -> Camera:
    turn = cv2.getRotationMatrix2D((camera.size_px[0] / 2, camera.size_px[1] / 2), degrees, 1.0)
    whole = np.vstack([turn, [0, 0, 1]])
    return replace(camera, matrix=np.asarray(whole @ camera.matrix, np.float32))


def nearer(camera: Camera, share: float) -> Camera:
    x_mm, y_mm, z_mm = (float(-share * along) for along in camera.place_mm)
    return shifted(camera, x_mm, y_mm, z_mm)


MOVES: dict[str, Callable[[Camera], Camera]] = {
    "15 mm": lambda camera: shifted(camera, 9.0, -12.0),
    "3 degrees": lambda camera: turned(camera, 3.0),
    "nearer by 4 %": lambda camera: nearer(camera, 0.04),
}


@tables
def test_a_mat_that_was_taken_away_is_no_move(seed: int, plastic: Plastic) -> None:
    """With cubes in the tray, with a hand beside it, and with the tray pushed by a millimetre."""
    scene = staged(seed, plastic)
    profile, bare = calibrated(scene), replace(scene, mat=False)
    assert changes(profile, seen(bare)) == []
    assert changes(profile, with_hand(seen(bare))) == []
    assert changes(profile, seen(replace(thrown(seed, plastic), mat=False))) == []
    assert changes(profile, seen(pushed(bare, 1.0))) == []


@tables
def test_a_camera_that_moved_is_noticed(seed: int, plastic: Plastic) -> None:
    """With the mat and without it."""
    scene = staged(seed, plastic)
    profile = calibrated(scene)
    for (name, move), mat in product(MOVES.items(), (True, False)):
        moved = replace(scene, camera=move(scene.camera), mat=mat)
        assert camera_moved(profile, seen(moved)), (name, mat)


@pytest.mark.parametrize("plastic", ["clear", "black"])
def test_a_mat_that_lies_elsewhere_is_no_move(plastic: Plastic) -> None:
    """A scene is laid about its mat: to pull that, all else is moved the other way."""
    scene = staged(42, plastic)
    pulled = replace(pushed(scene, -12.0), camera=shifted(scene.camera, -12.0, 0.0))
    assert not camera_moved(calibrated(scene), seen(pulled))
    assert not camera_moved(calibrated(replace(scene, mat=False)), seen(scene))


@tables
def test_a_tray_that_was_pushed_is_noticed_without_the_mat(seed: int, plastic: Plastic) -> None:
    scene = staged(seed, plastic)
    assert camera_moved(calibrated(scene), seen(pushed(replace(scene, mat=False), 12.0)))


def test_a_tray_that_is_gone_does_not_stand() -> None:
    """Nothing but table where it was."""
    assert camera_moved(calibrated(staged(41, "clear")), np.full((960, 1280, 3), 120, np.uint8))
