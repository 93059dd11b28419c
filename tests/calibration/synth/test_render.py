"""Synthetic pictures: the same for the same seed, and true to their labels."""

from collections import Counter
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.measuring.labels import load_labels
from calibration.synth import Options, render
from calibration.synth.folder import FolderError, write_folder
from calibration.synth.sample import sample_scene
from calibration.synth.scene import COLOURS
from vision.scene.mat import MARKER_DICTIONARY

_SMALL = (640, 480)
_ALL = {"red": 2, "blue": 2, "black": 2, "yellow": 2, "purple": 2, "green": 2}


def _plain(seed: int, **held: Any) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
    picture, entry = render(seed, Options(plain=True, mat=True, **held))
    return picture, entry


def test_a_seed_means_one_picture() -> None:
    first, label = render(5, Options(size_px=_SMALL))
    again, same = render(5, Options(size_px=_SMALL))
    assert np.array_equal(first, again)
    assert label == same


def test_seeds_differ() -> None:
    assert not np.array_equal(render(5, Options(size_px=_SMALL))[0], render(6, Options(size_px=_SMALL))[0])


@pytest.mark.parametrize("seed", range(4))
def test_counts_are_those_that_were_asked_for(seed: int) -> None:
    _, entry = render(seed, Options(size_px=_SMALL, counts=_ALL))
    assert entry["counts"] == _ALL


@pytest.mark.parametrize("seed", range(6))
def test_label_agrees_with_itself(seed: int) -> None:
    _, entry = render(seed, Options(size_px=_SMALL))
    cubes: Any = entry["cubes"]
    counts: Any = entry["counts"]
    visible: Any = entry["visible_counts"]
    assert Counter(c["colour"] for c in cubes) == {k: v for k, v in counts.items() if v}
    seen = Counter(c["colour"] for c in cubes if c["visible"] >= 0.15)
    assert {k: seen[k] for k in visible} == visible
    assert entry["hidden"] == sum(counts.values()) - sum(visible.values())


def test_a_cubes_polygon_has_its_colour() -> None:
    picture, entry = _plain(3, size_px=(1280, 960), counts=_ALL, light="daylight")
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float32)
    means: dict[str, list[Any]] = {}
    for cube in entry["cubes"]:
        mask = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillPoly(mask, [np.round(cube["polygon"]).astype(np.int32)], 255)
        means.setdefault(cube["colour"], []).append(lab[cv2.erode(mask, np.ones((5, 5))) > 0].mean(0))
    for colour, found in means.items():
        srgb = np.array([[COLOURS[colour][::-1]]], np.uint8)
        meant = cv2.cvtColor(srgb, cv2.COLOR_BGR2LAB)[0, 0].astype(np.float32)
        others = [
            cv2.cvtColor(np.array([[v[::-1]]], np.uint8), cv2.COLOR_BGR2LAB)[0, 0]
            for name, v in COLOURS.items()
            if name != colour
        ]
        for mean in found:
            near = np.linalg.norm(mean[1:] - meant[1:])
            assert near < min(np.linalg.norm(mean[1:] - o[1:].astype(np.float32)) for o in others)


def test_the_markers_of_the_mat_are_where_the_label_says() -> None:
    picture, entry = _plain(2, size_px=(1280, 960))
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY))
    corners, ids, _ = detector.detectMarkers(picture)
    assert len(ids) >= 3
    for marker, found in zip(ids.ravel(), corners, strict=True):
        assert np.abs(found[0] - np.array(entry["markers"][str(marker)])).max() < 2.0


def test_the_camera_never_hangs_inside_the_tower() -> None:
    for seed in range(60):
        scene = sample_scene(seed, Options())
        tower = next(box for box in scene.others if box.name == "tower")
        assert tower.corners()[:, 2].max() < 0.7 * scene.camera.place_mm[2]


def test_no_mat_means_no_markers() -> None:
    _, entry = render(4, Options(size_px=_SMALL, mat=False))
    assert entry["markers"] == {}


def test_another_palette_can_be_drawn() -> None:
    palette = {"white": (230, 230, 225), "orange": (230, 120, 20)}
    _, entry = render(1, Options(size_px=_SMALL, colours=palette, counts={"white": 3, "orange": 1}))
    assert entry["counts"] == {"white": 3, "orange": 1}


def test_a_folder_can_be_evaluated(tmp_path: Any) -> None:
    names = list(write_folder(tmp_path / "set", range(3), Options(size_px=_SMALL)))
    labels = load_labels(tmp_path / "set")
    assert [p.file for p in labels.pictures] == names
    assert all((tmp_path / "set" / name).stat().st_size > 5000 for name in names)


def test_labels_are_never_overwritten(tmp_path: Any) -> None:
    (tmp_path / "labels.json").write_text("{}")
    with pytest.raises(FolderError) as refused:
        list(write_folder(tmp_path, range(1), Options(size_px=_SMALL)))
    assert "new folder" in refused.value.remedy
