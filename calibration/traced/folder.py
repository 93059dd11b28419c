"""A folder that grows picture by picture: `labels.json` lists every complete one, whenever a run is cut."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import cv2

from calibration.measuring.labels import entries_of, read_body
from calibration.synth.folder import JPEG_QUALITY
from calibration.synth.scene import Bytes
from calibration.written import write_atomically

_LABELS = "labels.json"


def file_name(seed: int) -> str:
    """Return the file name of a seed's picture."""
    return f"traced-{seed:06d}.jpg"


def missing_seeds(folder: Path, seeds: range) -> Iterator[int]:
    """Yield the seeds without a picture; the folder is checked again before each."""
    for seed in seeds:
        if not has_picture(folder, file_name(seed)):
            yield seed


def has_picture(folder: Path, name: str) -> bool:
    """Whether the folder's labels list this picture. Raises `LabelsError` if they are damaged."""
    return name in {entry.get("file") for entry in _load_labels(folder)[1]}


def write_picture(folder: Path, name: str, picture: Bytes, entry: Mapping[str, object]) -> str:
    """Write an (H, W, 3) BGR picture and add its entry to `labels.json`; return its name.

    Raises `LabelsError` if the labels are damaged; nothing is written then.
    """
    body, entries = _load_labels(folder)
    folder.mkdir(parents=True, exist_ok=True)
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    (folder / name).write_bytes(packed.tobytes())
    body["pictures"] = [*entries, {"file": name, **entry}]
    write_atomically(folder / _LABELS, json.dumps(body))  # atomic: a reader never sees half a file
    return name


def _load_labels(folder: Path) -> tuple[dict[str, object], list[dict[str, object]]]:
    """Return all labels and those of the pictures; empty ones if the folder has none yet."""
    if not (folder / _LABELS).exists():
        return {"pictures": [], "sequences": []}, []
    return read_body(folder), entries_of(folder)
