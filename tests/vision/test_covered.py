"""What is held over a tray is distinguished from cubes, shadows, towers and other floors."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.covering.staged import held_thing, render_pair
from calibration.synth import Options, render
from calibration.synth.sample import sample_scene
from calibration.synth.scene import Plastic
from calibration.synth.staged import StagedTable
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.reading import Doubt
from vision.scene.covered import (
    STRIDE,
    VIEW_PX,
    AlwaysCovered,
    find_always_covered,
    floor_cells,
    is_covered,
    view_of,
)
from vision.scene.plane import project
from vision.scene.rectify import KnownTable, Rectified, outline_px, rectify

NAVY, BLACK = (25, 30, 60), (28, 28, 30)
SLEEVE_MM, SHEET_MM, CARD_MM = (300, 75, 55), (210, 297, 1), (63, 88, 1)
OPTIONS = Options(size_px=(960, 720), mat=True, tray="square", light="daylight", plain=True)


def flat_of(picture: Picture) -> Rectified:
    flat = rectify(picture)
    assert flat is not None
    return flat


def bare_and_covered(
    plastic: Plastic,
    size_mm: tuple[float, float, float],
    srgb: tuple[float, ...],
    place_mm: tuple[float, float, float],
    counts: dict[str, int] | None = None,
) -> tuple[Picture, Picture]:
    """A tray with some cubes, without and with something held over it."""
    counts = {"red": 3, "blue": 3, "yellow": 2} if counts is None else counts
    scene = sample_scene(31, replace(OPTIONS, plastic=plastic, counts=counts))
    table = render_pair(scene, 31, held_thing(place_mm, size_mm, 0.5, srgb))
    return table.bare, table.covered


@pytest.mark.parametrize("plastic", ["clear", "black"])
@pytest.mark.parametrize(
    ("size_mm", "srgb", "place_mm"),
    [
        (SLEEVE_MM, NAVY, (135, 75, 70)),
        (SLEEVE_MM, (120, 40, 40), (135, 75, 70)),
        (SLEEVE_MM, BLACK, (-120, 20, 75)),
        (SHEET_MM, (200, 180, 150), (95, 120, 55)),
        (CARD_MM, (120, 40, 40), (20, -15, 45)),
    ],
)
def test_a_sleeve_a_sheet_or_a_card_over_the_tray_asks(
    plastic: Plastic,
    size_mm: tuple[float, float, float],
    srgb: tuple[float, ...],
    place_mm: tuple[float, float, float],
) -> None:
    bare, over = bare_and_covered(plastic, size_mm, srgb, place_mm)
    reading = TrayReader().read(over)
    assert Doubt.HAND in reading.doubts
    assert not reading.certain
    assert Doubt.HAND not in TrayReader().read(bare).doubts


@pytest.mark.parametrize("colour", ["black", "red", "green"])
def test_a_tray_full_of_one_colour_is_not_covered(colour: str) -> None:
    options = replace(OPTIONS, plastic="black", counts={colour: 40}, plain=False, light="led")
    for seed in (3, 4, 5):
        picture, _ = render(seed, options)
        assert Doubt.HAND not in TrayReader().read(picture).doubts


def test_what_lay_over_the_empty_tray_belongs_there() -> None:
    _, bare = bare_and_covered("clear", CARD_MM, NAVY, (95, 0, 30), {})
    _, picture = bare_and_covered("clear", CARD_MM, NAVY, (95, 0, 30))
    flat, empty = flat_of(picture), flat_of(bare)
    assert is_covered(picture, flat.tray, flat.light)
    belongs = find_always_covered(bare, empty.tray, empty.light)
    assert not is_covered(picture, flat.tray, flat.light, belongs)
    known = KnownTable(empty.tray, empty.light, empty.size_px, bare)
    assert Doubt.HAND not in TrayReader(known=known).read(picture).doubts


def test_what_lies_over_that_is_told_all_the_same() -> None:
    """Wood under a clear tray may have passed for a cover: a hand over it then hid cubes unnoticed."""
    _, bare = bare_and_covered("clear", CARD_MM, NAVY, (95, 0, 30), {})
    _, picture = bare_and_covered("clear", CARD_MM, (205, 150, 118), (95, 0, 30), {})
    flat, empty = flat_of(picture), flat_of(bare)
    belongs = find_always_covered(bare, empty.tray, empty.light)
    assert is_covered(picture, flat.tray, flat.light, belongs)
    dimmer = np.round(0.8 * bare).astype(np.uint8)
    assert not is_covered(dimmer, empty.tray, empty.light, belongs)


def test_cubes_on_a_cloth_that_looks_like_a_sleeve_are_no_hand_and_a_sleeve_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The network is made to see a cover everywhere, even when empty, as it once did on chequered cloths."""
    monkeypatch.setattr("vision.scene.covered.cover_map", lambda view: np.ones((32, 32), np.float32))
    table = StagedTable(31, replace(OPTIONS, mat=False, plastic="clear"))
    empty, (cubes, _) = table.render_empty(), table.render_thrown({"red": 8, "black": 8}, 3)
    flat = flat_of(empty)
    reader = TrayReader(known=KnownTable(flat.tray, flat.light, flat.size_px, empty))
    belongs = find_always_covered(empty, flat.tray, flat.light)
    assert is_covered(cubes, flat.tray, flat.light, belongs)
    reading = reader.read(cubes)
    assert Doubt.HAND not in reading.doubts
    assert Doubt.HAND not in reader.read(empty).doubts
    sleeve = cubes.copy()
    x, y = np.mean(outline_px(flat.tray), axis=0)
    cv2.line(sleeve, (round(x), round(y)), (960, 720), NAVY, 120)
    assert Doubt.HAND in reader.read(sleeve).doubts
    to_mm = np.asarray(np.linalg.inv(flat.tray.to_px), np.float64)
    seen_mm = project([cube.centre_px for cube in reading.cubes], to_mm)
    assert not is_covered(cubes, flat.tray, flat.light, belongs, seen_mm)
    assert is_covered(sleeve, flat.tray, flat.light, belongs, seen_mm)


def test_where_the_tray_looks_just_as_it_did_nothing_lies_over_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The network is made to take the whole tray for covered later on, as it once took a table in the sun."""
    empty = StagedTable(31, replace(OPTIONS, mat=False, plastic="clear")).render_empty()
    flat = flat_of(empty)
    belongs = find_always_covered(empty, flat.tray, flat.light)
    monkeypatch.setattr("vision.scene.covered.cover_map", lambda view: np.ones((32, 32), np.float32))
    [usual] = belongs
    assert not usual.cells.any()
    noise = np.random.default_rng(1).normal(0, 3, empty.shape)
    later = np.clip(0.8 * empty + noise, 0, 255).astype(np.uint8)
    assert is_covered(later, flat.tray, flat.light)
    assert not is_covered(later, flat.tray, flat.light, belongs)
    x, y = np.mean(outline_px(flat.tray), axis=0)
    part = np.s_[round(y) : round(y) + 160, round(x) : round(x) + 120]
    later[part] = np.round(0.8 * later[part]).astype(np.uint8)
    assert is_covered(later, flat.tray, flat.light, belongs)


def test_a_push_of_the_camera_moves_the_edges_of_what_belongs_there() -> None:
    """A cell that an edge now crosses has a level between its neighbours'; another thing does not."""
    view = np.full((VIEW_PX, VIEW_PX, 3), 40, np.uint8)
    view[:, 40:80] = 160
    side = VIEW_PX // STRIDE
    small = cv2.resize(view, (side, side), interpolation=cv2.INTER_AREA).astype(np.float32)
    belongs = AlwaysCovered(np.ones((side, side), np.bool_), np.log(small + 8))
    pushed = np.roll(view, STRIDE // 2, axis=1)
    assert belongs.visible_cells(pushed).all()
    pushed[60:80, 100:120] = 255
    assert not belongs.visible_cells(pushed)[16:19, 26:29].any()


def test_a_view_shows_the_tray_in_its_middle_and_black_beside_the_picture() -> None:
    bare, _ = bare_and_covered("clear", CARD_MM, NAVY, (0, 0, 30))
    flat = flat_of(bare)
    view = view_of(bare, flat.tray, flat.light)
    assert view.shape == (VIEW_PX, VIEW_PX, 3)
    cells = floor_cells(flat.tray)
    side = VIEW_PX // STRIDE
    rows, columns = np.nonzero(cells > 0.5)
    assert (rows.mean(), columns.mean()) == pytest.approx(((side - 1) / 2, (side - 1) / 2), abs=0.6)
    gone = view_of(np.ascontiguousarray(bare[:, :100]), flat.tray, flat.light)
    assert not gone[:, VIEW_PX // 2 :].any()


@pytest.mark.parametrize(("over_mm", "covers"), [(32, False), (60, True)])
@pytest.mark.parametrize("plastic", ["black", "clear"])
def test_a_fingertip_at_the_wall_hides_nothing_and_a_finger_does(
    plastic: Plastic, over_mm: float, *, covers: bool
) -> None:
    _, picture = bare_and_covered(plastic, (90, 14, 12), (205, 150, 118), (-85 + over_mm - 45, 0, 18))
    flat = flat_of(picture)
    assert is_covered(picture, flat.tray, flat.light) == covers


@pytest.mark.parametrize("x_mm", [0.0, 131.0])
def test_of_a_large_tray_the_floor_beside_the_wall_is_looked_at_too(x_mm: float) -> None:
    """One view shows 224 mm: of a floor of 300 mm nearly half was never looked at."""
    staged = StagedTable(91, Options(size_px=(1600, 1200), mat=False, cube_mm=8 * 170 / 300, tray="square"))
    flat = rectify(empty := staged.render_empty(), (300.0, 300.0))
    assert flat is not None
    belongs = find_always_covered(empty, flat.tray, flat.light)
    smaller = replace(flat.tray, inner_mm=(220.0, 220.0))  # as a tray may be found beside the mat
    assert not is_covered(empty, smaller, flat.light, belongs)
    assert not is_covered(empty, flat.tray, flat.light, find_always_covered(empty, smaller, flat.light))
    picture, _ = staged.render_thrown({"red": 3, "blue": 3, "yellow": 3}, 91)
    assert not is_covered(picture, flat.tray, flat.light, belongs)
    corners = [(x_mm - 15, -100), (x_mm + 15, -100), (x_mm + 15, 100), (x_mm - 15, 100)]
    sheet_px = np.round(project(np.array(corners, np.float64), flat.tray.to_px)).astype(np.int32)
    cv2.fillPoly(picture, [sheet_px], (60, 60, 200))
    assert is_covered(picture, flat.tray, flat.light, belongs)
