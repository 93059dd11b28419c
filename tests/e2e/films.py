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
"""Frame rate at which Chromium plays an MJPEG file, in a loop: whoever comes late sees the next throw."""
SEQUENCE = "1"
_EMPTY_S, _REST_S, _FALL_FRAMES_EACH = 3, 18, 2
_PICTURES = Path(companion.demo.__file__).parent


def film_of_a_throw(path: Path, sequence: str = SEQUENCE) -> Path:
    """Write a film of an empty tray, falling cubes and the tray at rest, as concatenated JPEGs."""
    frames = [file.read_bytes() for file in sorted((_PICTURES / "sequences" / sequence).glob("*.jpg"))]
    with path.open("wb") as film:
        film.write(frames[0] * (FPS * _EMPTY_S))
        for frame in frames:
            film.write(frame * _FALL_FRAMES_EACH)
        film.write((frames[-2] + frames[-1]) * (FPS * _REST_S // 2))  # a real camera has noise
    return path


def photo_of_a_heap(path: Path, seed: int = 41_002) -> Path:
    """Write a photo of ten cubes, some of them on others: from above nobody can be sure of all."""
    path.write_bytes(_heap(seed))
    return path


@cache
def _heap(seed: int) -> bytes:
    """Render the heap as a JPEG; cached, since this takes longer than a page does."""
    counts = {"red": 4, "blue": 3, "green": 3}
    heap = Options(size_px=(960, 720), mat=True, plain=True, stacked=0.4, counts=counts)
    return cv2.imencode(".jpg", render(seed, heap)[0])[1].tobytes()


@cache
def heap_as_read(seed: int = 41_002) -> Looked:
    """Return what the sensor process says of such a photo."""
    return Looked(TrayReader().read(decode_picture(_heap(seed), "heap.jpg")), _heap(seed), 30.0, 200.0)
