"""Doubts on rendered tables: what spoils a picture is named, and nothing wrong is accepted silently."""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.synth import Options
from calibration.synth.layout import Pose, upright_axes
from calibration.synth.render import render_scene
from calibration.synth.scene import floats
from calibration.synth.staged import StagedTable
from vision.advice import ADVICE
from vision.doubting.rim import cubes_on_rim
from vision.doubting.scene_doubts import find_scene_doubts
from vision.finding.detector import detect
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.reading import Doubt
from vision.scene.fiducials import find_fiducials
from vision.scene.plane import project
from vision.scene.rectify import rectify

OPTIONS = Options(size_px=(960, 720), mat=True, plastic="clear", tray="square", light="daylight", plain=True)
FEW = {"red": 2, "blue": 2, "yellow": 1}
SKIN = (118, 150, 205)


@pytest.fixture(scope="module")
def table() -> StagedTable:
    return StagedTable(12, OPTIONS)


@pytest.fixture(scope="module")
def thrown(table: StagedTable) -> Picture:
    return table.render_thrown(FEW, 8)[0]


def _mat_to_px(table: StagedTable, *places_mm: tuple[float, float]) -> list[tuple[int, int]]:
    """Convert places on the mat to pixels."""
    found = find_fiducials(table.render_empty())
    assert found is not None
    return [(round(x), round(y)) for x, y in project(np.array(places_mm), found.to_px)]


def _darken(_: StagedTable, picture: Picture) -> Picture:
    noise = np.random.default_rng(3).normal(0, 2, picture.shape)
    return np.asarray(np.clip(picture * 0.06 + noise, 0, 255), np.uint8)


def _overexpose(_: StagedTable, picture: Picture) -> Picture:
    return np.asarray(np.clip(picture * 3.5 + 40.0, 0, 255), np.uint8)


def _hold_hand_over(table: StagedTable, picture: Picture) -> Picture:
    covered = picture.copy()
    begin, end = _mat_to_px(table, (-140, 40), (-20, 20))
    cv2.line(covered, begin, end, SKIN, 46, cv2.LINE_AA)
    return covered


def _leave_cap_on(_: StagedTable, picture: Picture) -> Picture:
    return np.zeros_like(picture)


@pytest.mark.parametrize(
    ("spoil", "doubt"),
    [
        (_darken, Doubt.TOO_DARK),
        (_leave_cap_on, Doubt.TOO_DARK),
        (_overexpose, Doubt.TOO_BRIGHT),
        (_hold_hand_over, Doubt.HAND),
    ],
    ids=["dark", "lens cap", "burnt out", "hand"],
)
def test_what_spoils_a_picture_is_named(
    table: StagedTable,
    thrown: Picture,
    spoil: Callable[[StagedTable, Picture], Picture],
    doubt: Doubt,
) -> None:
    reading = TrayReader().read(spoil(table, thrown))
    assert not reading.certain
    assert doubt in reading.doubts


def test_a_covered_marker_is_named_when_the_reading_is_unsure(table: StagedTable) -> None:
    """A sure reading needs only three markers."""
    covered = table.render_empty()
    low, high = _mat_to_px(table, (-140, -108), (-104, -72))
    cv2.rectangle(covered, low, high, (70, 90, 110), -1)
    flat = rectify(covered)
    assert flat is not None
    assert Doubt.MAT_COVERED in find_scene_doubts(flat)


def _with_cube_at(table: StagedTable, x_mm: float, y_mm: float, z_mm: float) -> Picture:
    picture_scene = table.scene
    edge = picture_scene.cube_mm
    box = table.box("red", Pose(floats([x_mm, y_mm, z_mm + edge / 2]), upright_axes(0.3)))
    return render_scene(replace(picture_scene, cubes=(box,)), 5)[0]


def test_a_cube_beyond_the_floor_is_asked_about(table: StagedTable) -> None:
    """It lies on the wall, 3 mm further out than any counted cube: not counted, but always asked about."""
    tray = table.scene.tray
    reading = TrayReader().read(_with_cube_at(table, tray.centre_mm[0] - 88.0, tray.centre_mm[1], 3.0))
    assert not reading.certain
    assert reading.doubts[0] is Doubt.ON_RIM


@pytest.mark.parametrize(
    ("colour", "score", "told"), [("red", 0.8, 1), ("black", 0.8, 0), ("black", 0.97, 1)]
)
def test_a_dark_corner_of_the_wall_is_no_black_cube(
    table: StagedTable, colour: str, score: float, told: int
) -> None:
    tray = table.scene.tray
    picture = _with_cube_at(table, tray.centre_mm[0] - 88.0, tray.centre_mm[1], 3.0)
    flat = rectify(picture)
    assert flat is not None
    floor = flat.floor(0.0)
    beyond = (
        peak for peak in detect(flat.image) if not floor[round(peak.centre_px[1]), round(peak.centre_px[0])]
    )
    seen = replace(next(beyond), colour=colour, score=score)
    assert len(cubes_on_rim(picture, flat, floor, [seen], fitted=False)) == told


def _with_card(table: StagedTable) -> Picture:
    """A card that extends beyond the wall and shows through it."""
    covered = _with_cube_at(table, table.scene.tray.centre_mm[0] - 88.0, table.scene.tray.centre_mm[1], 3.0)
    x, y = table.scene.tray.centre_mm
    near, far = _mat_to_px(table, (x - 115, y - 14), (x - 96, y + 14))
    (inner,) = _mat_to_px(table, (x - 88, y))
    cv2.rectangle(covered, near, far, tuple(int(v) for v in covered[inner[1], inner[0]]), -1)
    return covered


def test_a_card_seen_through_the_clear_wall_is_no_cube(table: StagedTable) -> None:
    """What shows through the wall continues beside the tray."""
    assert Doubt.ON_RIM not in TrayReader().read(_with_card(table)).doubts


def test_where_the_outline_is_a_guess_what_looks_like_a_cube_is_asked_about(table: StagedTable) -> None:
    """Cubes beyond too small an outline were ignored if more of their colour lay further out."""
    picture = _with_card(table)
    of_mat = rectify(picture)
    assert of_mat is not None
    floor = of_mat.floor(0.0)
    out = [
        peak for peak in detect(of_mat.image) if not floor[round(peak.centre_px[1]), round(peak.centre_px[0])]
    ]
    guessed = replace(of_mat, fiducials=None)
    for score, flat, told in ((0.99, of_mat, 0), (0.99, guessed, 1), (0.9, guessed, 0)):
        seen = [replace(peak, score=score) for peak in out[:1]]
        assert len(cubes_on_rim(picture, flat, floor, seen, fitted=flat.guessed)) == told
    stored = replace(guessed, known=True)  # as a calibration left it
    assert not cubes_on_rim(picture, stored, floor, [replace(out[0], score=0.99)], fitted=False)


def test_a_chest_on_the_table_beside_an_oval_tray_is_not_on_its_wall() -> None:
    """The square picture of an oval floor contains some of the table."""
    oval = StagedTable(12, replace(OPTIONS, tray="oval"))
    tray = oval.scene.tray
    short = int(np.argmin(tray.inner_mm))
    away = [0.0, 0.0]
    away[short] = tray.inner_mm[short] / 2 + 27.0
    beside = _with_cube_at(oval, tray.centre_mm[0] + away[0], tray.centre_mm[1] + away[1], 0.0)
    flat = rectify(beside)
    assert flat is not None
    assert [peak for peak in detect(flat.image) if peak.score > 0.6]
    assert Doubt.ON_RIM not in TrayReader().read(beside).doubts


def test_cubes_on_top_of_each_other_are_asked_about_or_counted(table: StagedTable) -> None:
    """Four stacks of two, the upper cube offset by half an edge."""
    edge, (x, y) = table.scene.cube_mm, table.scene.tray.centre_mm
    boxes = []
    for place, colour in enumerate(("red", "blue", "yellow", "purple")):
        for level in range(2):
            centre = floats([x - 45 + 30 * place, y + 5.0 * level, edge * (level + 0.5)])
            boxes.append(table.box(colour, Pose(centre, upright_axes(0.2 * place + 0.3 * level))))
    picture, label = render_scene(replace(table.scene, cubes=tuple(boxes)), 6)
    reading = TrayReader().read(picture)
    seen = label["visible_counts"]
    assert isinstance(seen, dict)
    assert not reading.certain or {c: n for c, n in reading.counts.items() if n} == {
        c: n for c, n in seen.items() if n
    }
    assert reading.certain or Doubt.STACKED in reading.doubts


@pytest.mark.parametrize("doubt", list(Doubt))
def test_each_doubt_says_what_is_wrong_and_what_to_do(doubt: Doubt) -> None:
    advice = ADVICE[doubt]
    assert advice.sentence.endswith(".")
    assert advice.remedy.endswith(".")


def test_a_lamp_mirrored_among_the_cubes_is_asked_about_and_one_far_from_them_is_not(
    table: StagedTable, thrown: Picture
) -> None:
    reader = TrayReader()
    plain = reader.read(thrown)
    assert Doubt.GLARE not in plain.doubts
    among, far = thrown.copy(), thrown.copy()
    middle = np.mean([cube.centre_px for cube in plain.cubes], axis=0)
    (corner,) = _mat_to_px(table, (-62, -62))
    size = round(1.2 * np.ptp([x for x, _ in plain.cubes[0].outline_px]))
    cv2.circle(among, (round(middle[0]), round(middle[1])), 3 * size, (255, 252, 250), -1)
    cv2.circle(far, corner, size // 2, (255, 252, 250), -1)
    assert Doubt.GLARE in reader.read(among).doubts
    assert Doubt.GLARE not in reader.read(far).doubts
