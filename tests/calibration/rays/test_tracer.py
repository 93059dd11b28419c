"""The tracer against known behaviour of light; compiled for the CPU, which needs no graphics card."""

import shutil
from dataclasses import replace

import numpy as np
import pytest

from calibration.rays.build import Staged, Tracer, trace, tracer
from calibration.rays.picture import trace_picture
from calibration.rays.staged import Table, encode_albedo
from calibration.synth.scene import Floats, Options, floats
from calibration.traced.shapes import Mesh
from vision.reader import TrayReader

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="there is no compiler for the tracer")

SIZE = (24, 24)
ABOVE_MM = 300.0


@pytest.fixture(scope="module")
def library() -> Tracer:
    return tracer()


def paper(albedo: float, sky: float) -> Staged:
    """Stage a table of one colour, 40 mm of it seen from straight above; one thing stands a metre away."""
    to_ray = np.array([[40 / SIZE[0], 0, -20 + 20 / SIZE[0]], [0, 40 / SIZE[1], -20], [0, 0, -ABOVE_MM]])
    return Staged(
        boxes=box((1000, 0, 5), 5),
        lamps=np.zeros((0, 13), np.float32),
        shades=np.zeros((0, 12), np.float32),
        materials=floats([[0.5, 0.5, 0.5, 1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0]]),
        corners=floats([[1000, 0, 0], [1001, 0, 0], [1000, 1, 0]]),
        normals=floats([[0, 0, 1]] * 3),
        triangles=np.array([[0, 1, 2, 0]], np.int32),
        table=encode_albedo(np.full((2, 2, 3), albedo, np.float32)),
        table_mm=(900, 720),
        table_z=0.0,
        table_rough=1.0,
        mat=None,
        mat_mm=(297, 210),
        mat_rough=1.0,
        room=np.full((32, 64, 3), sky, np.float32),
        to_ray=floats(to_ray),
        eye=floats([0, 0, ABOVE_MM]),
    )


def box(centre: tuple[float, float, float], half: float) -> Floats:
    parts = (floats(centre), floats([half] * 3), floats(np.eye(3)).ravel(), floats([0.3, 0]))
    return np.concatenate(parts)[None]


def lamp(place: tuple[float, float, float], radius: float, colour: float) -> Floats:
    """Make a disc lamp that faces the table's middle and lights white paper there with `colour`."""
    light = colour * (float(np.linalg.norm(place)) / radius) ** 2
    return floats([[*place, radius, 0, 0, 0, radius, 0, light, light, light, 1]])


def trace_table(library: Tracer, staged: Staged, samples: int = 64) -> Floats:
    return trace(library, staged, (0, 0, *SIZE), samples=samples, seed=3)


def test_paper_under_an_even_sky_sends_back_its_share(library: Tracer) -> None:
    light = trace_table(library, paper(0.5, 0.8))
    assert light.mean() == pytest.approx(0.4, rel=0.02)
    assert light.std() < 0.02


def test_nothing_is_won_or_lost_where_all_is_as_bright(library: Tracer) -> None:
    """Furnace test: white paper behind clear plastic in a room of light 1 cannot be told from the room."""
    staged = paper(1.0, 1.0)
    ring = [(-50, -50), (50, -50), (50, 50), (-50, 50)]
    slab = Mesh(
        floats([(x, y, z) for z in (20, 24) for x, y in ring]),
        ((3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)),
    )
    faces = [(f[0], f[i], f[i + 1], 0) for f in slab.faces for i in (1, 2)]
    outwards = slab.corners_mm - floats([0, 0, 22])
    # the corners' normals are those of the top and bottom faces: the sides are out of sight
    normals = outwards * floats([0, 0, 1]) / 2
    glass = floats([[1, 1, 1, 0, 0, 0, 1, 1, 1, 1.5, 1, 1, 1, 0]])
    staged = replace(
        staged,
        corners=slab.corners_mm,
        normals=floats(normals),
        triangles=np.array(faces, np.int32),
        materials=np.concatenate([glass, staged.materials]),
        boxes=np.concatenate([staged.boxes[:, :-1], [[1.0]]], 1).astype(np.float32),
    )
    light = trace_table(library, staged, 256)
    assert light.mean() == pytest.approx(1.0, abs=0.02)


def test_a_lamp_is_as_bright_as_it_is_said_to_be(library: Tracer) -> None:
    """`Lamp.colour` is what white paper that faces the lamp at the mat's centre sends out."""
    staged = replace(paper(1.0, 0.0), lamps=lamp((0, 0, 500), 10, 0.7))
    assert trace_table(library, staged)[12, 12].mean() == pytest.approx(0.7, rel=0.02)


def test_a_cube_casts_a_shadow_away_from_the_lamp(library: Tracer) -> None:
    staged = replace(paper(1.0, 0.0), lamps=lamp((300, 0, 400), 3, 0.7), boxes=box((5, 0, 5), 5))
    row = trace_table(library, staged)[12].mean(1)
    in_shadow, in_light = row[np.r_[8:11]], row[:4]  # 3 to 6 mm left of the cube, and farther away
    assert in_shadow.max() < 0.02
    assert in_light.min() > 0.4


def test_its_pictures_are_read_as_they_are_labelled(library: Tracer) -> None:
    counts = {"red": 2, "blue": 1, "yellow": 2}
    options = Options(size_px=(800, 600), counts=counts, plain=True, mat=True, plastic="black", tray="square")
    table = Table.draw(np.random.default_rng(4))
    picture, label = trace_picture(library, 77, options, table, 4)
    assert label["counts"] == dict.fromkeys(("red", "blue", "black", "yellow", "purple", "green"), 0) | counts
    assert {k: v for k, v in TrayReader().read(picture).counts.items() if v} == counts
