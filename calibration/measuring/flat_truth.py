"""Pictures with known floor and light: labelled ones with a mat, and rendered tables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.measuring.labels import entries_of
from calibration.measuring.split import Half
from calibration.synth.ground import light_map
from calibration.synth.render import render_scene
from calibration.synth.sample import sample_scene
from calibration.synth.scene import Camera, Options, Scene, floats
from calibration.synth.view import look_at
from vision.pictures import Picture, load_picture
from vision.scene.light import srgb_to_linear
from vision.scene.mat import MARKER_CENTRES_MM, marker_corners_mm
from vision.scene.plane import Points, project
from vision.scene.tray import Shape, outline

_TONE = 0.82
"""Factor that `calibration.synth.sensor` applies to light below the bend of its tone curve."""
_PLANE_PX_PER_MM = 2.0
"""Resolution of `calibration.synth.ground.light_map`."""
_COVERED = 0.3
"""Probability that a card covers a marker."""
_UNCLIPPED = 245


@dataclass(frozen=True, slots=True)
class FlatTruth:
    """The true floor and light of one picture."""

    name: str
    group: str
    mat_to_px: Points
    """3×3, millimetres from the mat's centre to pixels."""
    tray_to_px: Points
    """3×3, millimetres from the tray's centre to pixels."""
    inner_mm: tuple[float, float]
    shape: Shape
    white: Points | None
    """(3,) linear BGR of white paper where the tray stands; 1 is full scale, above 1 it is clipped."""


def labelled_pictures(folder: Path, which: Half | None) -> Iterator[tuple[Picture, FlatTruth]]:
    """Yield the pictures of a folder whose mat and tray are known; their trays stand in its middle."""
    entries: Sequence[Mapping[str, Any]] = entries_of(folder, which)
    for entry in entries:
        if not entry.get("markers") or not names_tray(entry):
            continue
        picture = load_picture(folder / entry["file"])
        to_px = plane_of_markers(entry["markers"])
        width, depth = entry["inner_mm"]
        shape: Shape = "oval" if entry["tray"] == "oval" else "square"
        yield (
            picture,
            FlatTruth(
                entry["file"],
                _group_name(entry["markers"], picture.shape[1::-1]),
                to_px,
                to_px,
                (float(width), float(depth)),
                shape,
                _paper_white(picture, to_px),
            ),
        )


def names_tray(entry: Mapping[str, Any]) -> bool:
    """Whether an entry of `labels.json` says how large its tray is inside, and of which shape."""
    return bool(entry.get("inner_mm") and entry.get("tray"))


def plane_of_markers(markers: Mapping[str, Any]) -> Points:
    """3×3 homography from millimetres on the mat to pixels, from marker corners keyed by id."""
    names = sorted(markers)
    on_mat = np.concatenate([np.array(marker_corners_mm(int(n))) for n in names])
    in_picture = np.concatenate([np.array(markers[n], np.float64) for n in names])
    return np.asarray(cv2.findHomography(on_mat, in_picture)[0], np.float64)


def _group_name(markers: Mapping[str, Any], size_px: tuple[int, ...]) -> str:
    complete = [
        (np.array(c) > 1).all() and (np.array(c) < np.array(size_px) - 2).all() for c in markers.values()
    ]
    return f"{sum(complete)} in picture"


def _paper_white(picture: Picture, to_px: Points) -> Points | None:
    """(3,) linear BGR: the median over places on the paper around the tray; None if most of it is clipped."""
    height, width = picture.shape[:2]
    levels = []
    for x, y in _paper_places():
        column, row = (round(float(v)) for v in project(np.array([(x, y)]), to_px)[0])
        if 2 <= column < width - 2 and 2 <= row < height - 2:
            patch = picture[row - 2 : row + 3, column - 2 : column + 3].reshape(-1, 3)
            levels.append(np.median(patch, axis=0))
    stored = np.array(levels)
    # Cards, the tower's shadow and other things lie on the mat: the brighter half of the places is paper.
    paper = stored[stored.min(axis=1) >= np.median(stored.min(axis=1))]
    if not len(paper) or float((paper.max(axis=1) > _UNCLIPPED).mean()) > 0.5:
        return None
    return np.asarray(np.median(srgb_to_linear(paper), axis=0), np.float64)


def _paper_places() -> list[tuple[float, float]]:
    """Places of bare paper, in mm: left and right of the tray between the markers, clear of its walls."""
    left = [(-120.0, y) for y in np.linspace(-65, 65, 14)]
    right = [(107.0, y) for y in np.linspace(-65, 65, 14)]
    return [*left, *right]


def render_table(seed: int) -> tuple[Picture, FlatTruth]:
    """Render a table; of five seeds two have no mat, one the usual view, two a cut-off mat (one covered)."""
    mat = seed % 5 not in (0, 3)
    scene = sample_scene(seed, Options(mat=mat))
    rng = np.random.default_rng(seed + 5)
    if mat and seed % 5 != 1:
        scene = replace(scene, camera=_aim_beside_tray(rng, scene.camera))
    picture, _ = render_scene(scene, seed)
    visible_markers = 0
    plane = np.asarray(scene.camera.plane(0), np.float64)
    if mat:
        visible_markers = _cover_markers(rng, picture, plane, _COVERED if seed % 5 == 4 else 0.0)
    group = f"{visible_markers} markers" if mat else "no mat"
    return picture, FlatTruth(
        f"seed {seed}",
        group,
        plane,
        plane @ _tray_to_mat(scene),
        _floor_mm(scene),
        scene.tray.shape,
        _floor_white(scene),
    )


def _aim_beside_tray(rng: np.random.Generator, camera: Camera) -> Camera:
    """Move the camera nearer and aim it beside the tray: it cuts off part of the mat but not the floor."""
    position = np.asarray(camera.place_mm, np.float64)
    aim = np.array([*rng.uniform(-35, 35, 2), 0.0])
    azimuth = rng.uniform(0, 2 * np.pi)
    return look_at(
        camera.size_px,
        hfov_deg=camera.hfov_deg,
        tilt_deg=camera.tilt_deg,
        heading_rad=float(azimuth if camera.tilt_deg < 8 else np.pi / 2),
        roll_rad=float(rng.normal(0, 0.1)),
        far_mm=float(np.linalg.norm(position) * rng.uniform(0.75, 1.0)),
        aim_mm=floats(aim),
    )


def _cover_markers(rng: np.random.Generator, picture: Picture, plane: Points, share: float) -> int:
    """Draw cards over some markers; return how many are wholly visible."""
    height, width = picture.shape[:2]
    visible = 0
    for marker, centre in enumerate(MARKER_CENTRES_MM):
        corners = project(np.array(marker_corners_mm(marker)), plane)
        is_visible = bool((corners > 1).all() and (corners < (width - 2, height - 2)).all())
        if is_visible and rng.random() < share:
            card = np.array(centre) + np.array([(-20, -30), (20, -30), (20, 30), (-20, 30)]) * 0.6
            colour = tuple(int(v) for v in rng.integers(20, 200, 3))
            cv2.fillPoly(picture, [np.round(project(card, plane)).astype(np.int32)], colour)
            is_visible = False
        visible += bool(is_visible)
    return visible


def _tray_to_mat(scene: Scene) -> Points:
    """3×3 transform from millimetres about the tray's centre to millimetres about the mat's."""
    c, s = np.cos(scene.tray.yaw_rad), np.sin(scene.tray.yaw_rad)
    x, y = scene.tray.centre_mm
    return np.array([[c, -s, x], [s, c, y], [0, 0, 1]], np.float64)


def _floor_mm(scene: Scene) -> tuple[float, float]:
    """Inner size as a person would measure it at the rim, and as the labels state it."""
    return scene.tray.inner_mm


def _floor_white(scene: Scene) -> Points:
    """(3,) linear BGR of white paper on the tray's floor, before the camera's tone curve and clipping."""
    light = light_map(scene)
    places = outline(scene.tray.inner_mm, scene.tray.shape)
    inner = np.concatenate([places * share for share in (0.2, 0.4, 0.6, 0.75)]) + scene.tray.centre_mm
    rows, columns = (
        np.round(inner[:, i] * _PLANE_PX_PER_MM + light.shape[1 - i] / 2).astype(int) for i in (1, 0)
    )
    floor_light = np.median(light[rows, columns], axis=0)
    pixels = scene.camera.project(np.column_stack([inner, np.zeros(len(inner))]))
    width, height = scene.camera.size_px
    from_middle = (pixels / np.array([width - 1, height - 1]) * 2 - 1) * (1, height / width)
    falloff = float(np.mean(1 - scene.sensor.vignette * (from_middle**2).sum(axis=1)))
    sensor = scene.sensor
    return np.asarray(
        floor_light * sensor.balance * sensor.exposure * falloff * _TONE * scene.mat_albedo, np.float64
    )
