"""Library messages about a damaged picture do not reach the terminal; everything else does."""

import os
import subprocess
import sys
import threading
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.cameras import numbered
from tests.vision.mat_picture import mat_picture
from vision.errors import PictureError
from vision.hush import silenced_stderr
from vision.pictures import decode_picture
from vision.sources.captures import CvCapture
from vision.sources.spec import open_source

PNG = cv2.imencode(".png", mat_picture())[1].tobytes()
JPEG = cv2.imencode(".jpg", mat_picture())[1].tobytes()


def _flip_byte(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]


def _with_odd_profile(png: bytes) -> bytes:
    """A profile as some programs write it: libpng warns, and reads on."""
    kind, body = b"iCCP", b"x\0\0" + zlib.compress(b"no profile" * 40)
    chunk = len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")
    return png[:33] + chunk + png[33:]


@pytest.mark.parametrize(
    ("data", "read"),
    [
        (_flip_byte(PNG, len(PNG) // 2), False),
        (_with_odd_profile(PNG), True),
        (JPEG[: len(JPEG) // 2] + b"\x55" * 40 + JPEG[len(JPEG) // 2 + 40 :], True),
    ],
    ids=["png with an error", "png with a warning", "jpeg with a warning"],
)
def test_a_damaged_picture_is_one_sentence_of_ours(
    data: bytes, read: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    """`libpng error: IDAT: CRC error` was printed as well, and for a phone's stream one line per frame."""
    if read:
        decode_picture(data, "tray.jpg")
    else:
        with pytest.raises(PictureError, match="is damaged and cannot be read"):
            decode_picture(data, "tray.png")
    os.write(2, b"heard")
    assert capfd.readouterr().err == "heard"


def test_threads_that_decode_at_once_leave_stderr_as_it_was(capfd: pytest.CaptureFixture[str]) -> None:
    """If threads interleaved, the last one would restore what the first had redirected stderr to."""

    def write_hushed() -> None:
        for _ in range(300):
            with silenced_stderr():
                os.write(2, b"not heard")

    threads = [threading.Thread(target=write_hushed) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    os.write(2, b"heard")
    assert capfd.readouterr().err == "heard"


class _Webcam:
    """Its frames are slightly invalid to libjpeg."""

    def grab(self) -> bool:
        os.write(2, b"heard")
        return True

    def retrieve(self) -> tuple[bool, np.ndarray]:
        os.write(2, b"Corrupt JPEG data: 5 extraneous bytes before marker 0xd6")
        return True, numbered(1)


def test_a_webcam_whose_every_frame_is_complained_of_fills_no_terminal(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """While its next frame is awaited all other output is heard."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(cv2, "VideoCapture", _Webcam)
        camera = CvCapture(cv2.VideoCapture(), lost=None)  # type: ignore[arg-type]  # it is not lost
        assert camera.read().shape == (240, 320, 3)
    assert capfd.readouterr().err == "heard"


@pytest.mark.parametrize("kept", [1.0, 0.5], ids=["damaged", "cut short"])
def test_a_damaged_film_is_not_commented_on_by_ffmpeg(tmp_path: Path, kept: float) -> None:
    path = tmp_path / "throw.avi"
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (320, 240))
    for number in range(10):
        film.write(numbered(number))
    film.release()
    data = bytearray(path.read_bytes())
    for at in range(6000, len(data) - 3000, 97):
        data[at] ^= 0xFF
    path.write_bytes(data[: int(kept * len(data))])
    code = "import sys; from tests.vision.test_hush import play; play(sys.argv[1])"
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    assert done.stdout == "played\n"
    assert done.stderr == ""


def play(path: str) -> None:
    """Run in a process of its own, as FFmpeg reads its log level only once."""
    source = open_source(path)
    while not source.ended:
        source.read(1)
    print("played")
