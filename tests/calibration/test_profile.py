"""Profiles: learned from pictures, stored atomically, and aware of changes."""

import json
import math
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.profiles.drift import Change, DriftWatch, find_changes
from calibration.profiles.learn import estimate_cube_mm, learn
from calibration.profiles.new_cubes import find_new_cubes
from calibration.profiles.profile import (
    ColourSample,
    Lens,
    Profile,
    ProfileError,
    TrayPlace,
    as_json,
    from_json,
    load,
    names,
    save,
)
from tests.vision.mat_picture import PX_PER_MM, mat_picture
from vision.pictures import Picture
from vision.scene.tray import Tray

COLOURS = {"red": (40, 30, 190), "black": (35, 30, 30), "yellow": (30, 200, 230), "green": (60, 120, 30)}
EMPTY = mat_picture(tray_grey=120)
MIDDLE = (EMPTY.shape[1] / 2, EMPTY.shape[0] / 2)
TO_PX = np.array([[PX_PER_MM, 0, MIDDLE[0]], [0, PX_PER_MM, MIDDLE[1]], [0, 0, 1.0]])
TRAY = Tray(TO_PX, (170.0, 170.0), "square", 1.0)
PLACES_MM = ((-50, -40), (-20, 30), (10, -15), (35, 45), (60, -60))


def with_cubes(
    bgr: tuple[int, int, int], number: int = 5, edge_mm: float = 8.0, empty: Picture = EMPTY
) -> Picture:
    """Draw cubes from above with a strip of side (1.15 edges wide as in rendered trays), shadow, noise."""
    picture = empty.copy()
    half = round(1.15 * edge_mm * PX_PER_MM / 2)
    for x_mm, y_mm in PLACES_MM[:number]:
        x, y = round(MIDDLE[0] + x_mm * PX_PER_MM), round(MIDDLE[1] + y_mm * PX_PER_MM)
        picture[y - half : y + half + 4, x - half : x + half + 4] //= 2
        picture[y - half : y + half, x - half : x + half] = bgr
    noise = np.random.default_rng(1).normal(0, 3, picture.shape)
    return np.asarray(np.clip(picture + noise, 0, 255), np.uint8)


@cache
def learned() -> Profile:
    cubes = {colour: [with_cubes(bgr)] for colour, bgr in COLOURS.items()}
    return learn(EMPTY, TRAY, cubes, name="home", made="2026-11-21T10:00:00+00:00")


def test_colours_are_learned_from_what_is_new_in_the_tray() -> None:
    """Samples lie on the cubes, not on their shadows or the tray."""
    profile = learned()
    for colour, bgr in COLOURS.items():
        pixels = np.array(profile.colours[colour].pixels_bgr)
        assert len(pixels) == 120
        assert pixels.mean(axis=0) == pytest.approx(bgr, abs=6)
        assert profile.colours[colour].white_bgr == pytest.approx(profile.white_bgr, abs=4)
    assert profile.cube_mm == 8.0
    assert set(profile.markers_px) == {0, 1, 2, 3}


@pytest.mark.parametrize("number", [1, 3, 5])
@pytest.mark.parametrize("edge_mm", [8.0, 10.0])
def test_cubes_apart_are_counted_and_measured(number: int, edge_mm: float) -> None:
    """The number put there is found; the edge is measured by the tray's size."""
    new = find_new_cubes(EMPTY, with_cubes((40, 30, 190), number, edge_mm), TRAY)
    assert new.number == number
    assert estimate_cube_mm([new.edge_mm]) == edge_mm


def test_nothing_new_is_nothing_seen() -> None:
    """Neither noise nor a thing outside the tray is a cube."""
    assert find_new_cubes(EMPTY, with_cubes((0, 0, 0), number=0), TRAY).number == 0
    beside = EMPTY.copy()
    beside[5:40, 300:340] = (0, 0, 200)
    assert find_new_cubes(EMPTY, beside, TRAY).number == 0


def test_a_darker_picture_is_no_cube() -> None:
    """The camera's exposure depends on what lies in the tray."""
    darker = np.asarray(with_cubes((40, 30, 190)) * 0.8, np.uint8)
    assert find_new_cubes(EMPTY, darker, TRAY).number == 5


def test_colour_that_is_not_there_is_named() -> None:
    """The error names the colour that failed and what to do."""
    with pytest.raises(ProfileError, match="No blue cube") as caught:
        learn(EMPTY, TRAY, {"blue": [EMPTY]}, name="home", made="")
    assert "apart" in caught.value.remedy


def test_black_in_a_dark_tray_recommends_the_inlay() -> None:
    """What cannot be seen cannot be learned; the remedy is a paper inlay."""
    dark = mat_picture(tray_grey=30)
    with pytest.raises(ProfileError, match="inlay"):
        learn(dark, TRAY, {"black": [dark]}, name="home", made="")


numbers = st.floats(-1e6, 1e6)
lengths = st.floats(1e-3, 1e3)
points = st.tuples(numbers, numbers)
levels = st.floats(0.5, 255)
bgrs = st.tuples(levels, levels, levels)
whites = st.tuples(*[st.floats(0.5, 999)] * 3)
pinholes = st.builds(
    lambda f, x, y: (f, 0.0, x, 0.0, f, y, 0.0, 0.0, 1.0),
    st.floats(1, 1e4),
    st.floats(-1e4, 1e4),
    st.floats(-1e4, 1e4),
)
profiles = st.builds(
    Profile,
    name=st.just("home"),
    made=st.text(max_size=30),
    size_px=st.tuples(st.integers(1, 9999), st.integers(1, 9999)),
    tray=st.builds(
        TrayPlace,
        pinholes,
        st.tuples(lengths, lengths),
        st.sampled_from(["square", "oval"]),
    ),
    markers_px=st.dictionaries(st.integers(0, 3), st.tuples(points, points, points, points)),
    white_bgr=whites,
    dark_tray=st.booleans(),
    cube_mm=lengths,
    colours=st.dictionaries(
        st.text(max_size=8),
        st.builds(ColourSample, st.lists(bgrs, min_size=1, max_size=3).map(tuple), whites),
        max_size=3,
    ),
    thumbnail=st.lists(st.tuples(st.integers(0, 255), st.integers(0, 255)), min_size=1, max_size=3).map(
        tuple
    ),
    lens=st.none() | st.builds(Lens, pinholes, st.tuples(*[numbers] * 5), numbers),
    empty_jpeg=st.binary(max_size=20),
)


@given(profile=profiles)
def test_file_and_profile_are_the_same(profile: Profile) -> None:
    """Decoding undoes encoding."""
    assert from_json(json.loads(json.dumps(as_json(profile)))) == profile


@given(
    body=st.recursive(
        st.none() | st.integers() | st.text(), lambda c: st.lists(c) | st.dictionaries(st.text(), c)
    )
)
def test_any_other_json_is_refused_by_name(body: object) -> None:
    """Only ValueError is raised."""
    with pytest.raises(ValueError, match="not a profile"):
        from_json(body)


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("cube_mm",), 0.0),
        (("white_bgr", 1), math.nan),
        (("tray", "to_px", 0), math.inf),
        (("tray", "inner_mm", 0), math.nan),
        (("tray", "inner_mm", 1), -170.0),
        (("tray", "edge_mm"), math.nan),
        (("markers_px",), {"3": [[1, 1], [2, 1], [2, 2]]}),
        (("colours", "red", "pixels_bgr"), []),
        (("colours", "red", "pixels_bgr"), {}),
        (("colours", "red", "white_bgr"), [0.0, 0.0, 0.0]),
        (("colours", "red", "pixels_bgr", 0), [300.0, 9.0, 9.0]),
        (("white_bgr", 0), 0.0),
        (("tray", "to_px"), [0.0] * 9),
        (("tray", "inner_mm", 0), 1e6),
        (("tray", "edge_mm"), 1e6),
        (("cube_mm",), 1e6),
        (("thumbnail",), []),
        (("thumbnail", 0), [1, 2]),
        (("lens",), {"matrix": [0.0] * 9, "distortion": [0.0] * 5, "error_px": 0.2}),
        (("lens",), {"matrix": [9.0, 0, 4, 0, 9, 4, 0, 0, 1], "distortion": [0.1, 0.2], "error_px": 0.2}),
    ],
)
def test_a_profile_that_no_picture_can_be_read_with_is_refused(
    where: tuple[str | int, ...], value: object
) -> None:
    """It used to be accepted, and then every reading or the check for changes crashed."""
    body = as_json(learned())
    inside: Any = body
    for step in where[:-1]:
        inside = inside[step]
    inside[where[-1]] = value
    with pytest.raises(ValueError, match="not a profile"):
        from_json(body)


def test_profile_is_kept_and_found(tmp_path: Path) -> None:
    """Found by name; the error names a missing, broken or newer one."""
    profile = learned()
    save(profile, tmp_path / "profiles")
    assert load("home", tmp_path / "profiles") == profile
    assert names(tmp_path / "profiles") == ["home"]
    with pytest.raises(ProfileError, match=r"'club' in .*profiles \(known: home\)\. Name"):
        load("club", tmp_path / "profiles")
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(ProfileError, match="cannot be read") as caught:
        load("broken", tmp_path)
    assert caught.value.key == "profile_broken"
    (tmp_path / "newer.json").write_text(json.dumps({**as_json(profile), "version": 9}))
    with pytest.raises(ProfileError, match="version 9") as newer:
        load("newer", tmp_path)
    assert "Update Tenshu" in newer.value.remedy  # calibrating again would write an older version


@pytest.mark.parametrize(("side", "kept", "said"), [(400, 60, "cut short"), (300, None, "pixels")])
def test_a_profile_whose_empty_tray_is_damaged_or_another_is_named(
    tmp_path: Path, side: int, kept: int | None, said: str
) -> None:
    """A truncated picture, and a whole one of another size."""
    jpeg = cv2.imencode(".jpg", np.full((side, side, 3), 90, np.uint8))[1].tobytes()[:kept]
    save(replace(learned(), empty_jpeg=jpeg), tmp_path)
    with pytest.raises(ProfileError, match=said) as caught:
        load("home", tmp_path)
    assert "Calibrate again" in caught.value.remedy


def test_name_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    """A name is never used as a path."""
    folder = tmp_path / "profiles"
    kept = save(replace(learned(), name="../../etc/passwd"), folder)
    assert kept.parent == folder
    assert list(folder.iterdir()) == [kept]
    assert load("../../etc/passwd", folder).name == "../../etc/passwd"
    assert names(folder) == ["../../etc/passwd"]


def test_a_control_character_in_a_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="cannot be the name"):
        save(replace(learned(), name="a\x07b"), tmp_path)


def test_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """A file is where the folder should be."""
    (tmp_path / "profiles").write_text("")
    with pytest.raises(ProfileError, match="cannot be written"):
        save(learned(), tmp_path / "profiles")


def moved(picture: Picture, x: float, y: float) -> Picture:
    shift = np.array([[1, 0, x], [0, 1, y]], np.float32)
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, shift, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        (EMPTY, []),
        (with_cubes((40, 30, 190)), []),
        (np.asarray(EMPTY * 0.93, np.uint8), []),
        (moved(EMPTY, 2, 1), []),
        (moved(EMPTY, 25, 0), [Change.CAMERA_MOVED]),
        (np.asarray(EMPTY * 0.5, np.uint8), [Change.LIGHT_LEVEL]),
        (np.asarray(EMPTY * np.array([0.7, 1.0, 1.0]), np.uint8), [Change.LIGHT_COLOUR]),
        (np.zeros((480, 640, 3), np.uint8), [Change.SIZE]),
    ],
    ids=["same", "cubes", "a little darker", "a nudge", "moved", "dark", "warm bulb", "size"],
)
def test_changes_of_light_and_camera_are_noticed(picture: Picture, expected: list[Change]) -> None:
    """Cubes in the tray do not count as changes."""
    assert find_changes(learned(), picture) == expected


def test_drift_is_looked_for_now_and_then() -> None:
    """Every ten seconds; the result holds until the next look."""
    watch = DriftWatch(learned())
    assert watch.feed(EMPTY, 0) == []
    assert watch.feed(moved(EMPTY, 25, 0), 5_000) == []
    assert watch.feed(moved(EMPTY, 25, 0), 10_000) == [Change.CAMERA_MOVED]
    assert watch.feed(EMPTY, 12_000) == [Change.CAMERA_MOVED]
    assert watch.feed(EMPTY, 20_000) == []


def test_camera_that_moved_is_noticed_without_a_mat() -> None:
    """By the thumbnail of the whole table."""
    rng = np.random.default_rng(9)
    rough = cv2.resize(
        rng.integers(40, 220, (24, 32, 3), dtype=np.uint8), (640, 480), interpolation=cv2.INTER_CUBIC
    )
    table = np.asarray(rough, np.uint8)
    bare = learn(table, TRAY, {}, name="bare", made="")
    assert bare.markers_px == {}
    assert find_changes(bare, table) == []
    hand = table.copy()
    hand[150:250, 250:350] = (90, 120, 190)
    assert find_changes(bare, hand) == []
    for profile in (bare, replace(bare, empty_jpeg=b"")):  # old profiles have no picture of the tray
        assert Change.CAMERA_MOVED in find_changes(profile, moved(table, 30, 12))
