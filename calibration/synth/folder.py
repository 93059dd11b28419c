"""Many pictures into a folder that `tenshu evaluate` reads: files and `labels.json`."""

import json
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import cv2

from calibration.synth.render import render
from calibration.synth.scene import Options
from vision.errors import VisionError

JPEG_QUALITY = 95
"""The webcam's own compression is already in the pixels."""


class FolderError(VisionError):
    """The folder cannot be written, or already holds other pictures' labels."""


def write_folder(folder: Path, seeds: range, options: Options) -> Iterator[str]:
    """One JPEG a seed, named as it is written, and at the end the truth of all. Raises `FolderError`."""
    if (folder / "labels.json").exists():
        raise FolderError(f"{folder} already holds labelled pictures.", "Name a new folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        entries = []
        for entry in _rendered(folder, seeds, options):
            entries.append(entry)
            yield str(entry["file"])
        body = {"pictures": entries, "sequences": []}
        (folder / "labels.json").write_text(json.dumps(body), encoding="utf-8")
    except OSError as error:
        raise FolderError(
            f"{folder} cannot be written: {error.strerror}.", "Is there room, and is the folder yours?"
        ) from None


def _rendered(folder: Path, seeds: range, options: Options) -> Iterator[dict[str, object]]:
    one = partial(_write_one, folder, options)
    workers = min(os.cpu_count() or 1, len(seeds) // 4)
    if workers < 2:
        yield from map(one, seeds)
        return
    with ProcessPoolExecutor(workers, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        yield from pool.map(one, seeds, chunksize=2)


def _write_one(folder: Path, options: Options, seed: int) -> dict[str, object]:
    picture, entry = render(seed, options)
    file = f"synth-{seed:05d}.jpg"
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    (folder / file).write_bytes(packed.tobytes())
    return {"file": file, **entry}
