"""Tray pictures with known truth: a folder's `labels.json` as typed values, which the reader never sees.

Format: an object with `pictures` and `sequences`; the keys used are the fields below.
"""

import json
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os.path import normpath
from pathlib import Path
from typing import cast

from calibration.measuring.fields import (
    MOST_CUBES,
    FieldError,
    bounded_number,
    counts,
    file_name,
    file_names,
    whole_number,
    word,
    yes_or_no,
)
from calibration.measuring.split import Half, half
from vision.errors import VisionError, error_reason

_FILE = "labels.json"
_FPS, _CUBE_MM = (0.01, 10_000.0), (1.0, 100.0)
"""Least and greatest value accepted."""
UNKNOWN = "unknown"
"""Stands for what the labels do not say about a picture."""


class LabelsError(VisionError):
    """`labels.json` is missing, broken, or lacks a key."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What lies in one tray, and how its picture was taken."""

    counts: Mapping[str, int]
    """Sufficiently visible cubes per colour: `visible_counts`, or `counts` if nothing is hidden."""
    hidden: int = 0
    """Number of cubes in the tray that cannot be seen."""
    mat: bool | None = None
    light: str = UNKNOWN
    plastic: str = UNKNOWN
    tray: str = UNKNOWN
    cube_mm: float | None = None

    @property
    def total(self) -> int:
        """Number of visible cubes of all colours."""
        return sum(self.counts.values())

    @property
    def black_on_black(self) -> bool:
        """Whether there are black cubes in a black tray, which a camera can hardly see."""
        return self.plastic == "black" and self.counts.get("black", 0) > 0


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """One picture file and what lies in it."""

    file: str
    truth: Truth


@dataclass(frozen=True, slots=True)
class LabelledSequence:
    """The frames of a throw, the frame from which nothing moves, and what lies there in the end."""

    frames: tuple[str, ...]
    fps: float
    motion_ends: int
    truth: Truth


@dataclass(frozen=True, slots=True)
class Labels:
    """All labels of one folder."""

    pictures: tuple[LabelledPicture, ...]
    sequences: tuple[LabelledSequence, ...]

    def in_half(self, which: Half | None) -> "Labels":
        """Return what is in one half, sequences by their first frames; everything if `which` is None."""
        return Labels(
            tuple(p for p in self.pictures if which in (None, half(p.file))),
            tuple(s for s in self.sequences if which in (None, half(s.frames[0]))),
        )

    def below(self, folder: Path) -> "Labels":
        """Return the same with `folder` before all file names."""
        return Labels(
            tuple(replace(p, file=str(folder / p.file)) for p in self.pictures),
            tuple(replace(s, frames=tuple(str(folder / f) for f in s.frames)) for s in self.sequences),
        )


def load_labels(folder: Path) -> Labels:
    """Load the labels of a folder. Raises `LabelsError`, which says what is wrong."""
    path, body = folder / _FILE, read_body(folder)
    pictures = [_parse_picture(entry, n, path) for n, entry in enumerate(_entries(body, "pictures", path), 1)]
    _require_once(pictures, path)
    return Labels(
        tuple(pictures),
        tuple(
            _parse_sequence(entry, n, path) for n, entry in enumerate(_entries(body, "sequences", path), 1)
        ),
    )


def entries_of(folder: Path, which: Half | None = None) -> list[dict[str, object]]:
    """Return the raw picture entries of a folder, or of one half of it. Raises `LabelsError`."""
    entries = _entries(read_body(folder), "pictures", folder / _FILE)
    return [entry for entry in entries if which in (None, half(str(entry.get("file"))))]


def read_body(folder: Path) -> dict[str, object]:
    """Return everything that the `labels.json` of a folder says. Raises `LabelsError`."""
    path = folder / _FILE
    if not folder.is_dir():
        raise LabelsError(
            f"There is no folder {folder}.", "Name a folder that holds labels.json and its pictures."
        )
    try:
        body = json.loads(path.read_text(encoding="utf-8-sig"))  # some editors write a byte order mark
    except FileNotFoundError:
        raise LabelsError(
            f"There is no labels.json in {folder}.", "Its format is in docs/evaluate.md."
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        is_os_error = isinstance(error, OSError)
        remedy = (
            "Check its permissions and the disk." if is_os_error else "Its format is in docs/evaluate.md."
        )
        raise LabelsError(f"{path} cannot be read ({error_reason(error)}).", remedy) from None
    if not isinstance(body, dict):
        raise LabelsError(f"{path} is not an object.", "Its format is in docs/evaluate.md.")
    return body


def _entries(body: dict[str, object], key: str, path: Path) -> list[dict[str, object]]:
    entries = body.get(key, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise LabelsError(f"{path}: `{key}` is not a list of objects.", "Its format is in docs/evaluate.md.")
    return cast("list[dict[str, object]]", entries)


def _parse_picture(entry: dict[str, object], number: int, path: Path) -> LabelledPicture:
    try:
        return LabelledPicture(file_name(entry["file"], "file"), truth_of_entry(entry))
    except (KeyError, FieldError) as error:
        raise _entry_error(f"picture {number} ({reprlib.repr(entry.get('file'))})", path, error) from None


def _require_once(pictures: Sequence[LabelledPicture], path: Path) -> None:
    """Reject a file listed twice: it would count twice, or have two truths."""
    first: dict[str, int] = {}
    for number, picture in enumerate(pictures, 1):
        before = first.setdefault(normpath(picture.file), number)
        if before != number:
            raise LabelsError(
                f"{path}: pictures {before} and {number} are the same file ({reprlib.repr(picture.file)}).",
                "Leave one of them out.",
            )


def _parse_sequence(entry: dict[str, object], number: int, path: Path) -> LabelledSequence:
    try:
        frames = file_names(entry, "frames")
        return LabelledSequence(
            frames,
            bounded_number(entry, "fps", *_FPS),
            whole_number(entry["motion_ends"], "motion_ends", len(frames) - 1),
            truth_of_entry(entry),
        )
    except (KeyError, FieldError) as error:
        raise _entry_error(f"sequence {number}", path, error) from None


def truth_of_entry(entry: Mapping[str, object]) -> Truth:
    """Parse the truth of an entry. Raises KeyError or `FieldError` if it is incomplete or invalid."""
    hidden = 0 if entry.get("hidden") is None else whole_number(entry["hidden"], "hidden", MOST_CUBES)
    # If cubes are hidden, `counts` does not say which colours are visible.
    key = next(
        (f for f in ("visible_counts", "counts") if f in entry and not (f == "counts" and hidden)), None
    )
    if key is None:
        raise KeyError("visible_counts")
    return Truth(
        counts=counts(entry[key], key),
        hidden=hidden,
        mat=yes_or_no(entry, "mat"),
        light=word(entry, "light", UNKNOWN),
        plastic=word(entry, "plastic", UNKNOWN),
        tray=word(entry, "tray", UNKNOWN),
        cube_mm=None if entry.get("cube_mm") is None else bounded_number(entry, "cube_mm", *_CUBE_MM),
    )


def _entry_error(what: str, path: Path, error: Exception) -> LabelsError:
    fault = f"lacks the key {error}" if isinstance(error, KeyError) else f"has a wrong value: {error}"
    return LabelsError(f"{path}: {what} {fault}.", "Its format is in docs/evaluate.md.")
