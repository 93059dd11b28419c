"""Small pictures of whole tables with known corners of the floor, and random views of them for training."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.measuring.flat_truth import names_tray, plane_of_markers
from calibration.synth import Options, render
from vision.pictures import Picture, load_picture
from vision.scene.locator import CORNER_INSET, INPUT_PX, SIGNS, STRIDE
from vision.scene.plane import Points, project
from vision.scene.tray import Shape, outline

_SIZES: tuple[tuple[int, int], ...] = ((320, 240), (320, 240), (320, 240), (320, 240), (384, 216))
_FLOOR_MM = np.array([(-50, -50), (50, -50), (50, 50), (-50, 50)], np.float32)
_NO_MAT_EVERY = 2
"""Every second picture certainly has no mat: there the finder is needed."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Table:
    """A picture and its tray."""

    picture: Picture
    """(at most 128, at most 160, 3) BGR."""
    corners_px: Points
    outline_px: Points


@dataclass(frozen=True, slots=True)
class View:
    """What one step of training sees of a table."""

    picture: Picture
    """(128, 160, 3) BGR."""
    corners_px: Points
    floor: Floats
    """(32, 40): share of each cell that is floor."""


def rendered(seed: int) -> Table:
    """Render the table of a seed."""
    options = Options(size_px=_SIZES[seed % len(_SIZES)], mat=None if seed % _NO_MAT_EVERY == 0 else False)
    picture, entry = render(seed, options)
    return _make_table(picture, _homography_from_floor(entry["floor"]), *_tray_size_and_shape(entry))


def labelled(folder: Path, entries: Sequence[Mapping[str, Any]]) -> list[Table]:
    """Return the tables of labelled pictures whose tray and floor or mat are known (docs/evaluate.md)."""
    tables = []
    for entry in entries:
        to_px = _floor_homography(entry)
        if to_px is not None:
            tables.append(
                _make_table(load_picture(folder / entry["file"]), to_px, *_tray_size_and_shape(entry))
            )
    return tables


def true_corners(entry: Mapping[str, Any]) -> Points | None:
    """Return the (4, 2) px corners that the finder should report; None if floor or tray is unknown."""
    to_px = _floor_homography(entry)
    return None if to_px is None else _inset_corners(to_px, _tray_size_and_shape(entry)[0])


def _floor_homography(entry: Mapping[str, Any]) -> Points | None:
    """Return the 3×3 homography from mm on the floor to pixels; None if it or the tray is unknown."""
    if not names_tray(entry):
        return None
    if entry.get("floor"):
        return _homography_from_floor(entry["floor"])
    return plane_of_markers(entry["markers"]) if entry.get("markers") else None


def _inset_corners(to_px: Points, inner_mm: tuple[float, float]) -> Points:
    return project(SIGNS * CORNER_INSET * np.array(inner_mm) / 2, to_px)


def _homography_from_floor(corners_px: Any) -> Points:
    return np.asarray(cv2.getPerspectiveTransform(_FLOOR_MM, np.array(corners_px, np.float32)), np.float64)


def _tray_size_and_shape(entry: Mapping[str, Any]) -> tuple[tuple[float, float], Shape]:
    width, depth = np.array(entry["inner_mm"], np.float64)
    return (float(width), float(depth)), "oval" if entry["tray"] == "oval" else "square"


def render_many(seeds: range, workers: int) -> list[Table]:
    """Render the tables of the seeds on several cores, in order."""
    with ProcessPoolExecutor(workers, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        return list(pool.map(rendered, seeds, chunksize=8))


def _make_table(picture: Picture, to_px: Points, inner_mm: tuple[float, float], shape: Shape) -> Table:
    scale = min(INPUT_PX[0] / picture.shape[1], INPUT_PX[1] / picture.shape[0])
    size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    corners = _inset_corners(to_px, inner_mm)
    edge = project(outline(inner_mm, shape), to_px)
    return Table(small, (corners + 0.5) * scale - 0.5, (edge + 0.5) * scale - 0.5)


def view(rng: np.random.Generator, table: Table) -> View:
    """Draw a view of the table: turned, mirrored, nearer or further, in another light."""
    height, width = table.picture.shape[:2]
    turn, scale = rng.normal(0, 0.15), float(np.exp(rng.normal(0, 0.12)))
    mirrored = bool(rng.random() < 0.5)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * scale
    matrix = matrix @ np.diag([-1.0 if mirrored else 1.0, 1.0])
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    shift = middle - matrix @ table.outline_px.mean(axis=0) + rng.normal(0, (6, 4))
    border = int(rng.choice([cv2.BORDER_REPLICATE, cv2.BORDER_REFLECT_101]))
    moved = cv2.warpAffine(
        table.picture, np.column_stack([matrix, shift]), (width, height), borderMode=border
    )
    corners = table.corners_px @ matrix.T + shift
    if mirrored:
        corners = corners[[1, 0, 3, 2]]
    whole = np.zeros((INPUT_PX[1], INPUT_PX[0], 3), np.uint8)
    whole[:height] = vary_light(rng, np.asarray(moved, np.uint8))
    return View(whole, corners, floor_map(table.outline_px @ matrix.T + shift))


def floor_map(outline_px: Points) -> Floats:
    """Return the (32, 40) share of each cell within an outline in the small picture."""
    mask = np.zeros((INPUT_PX[1], INPUT_PX[0]), np.uint8)
    cv2.fillPoly(mask, [np.round(outline_px).astype(np.int32)], 255)
    cells = cv2.resize(mask, (INPUT_PX[0] // STRIDE, INPUT_PX[1] // STRIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(cells / np.float32(255), np.float32)


def vary_light(rng: np.random.Generator, picture: Picture) -> Picture:
    """Show a picture under another lamp and exposure, sometimes out of focus or with grain."""
    gain = np.exp(rng.normal(0, 0.3) + rng.normal(0, 0.1, 3))
    light = (np.arange(256) / 255)[:, None] ** (2.2 * np.exp(rng.normal(0, 0.1))) * gain
    table = (np.clip(light, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8)
    out = np.asarray(cv2.LUT(picture, table[:, None]), np.uint8)
    if rng.random() < 0.3:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), rng.uniform(0.4, 1.1)), np.uint8)
    if rng.random() < 0.4:
        out = np.clip(out + rng.normal(0, rng.uniform(1, 8), out.shape), 0, 255).astype(np.uint8)
    return out
