"""Labelled crops as the detector will see them: the tray's floor from straight above, 2.5 px per mm."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.measuring.labels import LabelsError
from calibration.synth import Options, render
from calibration.training.dye import redye
from calibration.training.stacks import find_covering_cubes
from vision.errors import VisionError
from vision.finding.detector import COLOURS
from vision.finding.stored import FINE, Source
from vision.pictures import load_picture
from vision.reader import inside_tray
from vision.scene.light import whiten
from vision.scene.rectify import PX_PER_MM, Rectified, rectify

COLUMNS = 6
SIDE_PX = 480
"""A little more than the detector's 448 px: room to shift."""
_SIZES: tuple[tuple[int, int], ...] = ((640, 480), (960, 720), (960, 720), (1280, 960))
"""Smaller than a camera's picture: a crop needs only 2.5 px per mm, and small pictures are quick."""

_ANY_OPTIONS = Options()
_MOSTLY_SEEN = 0.85
_WINDOW_EDGES = 2.5
"""Side of the window around a half hidden cube, in cube sides."""

Point = tuple[float, float]
Entry = Mapping[str, Any]

Floats = npt.NDArray[np.float32]


class CropsError(VisionError):
    """A file holds no rendered crops."""


@dataclass(frozen=True, slots=True)
class Crop:
    """One tray and its cubes."""

    picture: npt.NDArray[np.uint8]
    """(H, W, 3) BGR at 2.5 px per mm."""
    cubes: Floats
    """(N, 6): x, y (see `_place`), colour index, visible share, edge, index of the cube that lies on it or -1
    (see `stacks.cover`); lengths in px."""
    source: Source | None = None
    """The picture it was cut from, if that is kept."""
    inside: npt.NDArray[np.uint8] | None = None
    """(H, W), 1 where a cube's centre may lie; None if not determined: anywhere."""


def synthetic_crop(seed: int, options: Options = _ANY_OPTIONS) -> Crop:
    """Return the crop of a rendered picture, with true geometry and the picture's own light."""
    return _true_crop(*_render(seed, options))


def crop_as_read(seed: int, options: Options = _ANY_OPTIONS) -> Crop:
    """Return the crop as the reader rectifies and balances it, errors included.

    Falls back to `synthetic_crop`'s crop if the reader finds no tray.
    """
    picture, entry = _render(seed, options)
    flat = rectify(picture)
    if flat is None:
        return _true_crop(picture, entry)
    height, width = flat.image.shape[:2]
    top, left = (SIDE_PX - height) // 2, (SIDE_PX - width) // 2
    shift = np.array([[1.0, 0, left], [0, 1, top], [0, 0, 1]])
    framed = cv2.warpPerspective(flat.image, shift, (SIDE_PX, SIDE_PX), borderMode=cv2.BORDER_REPLICATE)
    return Crop(framed.astype(np.uint8), _cube_table(entry, shift @ np.linalg.inv(flat.to_picture)))


def _render(seed: int, options: Options) -> tuple[npt.NDArray[np.uint8], Entry]:
    size = options.size_px or _SIZES[seed % len(_SIZES)]
    return render(seed, replace(options, size_px=size))


def _true_crop(picture: npt.NDArray[np.uint8], entry: Entry) -> Crop:
    floor = np.array([(-50, -50), (50, -50), (50, 50), (-50, 50)], np.float32)
    to_floor = cv2.getPerspectiveTransform(np.array(entry["floor"], np.float32), floor)
    return cut(picture, entry, to_floor)


def crops_from_labels(folder: Path, entries: Iterable[Entry], dyed: int = 0) -> Iterator[Crop]:
    """Yield crops of labelled pictures, rectified as by the reader; those without a tray found are left out.

    `dyed`: number of additional copies of each that has cubes, with these in other colours. A generator,
    since each crop holds its picture: megabytes.
    """
    rng = np.random.default_rng(12)
    for entry in entries:
        picture = load_picture(folder / str(entry["file"]))
        flat = rectify(picture)
        if flat is None:
            continue
        source = Source.of(picture, flat)
        table = _labelled_table(folder, entry, np.linalg.inv(flat.to_picture))
        yield Crop(flat.image, table, source, inside_tray(flat))
        for _ in range(dyed if entry["cubes"] else 0):
            yield _dyed_crop(rng, flat, source, entry, table)


def crop_as_labelled(picture: npt.NDArray[np.uint8], entry: Entry) -> Crop | None:
    """Return the crop of a rendered picture as `crops_from_labels` makes it; None if no tray is found."""
    flat = rectify(picture)
    if flat is None:
        return None
    table = _cube_table(entry, np.linalg.inv(flat.to_picture))
    return Crop(flat.image, table, Source.of(picture, flat), inside_tray(flat))


def _labelled_table(folder: Path, entry: Entry, to_crop: npt.NDArray[Any]) -> Floats:
    try:
        return _cube_table(entry, to_crop)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise LabelsError(
            f"{folder}: the labels of {entry['file']} do not say where its cubes lie ({error!r}).",
            "Take labels as `tenshu synth` writes them.",
        ) from None


def _dyed_crop(
    rng: np.random.Generator, flat: Rectified, source: Source, entry: Entry, table: Floats
) -> Crop:
    """Return a crop with its cubes in other colours, dyed at the resolution of the finest look."""
    height, width = flat.image.shape[:2]
    shift = (1 / FINE - 1) / 2  # coordinates are those of pixel centres
    to_crop = np.array([[1 / FINE, 0, shift], [0, 1 / FINE, shift], [0, 0, 1]])
    fine_px = (round(FINE * width), round(FINE * height))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    stored = cv2.warpPerspective(source.picture, source.to_picture @ to_crop, fine_px, flags=flags)
    to_fine = np.linalg.inv(source.to_picture @ to_crop)
    outlines = [_outline(cube, to_fine) for cube in entry["cubes"]]
    fine, colours = redye(rng, whiten(np.asarray(stored, np.uint8), flat.light), entry["cubes"], outlines)
    dyed_table = table.copy()
    dyed_table[:, 2] = [COLOURS.index(colour) for colour in colours]
    small = cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA)
    dyed = Source(fine, np.linalg.inv(to_crop), None, source.viewpoint)
    return Crop(np.asarray(small, np.uint8), dyed_table, dyed, inside_tray(flat))


def cut(picture: npt.NDArray[np.uint8], entry: Entry, to_floor: npt.NDArray[Any]) -> Crop:
    """Return the crop rectified by `to_floor`, the homography from pixels to mm from the tray's centre."""
    half = SIDE_PX / 2 - 0.5
    to_crop = np.array([[PX_PER_MM, 0, half], [0, PX_PER_MM, half], [0, 0, 1]]) @ to_floor
    flat = cv2.warpPerspective(picture, to_crop, (SIDE_PX, SIDE_PX), flags=cv2.INTER_LINEAR)
    return Crop(flat.astype(np.uint8), _cube_table(entry, to_crop))


def _cube_table(entry: Entry, to_crop: npt.NDArray[Any]) -> Floats:
    edge_px = float(entry["cube_mm"]) * PX_PER_MM
    heights = [float(cube["height_mm"]) for cube in entry["cubes"]]
    upper_cubes = find_covering_cubes(
        [_outline(cube, to_crop) for cube in entry["cubes"]], heights, float(entry["cube_mm"])
    )
    cubes = [
        (
            *_place(cube, entry["cubes"], to_crop),
            COLOURS.index(cube["colour"]),
            cube["visible"],
            edge_px,
            upper_cube,
        )
        for cube, upper_cube in zip(entry["cubes"], upper_cubes, strict=True)
    ]
    return np.array(cubes, np.float32).reshape(-1, COLUMNS)


def _place(
    cube: Mapping[str, Any], all_cubes: Sequence[Mapping[str, Any]], to_crop: npt.NDArray[Any]
) -> Point:
    """Return a cube's centre, or the middle of its visible part if it lies under another cube.

    Two stacked cubes have nearly the same centre: no network could tell them apart by it.
    """
    centre = _project(cube["centre"], to_crop)
    if cube["visible"] > _MOSTLY_SEEN:
        return centre
    side = round(_WINDOW_EDGES * float(np.sqrt(cv2.contourArea(_outline(cube, to_crop)))))
    origin = np.array(centre) - side / 2
    visible = np.zeros((side, side), np.uint8)
    _fill(visible, _outline(cube, to_crop) - origin, 1)
    whole_px = int(visible.sum())
    for other in all_cubes:
        if other["height_mm"] > cube["height_mm"] + 1:
            _fill(visible, _outline(other, to_crop) - origin, 0)
    if abs(int(visible.sum()) / max(whole_px, 1) - cube["visible"]) > 0.15 or not visible.any():
        return centre  # a wall, a finger or a cube of equal height hides it: the visible part is not known
    rows, columns = np.nonzero(visible)
    return float(columns.mean() + origin[0]), float(rows.mean() + origin[1])


def _outline(cube: Entry, to_crop: npt.NDArray[Any]) -> Floats:
    return np.array([_project(corner, to_crop) for corner in cube["polygon"]], np.float32)


def _fill(mask: npt.NDArray[np.uint8], points: npt.NDArray[Any], value: int) -> None:
    cv2.fillPoly(mask, [np.round(points).astype(np.int32)], (value,))


def _project(point: Sequence[float], matrix: npt.NDArray[Any]) -> Point:
    x, y, w = matrix @ np.array([point[0], point[1], 1.0])
    return float(x / w), float(y / w)


def _draw_crop(seed: int, options: Options) -> Crop:
    """Return a crop, mostly as the reader sees it: a brightened dim picture has grain of its own."""
    return synthetic_crop(seed, options) if seed % 4 == 0 else crop_as_read(seed, options)


def write(path: Path, seeds: range, workers: int, options: Options = _ANY_OPTIONS) -> None:
    """Render the seeds into one file that training memory-maps; the cubes go beside it as JSON."""
    pictures = np.lib.format.open_memmap(
        path, mode="w+", dtype=np.uint8, shape=(len(seeds), SIDE_PX, SIDE_PX, 3)
    )
    cubes = []
    with ProcessPoolExecutor(workers, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        for number, crop in enumerate(pool.map(partial(_draw_crop, options=options), seeds, chunksize=8)):
            pictures[number] = crop.picture
            cubes.append(crop.cubes.round(2).tolist())
    pictures.flush()
    path.with_suffix(".json").write_text(json.dumps(cubes), encoding="utf-8")


def read(path: Path) -> list[Crop]:
    """Read what `write` wrote. Raises `CropsError` if either file is missing or incomplete."""
    try:
        pictures = np.load(path, mmap_mode="r")
        cubes = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        return [
            Crop(picture, np.array(table, np.float32).reshape(-1, COLUMNS))
            for picture, table in zip(pictures, cubes, strict=True)
        ]
    except (OSError, EOFError, TypeError, ValueError) as error:  # truncated JSON is a ValueError too
        raise CropsError(
            f"{path} and {path.with_suffix('.json').name} beside it do not hold rendered crops.",
            "Write them with `python -m calibration.training render NAME.npy`.",
        ) from error
