"""Tray pictures with known truth: `labels.json` of a folder as typed values. The reader never sees any of it.

Format: an object with `pictures` and `sequences`; the keys that are used are the fields below.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from calibration.split import Half, half
from vision.errors import VisionError

_FILE = "labels.json"
UNKNOWN = "unknown"
"""Of what the labels do not say of a picture."""


class LabelsError(VisionError):
    """`labels.json` is missing, broken, or lacks a key."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What lies in one tray, and how the picture of it was taken."""

    counts: Mapping[str, int]
    """Cubes per colour of which enough can be seen: `visible_counts`, or `counts` where nothing is hidden."""
    hidden: int = 0
    """Cubes in the tray that cannot be seen."""
    mat: bool | None = None
    light: str = UNKNOWN
    plastic: str = UNKNOWN
    tray: str = UNKNOWN
    cube_mm: float | None = None

    @property
    def total(self) -> int:
        """All visible cubes."""
        return sum(self.counts.values())

    @property
    def black_on_black(self) -> bool:
        """Black cubes in a black tray: what a camera can hardly see."""
        return self.plastic == "black" and self.counts.get("black", 0) > 0


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """One picture file and what lies in it."""

    file: str
    truth: Truth


@dataclass(frozen=True, slots=True)
class LabelledSequence:
    """Frames of a throw, the frame from which nothing moves, and what lies there in the end."""

    frames: tuple[str, ...]
    fps: float
    motion_ends: int
    truth: Truth


@dataclass(frozen=True, slots=True)
class Labels:
    """All of one folder."""

    pictures: tuple[LabelledPicture, ...]
    sequences: tuple[LabelledSequence, ...]


def load_labels(folder: Path) -> Labels:
    """The labels of a folder. Raises `LabelsError` with what is missing."""
    path, body = folder / _FILE, _body(folder)
    return Labels(
        tuple(_picture(entry, path) for entry in _list(body, "pictures", path)),
        tuple(_sequence(entry, path) for entry in _list(body, "sequences", path)),
    )


def entries_of(folder: Path, which: Half | None = None) -> list[dict[str, object]]:
    """Pictures of a folder, or of one half of it, as they stand in the file. Raises `LabelsError`."""
    entries = _list(_body(folder), "pictures", folder / _FILE)
    return [entry for entry in entries if which in (None, half(str(entry.get("file"))))]


def _body(folder: Path) -> dict[str, object]:
    path = folder / _FILE
    if not folder.is_dir():
        raise LabelsError(
            f"There is no folder {folder}.", "Name a folder that holds labels.json and its pictures."
        )
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise LabelsError(
            f"There is no labels.json in {folder}.", "Its format is in docs/evaluate.md."
        ) from None
    except (OSError, ValueError) as error:
        raise LabelsError(f"{path} cannot be read: {error}.", "Its format is in docs/evaluate.md.") from None
    if not isinstance(body, dict):
        raise LabelsError(f"{path} is not an object.", "Its format is in docs/evaluate.md.")
    return body


def _list(body: dict[str, object], key: str, path: Path) -> list[dict[str, object]]:
    entries = body.get(key, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise LabelsError(f"{path}: `{key}` is not a list of objects.", "Its format is in docs/evaluate.md.")
    return cast("list[dict[str, object]]", entries)


def _picture(entry: dict[str, object], path: Path) -> LabelledPicture:
    try:
        return LabelledPicture(str(entry["file"]), truth_of_entry(entry))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _broken(entry.get("file"), path, error) from None


def _sequence(entry: dict[str, object], path: Path) -> LabelledSequence:
    try:
        frames = tuple(str(name) for name in cast("list[object]", entry["frames"]))
        return LabelledSequence(
            frames,
            float(cast("float", entry["fps"])),
            int(cast("int", entry["motion_ends"])),
            truth_of_entry(entry),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _broken("a sequence", path, error) from None


def truth_of_entry(entry: Mapping[str, object]) -> Truth:
    """Of a picture in `labels.json`. Raises KeyError, TypeError or ValueError where it is not whole."""
    hidden, cube_mm, mat = (entry.get(key) for key in ("hidden", "cube_mm", "mat"))
    # Where cubes are hidden, `counts` does not say which colours can be seen.
    told = entry.get("visible_counts", entry.get("counts") if not hidden else None)
    if told is None:
        raise KeyError("visible_counts")
    return Truth(
        counts={str(c): int(number) for c, number in cast("Mapping[str, int]", told).items()},
        hidden=int(cast("int", hidden or 0)),
        mat=None if mat is None else bool(mat),
        light=str(entry.get("light", UNKNOWN)),
        plastic=str(entry.get("plastic", UNKNOWN)),
        tray=str(entry.get("tray", UNKNOWN)),
        cube_mm=None if cube_mm is None else float(cast("float", cube_mm)),
    )


def _broken(what: object, path: Path, error: Exception) -> LabelsError:
    missing = f"lacks the key {error}" if isinstance(error, KeyError) else f"has a wrong value ({error})"
    return LabelsError(f"{path}: {what or 'a picture'} {missing}.", "Its format is in docs/evaluate.md.")
