"""A tray that still stands where it stood, whatever lies under it now, and one that does not."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest

from calibration.profiles.drift import Change, compares_light, find_changes
from calibration.profiles.learn import learn
from calibration.profiles.profile import Profile
from calibration.synth import Options
from calibration.synth.render import render_scene
from calibration.synth.sample import sample_scene
from calibration.synth.scene import Camera, Plastic, Scene
from calibration.synth.throws import THROWS
from tests.calibration.moves import lit, nearer, pushed, shifted, turned, with_hand
from vision.pictures import Picture
from vision.scene.fiducials import find_fiducials
from vision.scene.tray import find_tray

tables = pytest.mark.parametrize(
    ("seed", "plastic"), [(41, "clear"), (41, "black"), (42, "black"), (43, "clear")]
)


@cache
def table_with_cubes(seed: int, plastic: Plastic) -> Scene:
    """A table with the mat and eight cubes."""
    counts = {"red": 3, "blue": 3, "black": 2}
    options = Options((1280, 960), mat=True, plastic=plastic, tray="square", counts=counts, plain=True)
    return sample_scene(seed, options)


def empty_table(seed: int, plastic: Plastic) -> Scene:
    return replace(table_with_cubes(seed, plastic), cubes=())


def fill_tray(scene: Scene) -> Scene:
    """Fill the tray with yellow cubes, the brightest colour."""
    options = Options(tray="square", counts={"yellow": 70}, throws=THROWS)
    return replace(scene, cubes=sample_scene(41, options).cubes)


def calibrate(scene: Scene) -> Profile:
    empty = render_scene(scene, 3)[0]
    tray = find_tray(empty, find_fiducials(empty))
    assert tray is not None
    return learn(empty, tray, {}, name="home", made="")


def picture_of(scene: Scene) -> Picture:
    return render_scene(scene, 7)[0]


def has_camera_moved(profile: Profile, picture: Picture) -> bool:
    return Change.CAMERA_MOVED in find_changes(profile, picture)


MOVES: dict[str, Callable[[Camera], Camera]] = {
    "15 mm": lambda camera: shifted(camera, 9.0, -12.0),
    "3 degrees": lambda camera: turned(camera, 3.0),
    "nearer by 4 %": lambda camera: nearer(camera, 0.04),
    "20 mm": lambda camera: shifted(camera, 20.0, 0.0),
    "60 mm": lambda camera: shifted(camera, 0.0, -60.0),
}


@tables
def test_a_mat_that_was_taken_away_is_no_move(seed: int, plastic: Plastic) -> None:
    """Even with cubes in the tray, a hand beside it, or the tray pushed by a millimetre."""
    scene = empty_table(seed, plastic)
    profile, bare = calibrate(scene), replace(scene, mat=False)
    assert find_changes(profile, picture_of(bare)) == []
    assert not compares_light(profile, picture_of(bare))
    assert compares_light(profile, picture_of(scene))
    assert find_changes(profile, with_hand(picture_of(bare))) == []
    assert find_changes(profile, picture_of(replace(table_with_cubes(seed, plastic), mat=False))) == []
    assert find_changes(profile, picture_of(pushed(bare, 1.0))) == []


@tables
def test_a_camera_that_moved_is_noticed(seed: int, plastic: Plastic) -> None:
    """With the mat and without it."""
    scene = empty_table(seed, plastic)
    profile = calibrate(scene)
    for (name, move), mat in product(MOVES.items(), (True, False)):
        moved = replace(scene, camera=move(scene.camera), mat=mat)
        assert has_camera_moved(profile, picture_of(moved)), (name, mat)


@pytest.mark.parametrize("plastic", ["clear", "black"])
def test_a_mat_that_lies_elsewhere_is_no_move(plastic: Plastic) -> None:
    """Scenes are centred on the mat: to shift it, everything else is moved the other way."""
    scene = empty_table(42, plastic)
    pulled = replace(pushed(scene, -12.0), camera=shifted(scene.camera, -12.0, 0.0))
    assert not has_camera_moved(calibrate(scene), picture_of(pulled))
    assert not has_camera_moved(calibrate(replace(scene, mat=False)), picture_of(scene))


@tables
def test_a_tray_that_was_pushed_is_noticed_without_the_mat(seed: int, plastic: Plastic) -> None:
    scene = empty_table(seed, plastic)
    assert has_camera_moved(calibrate(scene), picture_of(pushed(replace(scene, mat=False), 12.0)))


def test_a_tray_that_is_gone_does_not_stand() -> None:
    """Only the bare table is where it was."""
    assert has_camera_moved(calibrate(empty_table(41, "clear")), np.full((960, 1280, 3), 120, np.uint8))


def test_without_a_mat_a_pushed_tray_and_a_lower_camera_are_noticed() -> None:
    """By the tray itself: the rest of the table is unchanged, or has hardly changed its size."""
    scene = replace(empty_table(42, "black"), mat=False)
    profile = calibrate(scene)
    assert profile.markers_px == {}
    assert not has_camera_moved(profile, picture_of(pushed(scene, 1.0)))
    assert has_camera_moved(profile, picture_of(pushed(scene, 10.0)))
    assert has_camera_moved(profile, picture_of(replace(scene, camera=nearer(scene.camera, 0.03))))


@pytest.mark.parametrize("mat", [True, False])
def test_a_hand_or_many_cubes_are_no_other_light(mat: bool) -> None:
    """However bright: without a mat they are the brightest things in the picture."""
    bare = replace(empty_table(41, "black"), mat=mat)
    full = fill_tray(bare)
    profile = calibrate(bare)
    assert find_changes(profile, with_hand(picture_of(bare))) == []
    assert find_changes(profile, picture_of(full)) == []
    assert find_changes(profile, with_hand(picture_of(full))) == []


@pytest.mark.parametrize("mat", [True, False])
def test_other_light_is_told_with_a_mat_and_without(mat: bool) -> None:
    """Half or twice the light, or a bulb instead of daylight, but not a quarter more light."""
    bare = replace(empty_table(42, "clear"), mat=mat)
    profile = calibrate(bare)
    assert find_changes(profile, picture_of(lit(bare, 1.25))) == []
    assert find_changes(profile, picture_of(lit(bare, 0.5))) == [Change.LIGHT_LEVEL]
    assert find_changes(profile, picture_of(lit(bare, 2.0))) == [Change.LIGHT_LEVEL]
    assert find_changes(profile, picture_of(lit(bare, 1.0, warmth=0.8))) == [Change.LIGHT_COLOUR]


def test_a_camera_that_looks_elsewhere_is_noticed_without_a_mat() -> None:
    """Even if the tray's outline is no longer in the picture."""
    scene = replace(empty_table(41, "clear"), mat=False)
    away = replace(scene, camera=shifted(scene.camera, 60.0, -80.0))
    assert has_camera_moved(calibrate(scene), picture_of(away))


def test_light_is_told_by_an_old_profile_too() -> None:
    """It has no picture of the empty tray, so the mat's paper is used."""
    scene = empty_table(43, "clear")
    old = replace(calibrate(scene), empty_jpeg=b"")
    assert find_changes(old, picture_of(scene)) == []
    assert find_changes(old, picture_of(lit(scene, 0.5))) == [Change.LIGHT_LEVEL]
    assert find_changes(old, picture_of(lit(scene, 1.0, warmth=0.8))) == [Change.LIGHT_COLOUR]
