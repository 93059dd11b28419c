"""What is particular to one table, as a file: where the tray is, how it is lit, how its cubes look.

A profile stores measurements, not what a model made of them: samples of each colour as pixels, with the white
they were seen under, so that a better palette can be fitted later from the same three minutes of calibration.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TypeAlias, cast

import numpy as np

from calibration.profiles.errors import ProfileError
from calibration.profiles.kept import VERSION, write
from calibration.profiles.naming import checked_name, missing_message, names, stem_of
from vision.errors import PictureError, error_reason
from vision.pictures import Picture, decode_picture
from vision.scene.tray import Shape, Tray

__all__ = ["ProfileError", "checked_name", "names"]

Point: TypeAlias = tuple[float, float]
Bgr: TypeAlias = tuple[float, float, float]
Json: TypeAlias = dict[str, object]
_LONGEST_MM = 1000.0
"""Longest side of a tray, with much to spare: rectifying millions would exhaust the memory."""


@dataclass(frozen=True, slots=True)
class Lens:
    """Camera matrix and distortion at one picture size, as in OpenCV."""

    matrix: tuple[float, ...]
    """3×3, row by row."""
    distortion: tuple[float, ...]
    """k1, k2, p1, p2, k3."""
    error_px: float
    """Root mean square of the reprojection error."""


@dataclass(frozen=True, slots=True)
class ColourSample:
    """How the cubes of one colour looked on the day of the calibration."""

    pixels_bgr: tuple[Bgr, ...]
    """Pixels from the middle of their faces, 0..255 as stored in the picture."""
    white_bgr: Bgr
    """White in the same picture."""


@dataclass(frozen=True, slots=True)
class TrayPlace:
    """Where the tray stands in the picture: `vision.scene.tray.Tray` as plain numbers."""

    to_px: tuple[float, ...]
    """3×3 homography, row by row, from millimetres on the floor about the tray's centre to pixels."""
    inner_mm: tuple[float, float]
    shape: Shape
    edge_mm: float = 0.0
    """How far the outline may be off: more if neither a mat nor a person gave the size."""

    def tray(self) -> Tray:
        """Return the tray for the reader, with confidence 1: a person has seen its outline."""
        return Tray(
            np.array(self.to_px, np.float64).reshape(3, 3), self.inner_mm, self.shape, 1.0, self.edge_mm
        )


@dataclass(frozen=True, slots=True)
class Profile:
    """One tray under one camera."""

    name: str
    made: str
    """ISO 8601, UTC."""
    size_px: tuple[int, int]
    tray: TrayPlace
    markers_px: Mapping[int, tuple[Point, ...]]
    white_bgr: Bgr
    dark_tray: bool
    cube_mm: float
    colours: Mapping[str, ColourSample]
    thumbnail: tuple[tuple[int, ...], ...]
    """The empty table, grey and small: shows later whether the camera moved if there is no mat."""
    lens: Lens | None = None
    empty_jpeg: bytes = b""
    """Full picture of the empty tray, of `size_px`; empty in profiles of older versions."""


def as_json(profile: Profile) -> Json:
    """Return the file's content; inverse of `from_json`."""
    lens = profile.lens
    return {
        "version": VERSION,
        "name": profile.name,
        "made": profile.made,
        "size_px": list(profile.size_px),
        "tray": {
            "to_px": list(profile.tray.to_px),
            "inner_mm": list(profile.tray.inner_mm),
            "shape": profile.tray.shape,
            "edge_mm": profile.tray.edge_mm,
        },
        "markers_px": {
            str(marker): [list(p) for p in corners] for marker, corners in profile.markers_px.items()
        },
        "white_bgr": list(profile.white_bgr),
        "dark_tray": profile.dark_tray,
        "cube_mm": profile.cube_mm,
        "colours": {
            colour: {"pixels_bgr": [list(p) for p in s.pixels_bgr], "white_bgr": list(s.white_bgr)}
            for colour, s in profile.colours.items()
        },
        "thumbnail": [list(row) for row in profile.thumbnail],
        "lens": lens
        and {"matrix": list(lens.matrix), "distortion": list(lens.distortion), "error_px": lens.error_px},
        "empty_jpeg": b64encode(profile.empty_jpeg).decode("ascii"),
    }


def from_json(body: object) -> Profile:
    """Parse a profile from its file's content. Raises ValueError if it is not a profile."""
    try:
        return _parse_profile(cast("Json", body))
    except _NewerVersionError:
        raise
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, OverflowError) as error:
        raise ValueError(f"it is not a profile that this program knows: {error}") from None


def save(profile: Profile, folder: Path) -> Path:
    """Write the profile so that a power cut leaves the old or the new one. Raises `ProfileError`."""
    path = folder / f"{stem_of(checked_name(profile.name))}.json"
    write(as_json(profile), path)
    return path


def load(name: str, folder: Path) -> Profile:
    """Load a profile by name. Raises `ProfileError` if it is missing or broken."""
    path = folder / f"{stem_of(checked_name(name))}.json"
    try:
        profile = from_json(json.loads(path.read_text(encoding="utf-8")))
        empty_tray(profile)
    except FileNotFoundError:
        remedy = "Name another folder with --data, or make it: `tenshu calibrate`."
        raise ProfileError(missing_message(name, folder), remedy) from None
    except (OSError, ValueError, RecursionError, PictureError) as error:
        raise ProfileError(
            f"{path} cannot be read ({error_reason(error)}).", _remedy(error), "profile_broken"
        ) from None
    return profile


class _NewerVersionError(ValueError):
    """A later version of this program wrote the file."""


def _remedy(error: Exception) -> str:
    if isinstance(error, OSError):  # a new profile could not be read either
        return "Check its permissions and the disk."
    if isinstance(error, _NewerVersionError):
        return "Update Tenshu, or calibrate again: `tenshu calibrate`."
    return "Calibrate again: `tenshu calibrate`."


def empty_tray(profile: Profile) -> Picture | None:
    """(H, W, 3) uint8 BGR picture of the empty tray; None if old. Raises `PictureError`, ValueError."""
    if not profile.empty_jpeg:
        return None
    picture = decode_picture(profile.empty_jpeg, "its picture of the empty tray")
    if picture.shape[1::-1] != profile.size_px:
        raise ValueError(f"its picture of the empty tray is not {profile.size_px} pixels")
    return picture


def _parse_profile(body: Json) -> Profile:
    version = body["version"]
    if version != VERSION:
        kind = _NewerVersionError if isinstance(version, int) and version > VERSION else ValueError
        raise kind(f"a profile of version {version}, this program knows {VERSION}")
    colours = cast("Mapping[str, Mapping[str, object]]", body["colours"])
    markers = cast("Mapping[str, object]", body["markers_px"])
    width, height = _parse_numbers(body["size_px"])
    return Profile(
        name=str(body["name"]),
        made=str(body["made"]),
        size_px=(int(width), int(height)),
        tray=_parse_tray(cast("Json", body["tray"])),
        markers_px={int(marker): _parse_corners(corners) for marker, corners in markers.items()},
        white_bgr=_parse_white(body["white_bgr"]),
        dark_tray=bool(body["dark_tray"]),
        cube_mm=_parse_length(body["cube_mm"]),
        colours={
            colour: ColourSample(_parse_pixels(sample["pixels_bgr"]), _parse_white(sample["white_bgr"]))
            for colour, sample in colours.items()
        },
        thumbnail=_parse_rows(body["thumbnail"]),
        lens=_parse_lens(body["lens"]),
        empty_jpeg=b64decode(str(body.get("empty_jpeg", "")), validate=True),
    )


def _parse_tray(body: Json) -> TrayPlace:
    width, depth = map(_parse_length, cast("list[object]", body["inner_mm"]))
    to_px = _parse_numbers(body["to_px"])
    shape = str(body["shape"])
    if not _is_invertible(to_px) or shape not in ("square", "oval"):
        raise ValueError("the tray's place is none")
    (edge_mm,) = _parse_numbers([body.get("edge_mm", 0.0)])
    if not 0 <= edge_mm <= _LONGEST_MM:
        raise ValueError("an edge that is none")
    return TrayPlace(to_px, (width, depth), "oval" if shape == "oval" else "square", edge_mm)


def _parse_lens(body: object) -> Lens | None:
    if body is None:
        return None
    lens = cast("Json", body)
    (error_px,) = _parse_numbers([lens["error_px"]])
    matrix, distortion = _parse_numbers(lens["matrix"]), _parse_numbers(lens["distortion"])
    if not _is_invertible(matrix) or len(distortion) != 5:
        raise ValueError("a lens that is none")
    return Lens(matrix, distortion, error_px)


def _is_invertible(matrix: tuple[float, ...]) -> bool:
    """Whether the matrix is 3×3 and invertible."""
    return len(matrix) == 9 and np.linalg.matrix_rank(np.array(matrix).reshape(3, 3)) == 3


def _parse_rows(values: object) -> tuple[tuple[int, ...], ...]:
    rows = tuple(tuple(map(int, _parse_numbers(row))) for row in cast("list[object]", values))
    if len({len(row) for row in rows}) != 1 or not rows[0]:
        raise ValueError("a small picture that is none")
    return rows


def _parse_numbers(values: object) -> tuple[float, ...]:
    numbers = tuple(float(value) for value in cast("list[float]", values))
    if not all(map(isfinite, numbers)):
        raise ValueError("a number that is none")
    return numbers


def _parse_length(value: object) -> float:
    (length,) = _parse_numbers([value])
    if not 0 < length <= _LONGEST_MM:
        raise ValueError("a length that is none")
    return length


def _parse_corners(values: object) -> tuple[Point, ...]:
    corners = [_parse_numbers(pair) for pair in cast("list[object]", values)]
    if len(corners) != 4:
        raise ValueError("a marker has four corners")
    return tuple((x, y) for x, y in corners)


def _parse_pixels(values: object) -> tuple[Bgr, ...]:
    pixels = tuple(_parse_pixel(pixel) for pixel in cast("list[object]", values))
    if not pixels:
        raise ValueError("a colour of no pixel")
    return pixels


def _parse_bgr(values: object) -> Bgr:
    blue, green, red = _parse_numbers(values)
    return blue, green, red


def _parse_pixel(values: object) -> Bgr:
    """Parse a pixel, each channel 0..255."""
    bgr = _parse_bgr(values)
    if not 0 <= min(bgr) <= max(bgr) <= 255:
        raise ValueError("a pixel that is none")
    return bgr


def _parse_white(values: object) -> Bgr:
    """Parse a white: positive, since everything is divided by it; above 255 if the picture was clipped."""
    white = _parse_bgr(values)
    if min(white) <= 0:
        raise ValueError("a white that is none")
    return white
