"""JPEGs as phones write them now: the picture ends where its markers say, whatever follows."""

import io
import struct

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.test_pictures import encoded, is_like, scene
from vision.errors import PictureError
from vision.jpeg import MOST_SCANS, Jpeg, walk_jpeg
from vision.pictures import Picture, decode_picture


def noise(seed: int) -> Picture:
    """A scan in which each byte matters."""
    return np.random.default_rng(seed).integers(0, 256, (480, 640, 3)).astype(np.uint8)


def damaged(data: bytes, seed: int) -> bytes:
    """Replace a kilobyte in the middle by other bytes."""
    noise_bytes = np.random.default_rng(seed).integers(0, 256, 1000).astype(np.uint8).tobytes()
    middle = len(data) // 2
    return data[:middle] + noise_bytes + data[middle + 1000 :]


def film(seed: int = 1) -> bytes:
    """Two megabytes of random bytes, with the end marker of a JPEG after them."""
    return np.random.default_rng(seed).integers(0, 256, 2_000_000).astype(np.uint8).tobytes() + b"\xff\xd9"


def test_of_a_file_with_several_views_the_first_is_read() -> None:
    """MPO, which stereo cameras and phones write, used to be reported as damaged in its middle."""
    image = pytest.importorskip("PIL.Image")
    views = [image.fromarray(picture[:, :, ::-1]) for picture in (scene(), noise(2))]
    file = io.BytesIO()
    views[0].save(file, format="MPO", save_all=True, append_images=views[1:], quality=95)
    assert is_like(decode_picture(file.getvalue(), "two.jpg"), scene())


def test_a_gain_map_and_a_film_after_the_picture_are_passed_over() -> None:
    """Ultra HDR appends a second JPEG with tables of its own, a motion photo an MP4."""
    for after in (encoded(scene(160, 120)), film(), encoded(noise(2)) + film(), b"\xff" * 1_000_000):
        assert is_like(decode_picture(encoded(scene()) + after, "phone.jpg"), scene())


@pytest.mark.parametrize("seed", range(6))
def test_a_damaged_picture_is_refused_though_a_whole_one_comes_after_it(seed: int) -> None:
    with pytest.raises(PictureError, match=r"damaged in its middle|cut short"):
        decode_picture(damaged(encoded(noise(seed)), seed) + encoded(scene()), "card.jpg")


def test_a_thumbnail_that_ends_is_not_the_end() -> None:
    """It lies in a segment, before the picture or between its scans, that is skipped by its length."""
    whole, small = encoded(noise(1)), b"Exif\0\0" + encoded(scene(160, 120))
    segment = b"\xff\xe1" + struct.pack(">H", len(small) + 2) + small
    held = whole[:2] + segment + whole[2:]
    assert walk_jpeg(held) is Jpeg.WHOLE
    assert walk_jpeg(held[: len(held) // 2]) is Jpeg.CUT
    slow = cv2.imencode(".jpg", noise(1), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1].tobytes()
    second = slow.index(b"\xff\xc4", slow.index(b"\xff\xda"))
    assert walk_jpeg(slow[:second] + segment + slow[second:]) is Jpeg.WHOLE


def test_scans_without_end_are_not_decoded() -> None:
    """One megabyte holds ten thousand: the reader was busy with them until it was killed."""
    slow = cv2.imencode(".jpg", scene(), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1].tobytes()
    assert is_like(decode_picture(slow, "web.jpg"), scene())
    last = slow[slow.rindex(b"\xff\xda") : -2]
    with pytest.raises(PictureError, match="damaged in its middle"):
        decode_picture(slow[:-2] + last * MOST_SCANS + slow[-2:], "slow.jpg")


@given(data=st.binary(max_size=400), parts=st.lists(st.sampled_from([b"\xff", b"\xff\xda", b"\xff\xe1\0"])))
def test_a_walk_over_any_bytes_comes_to_an_end(data: bytes, parts: list[bytes]) -> None:
    assert walk_jpeg(b"\xff\xd8" + b"".join(parts) + data) in Jpeg


@given(at=st.floats(0, 1), put=st.binary(max_size=40), cut=st.integers(0, 40))
def test_a_walk_over_a_picture_with_anything_in_it_comes_to_an_end(at: float, put: bytes, cut: int) -> None:
    whole = encoded(scene())
    place = int(at * len(whole))
    assert walk_jpeg(whole[:place] + put + whole[place + cut :]) in Jpeg
