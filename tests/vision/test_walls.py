"""A cube at the foot of a glossy wall is mirrored in it, and is one cube."""

import numpy as np
import pytest

from vision.comparing.walls import without_images
from vision.finding.candidates import Candidate
from vision.palette import SHOGUN
from vision.scene.light import PAPER_LEVEL, Light
from vision.scene.plane import project
from vision.scene.rectify import lay_flat
from vision.scene.tray import Tray

WHITE = Light((float(PAPER_LEVEL),) * 3, measured=True)
EDGE_PX, FOOT_MM = 20.0, 85.0
BRIGHT, SHADED, DIM, DIM_GREEN = (40, 40, 200), (18, 18, 105), (5, 5, 30), (5, 30, 5)
Bgr = tuple[int, int, int]
Place = tuple[float, float]


def _presence(cube: Place, seen: Place, bgr: Bgr = DIM, colour: str = "red", *, under: bool = False) -> float:
    """Presence left, of 0.9, for a candidate at `seen` (mm from the tray's centre) beside a bright red
    cube."""
    picture = np.full((800, 800, 3), 25, np.uint8)
    for (x, y), dye in ((cube, BRIGHT), (seen, bgr)):
        left, top = round(400 + 2.5 * x) - 10, round(400 + 2.5 * y) - 10
        picture[top : top + 21, left : left + 21] = dye
    flat = lay_flat(
        picture, Tray(np.array([[2.5, 0, 400], [0, 2.5, 400], [0, 0, 1]]), (170, 170), "square", 1), WHITE
    )
    flat_px = project(
        np.array([cube, seen]) * 2.5 + 400, np.asarray(np.linalg.inv(flat.to_picture), np.float64)
    )
    shares = [tuple(float(c == name) for c in SHOGUN.colours) for name in ("red", colour)]
    found = [
        Candidate((float(x), float(y)), EDGE_PX, 0.9, share, under=is_under)
        for (x, y), share, is_under in zip(flat_px, shares, (False, under), strict=True)
    ]
    first, second = without_images(found, flat, SHOGUN)
    assert first.presence == 0.9
    return second.presence


@pytest.mark.parametrize(
    ("cube", "seen"),
    [((10, FOOT_MM - 12), (11, FOOT_MM + 4)), ((-FOOT_MM + 8, 0), (-FOOT_MM - 4, -1))],
    ids=["in the nearer wall", "in the left one"],
)
def test_what_a_wall_mirrors_is_no_cube(cube: Place, seen: Place) -> None:
    assert _presence(cube, seen) < 0.05


@pytest.mark.parametrize(
    "seen",
    [(10, FOOT_MM - 2), (22, FOOT_MM + 4), (10, -FOOT_MM - 4)],
    ids=["on the floor", "beside it", "at the other wall"],
)
def test_what_lies_elsewhere_is(seen: Place) -> None:
    assert _presence((10, FOOT_MM - 12), seen) == 0.9


def test_a_cube_in_the_shadow_of_the_wall_or_of_another_colour_is() -> None:
    cube, seen = (10.0, FOOT_MM - 12), (11.0, FOOT_MM + 4)
    assert _presence(cube, seen, SHADED) == 0.9
    assert _presence(cube, seen, DIM_GREEN, "green") == 0.9
    assert _presence(cube, seen, under=True) == 0.9


def test_what_stands_in_the_middle_is_mirrored_higher_up() -> None:
    assert _presence((10, 20), (11, FOOT_MM + 4)) == 0.9
