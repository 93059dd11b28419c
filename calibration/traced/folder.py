"""A folder that grows picture by picture: `labels.json` lists every complete one, whenever a run is cut."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import cv2

from calibration.synth.folder import JPEG_QUALITY
from calibration.synth.scene import Bytes
from calibration.written import write_atomically


def file_name(seed: int) -> str:
    """Return the file name of a seed's picture."""
    return f"traced-{seed:06d}.jpg"


def missing_seeds(folder: Path, seeds: range) -> Iterator[int]:
    """Yield the seeds without a picture; the folder is checked again before each."""
    for seed in seeds:
        if not has_picture(folder, file_name(seed)):
            yield seed


def has_picture(folder: Path, name: str) -> bool:
    """Whether the folder's labels list this picture."""
    return name in {entry["file"] for entry in _entries(folder)}


def write_picture(folder: Path, name: str, picture: Bytes, entry: Mapping[str, object]) -> str:
    """Write an (H, W, 3) BGR picture and its entry in `labels.json`; return its name."""
    folder.mkdir(parents=True, exist_ok=True)
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    (folder / name).write_bytes(packed.tobytes())
    body = {"pictures": [*_entries(folder), {"file": name, **entry}], "sequences": []}
    write_atomically(folder / "labels.json", json.dumps(body))  # atomic: a reader never sees half a file
    return name


def _entries(folder: Path) -> list[dict[str, object]]:
    try:
        body = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    entries: list[dict[str, object]] = body["pictures"]
    return entries
