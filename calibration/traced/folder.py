"""A folder that grows picture by picture: whenever a run is cut, `labels.json` holds all that is whole."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import cv2

from calibration.synth.folder import JPEG_QUALITY
from calibration.synth.scene import Bytes
from calibration.written import keep


def file_name(seed: int) -> str:
    """Of the picture of a seed."""
    return f"traced-{seed:06d}.jpg"


def missing(folder: Path, seeds: range) -> Iterator[int]:
    """The seeds that have no picture yet, asked anew before each."""
    for seed in seeds:
        if not holds(folder, file_name(seed)):
            yield seed


def holds(folder: Path, name: str) -> bool:
    """Whether it has this picture."""
    return name in {entry["file"] for entry in _entries(folder)}


def write_picture(folder: Path, name: str, picture: Bytes, entry: Mapping[str, object]) -> str:
    """The file of (H, W, 3) BGR and its object in `labels.json`; its name."""
    folder.mkdir(parents=True, exist_ok=True)
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    (folder / name).write_bytes(packed.tobytes())
    body = {"pictures": [*_entries(folder), {"file": name, **entry}], "sequences": []}
    keep(folder / "labels.json", json.dumps(body))  # at once: a reader never meets half a file
    return name


def _entries(folder: Path) -> list[dict[str, object]]:
    try:
        body = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    entries: list[dict[str, object]] = body["pictures"]
    return entries
