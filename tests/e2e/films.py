"""What a phone over the tray would see: a film for the browser's fake camera, a photo of a heap."""

from functools import cache
from pathlib import Path

import cv2

import companion.demo
from calibration.synth import Options, render
from companion.table.messages import Looked
from vision.pictures import decode_picture
from vision.reader import TrayReader

FPS = 30
"""Chromium plays an MJPEG file at this pace, over and over: who comes late sees the next throw."""
SEQUENCE = "1"
_EMPTY_S, _REST_S, _FALL_FRAMES_EACH = 3, 18, 2
_PICTURES = Path(companion.demo.__file__).parent


def film_of_a_throw(path: Path, sequence: str = SEQUENCE) -> Path:
    """An empty tray, cubes that fall, the tray at rest; JPEGs one after the other."""
    frames = [file.read_bytes() for file in sorted((_PICTURES / "sequences" / sequence).glob("*.jpg"))]
    with path.open("wb") as film:
        film.write(frames[0] * (FPS * _EMPTY_S))
        for frame in frames:
            film.write(frame * _FALL_FRAMES_EACH)
        film.write((frames[-2] + frames[-1]) * (FPS * _REST_S // 2))  # a living camera has noise
    return path


def photo_of_a_heap(path: Path, seed: int = 41_002) -> Path:
    """Ten cubes of which some lie on others: nobody can be sure of all from above."""
    path.write_bytes(_heap(seed))
    return path


@cache
def _heap(seed: int) -> bytes:
    """As a JPEG; drawing one takes longer than a page does."""
    counts = {"red": 4, "blue": 3, "green": 3}
    heap = Options(size_px=(960, 720), mat=True, plain=True, stacked=0.4, counts=counts)
    return cv2.imencode(".jpg", render(seed, heap)[0])[1].tobytes()


@cache
def heap_as_read(seed: int = 41_002) -> Looked:
    """What the sensor process says of such a photo."""
    return Looked(TrayReader().read(decode_picture(_heap(seed), "heap.jpg")), _heap(seed), 30.0, 200.0)
