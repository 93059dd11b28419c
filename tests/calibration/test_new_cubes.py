"""Cubes shown for a calibration: each is found once by its top, whatever the tray is made of."""

import cv2
import numpy as np
import pytest

from calibration.profiles.learn import estimate_cube_mm
from calibration.profiles.new_cubes import find_new_cubes
from calibration.profiles.profile import ProfileError
from calibration.synth import Options
from calibration.synth.scene import Plastic
from calibration.synth.staged import StagedTable
from calibration.synth.throws import THROWS
from vision.scene.plane import project
from vision.scene.rectify import rectify
from vision.scene.tray import Tray

_SHOWN = 5


def staged(seed: int, plastic: Plastic | None = "black") -> tuple[StagedTable, np.ndarray, Tray]:
    """A tray without a mat, its empty picture, and where the reader finds it."""
    table = StagedTable(seed, Options(size_px=(1280, 960), mat=False, plastic=plastic, throws=THROWS))
    empty = table.render_empty()
    flat = rectify(empty)
    assert flat is not None
    return table, empty, flat.tray


@pytest.mark.parametrize(
    ("seed", "plastic"), [(890004, None), (970023, "black"), (970031, "black"), (970039, "black")]
)
def test_black_cubes_in_a_black_tray_are_found_by_their_tops(seed: int, plastic: Plastic | None) -> None:
    """By difference alone, two of these gave none; in the first, a shadow looks like a sixth cube."""
    table, empty, tray = staged(seed, plastic)
    assert table.scene.tray.plastic == "black"
    picture, label = table.render_apart("black", _SHOWN)
    new = find_new_cubes(empty, picture, tray)
    cubes = label["cubes"]
    assert isinstance(cubes, list)
    assert new.number == len(cubes) == _SHOWN
    places = np.array(new.places_px)
    for cube in cubes:
        outline = np.array(cube["polygon"], np.float32)
        inside = [cv2.pointPolygonTest(outline, (float(x), float(y)), False) > 0 for x, y in places]
        assert sum(inside) == 1
    assert abs(estimate_cube_mm([new.edge_mm]) - table.scene.cube_mm) < 1


def test_what_lay_there_before_is_not_new() -> None:
    """A cube forgotten in the tray, or a mark that looks like one."""
    table, _, tray = staged(970031)
    with_one, _ = table.render_apart("red", 1)
    assert find_new_cubes(with_one, with_one, tray).number == 0


def test_cubes_of_no_usual_size_are_found_by_what_has_changed() -> None:
    """The networks know cubes of 6 to 12 mm; larger things are still found."""
    _, empty, tray = staged(970031)
    middle = project(np.zeros((1, 2)), tray.to_px)[0]
    picture = empty.copy()
    x, y = (round(float(v)) for v in middle)
    picture[y - 60 : y + 60, x - 60 : x + 60] = (40, 160, 230)
    assert find_new_cubes(empty, picture, tray).number == 1


def test_pictures_of_two_sizes_are_refused() -> None:
    """They cannot be compared."""
    _, empty, tray = staged(970031)
    with pytest.raises(ProfileError, match="differ in size"):
        find_new_cubes(empty, np.zeros((480, 640, 3), np.uint8), tray)
