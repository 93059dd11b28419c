"""Writes many pictures, or falls, with `labels.json` into a folder that `tenshu evaluate` reads."""

import json
import os
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TypeAlias, cast

import cv2

from calibration.interrupts import ctrl_c_waits, end_with_parent
from calibration.synth.film import FPS, render_film
from calibration.synth.render import render
from calibration.synth.scene import Bytes, Options
from calibration.written import atomic_output
from vision.errors import VisionError

Entry: TypeAlias = dict[str, object]
"""What `labels.json` says about one picture or one fall."""

Names: TypeAlias = Generator[str, None, None]

_AHEAD = 4
"""Pictures queued per process: a million queued at once would take more memory than the pictures."""
_OTHER = "another folder"

JPEG_QUALITY = 95
"""Quality of the files; the webcam's own compression is already in the pixels."""


class FolderError(VisionError):
    """The folder cannot be written, or already holds other pictures' labels."""


def write_folder(folder: Path, seeds: range, options: Options, *, falls: bool = False) -> Names:
    """Write a JPEG per seed, yielding its name, then `labels.json`. Raises `FolderError`, `WriteError`.

    With `falls`, write the frames of one fall per seed and yield the name of the first. However it ends,
    `labels.json` covers everything that is complete, and no partial picture is left.
    """
    if (folder / "labels.json").exists():
        raise FolderError(f"{folder} already holds labelled pictures.", "Name a new folder.")
    if folder.exists() and not folder.is_dir():
        raise FolderError(f"{folder} is a file, and pictures go into a folder.", "Name a new folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FolderError(
            f"{folder} cannot be written: {error.strerror}.",
            "Check that there is room and that the folder is yours.",
        ) from None
    entries: list[Entry] = []
    try:
        write_one = partial(_write_fall if falls else _write_picture, folder, options)
        with closing(_render_all(write_one, seeds, entries)) as rendered:
            yield from rendered
    except BrokenProcessPool:
        raise FolderError(
            f"A process that rendered was ended, perhaps for want of memory; {len(entries)} are complete.",
            "Render the rest into another folder, smaller or with another --seed.",
        ) from None
    finally:
        if entries:
            _write_labels(folder, [] if falls else entries, entries if falls else [])


def _write_labels(folder: Path, pictures: list[Entry], sequences: list[Entry]) -> None:
    with ctrl_c_waits(), atomic_output(folder / "labels.json", _OTHER) as part:
        part.write_text(json.dumps({"pictures": pictures, "sequences": sequences}), encoding="utf-8")


def _render_all(write_one: Callable[[int], Entry], seeds: range, entries: list[Entry]) -> Names:
    """Yield file names; `entries` gets the truth of everything complete, even if no longer yielded."""
    workers = min(os.cpu_count() or 1, len(seeds) // 4)
    if workers < 2:
        for seed in seeds:
            entries.append(write_one(seed))
            yield _first_name(entries[-1])
        return
    # Spawned, not forked: forks would wait for OpenCV threads that existed before.
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_init_worker) as pool:
        pending: deque[Future[Entry]] = deque()
        try:
            for seed in seeds:
                with ctrl_c_waits():  # `submit` starts the processes
                    pending.append(pool.submit(write_one, seed))
                if len(pending) > _AHEAD * workers:
                    entries.append(pending[0].result())
                    pending.popleft()
                    yield _first_name(entries[-1])
            while pending:
                entries.append(pending[0].result())
                pending.popleft()
                yield _first_name(entries[-1])
        finally:
            with ctrl_c_waits():  # a pool that stops half-way may never end
                pool.shutdown(cancel_futures=True)
                entries += [future.result() for future in pending if _is_complete(future)]


def _is_complete(picture: Future[Entry]) -> bool:
    return picture.done() and not picture.cancelled() and picture.exception() is None


def _init_worker() -> None:
    cv2.setNumThreads(1)
    end_with_parent()


def _first_name(entry: Entry) -> str:
    return str(entry["file"] if "file" in entry else cast("list[str]", entry["frames"])[0])


def _write_picture(folder: Path, options: Options, seed: int) -> Entry:
    picture, entry = render(seed, options)
    file = f"synth-{seed:05d}.jpg"
    _write_jpeg(folder / file, picture)
    return {"file": file, **entry}


def _write_fall(folder: Path, options: Options, seed: int) -> Entry:
    film = render_film(seed, options)
    names = [f"fall-{seed:05d}-{number:02d}.jpg" for number in range(len(film.frames))]
    try:
        for name, picture in zip(names, film.frames, strict=True):
            _write_jpeg(folder / name, picture)
    except BaseException:
        for name in names:
            (folder / name).unlink(missing_ok=True)
        raise
    return {"frames": names, "fps": FPS, "motion_ends": film.motion_ends, **film.label}


def _write_jpeg(path: Path, picture: Bytes) -> None:
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    with atomic_output(path, _OTHER) as part:
        part.write_bytes(packed.tobytes())
