"""A film for the browser's fake camera: what a phone over the tray would see, from the demo's pictures."""

from pathlib import Path

import companion.demo

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
