"""Pictures from phones, scanners and broken downloads are put right or refused in one sentence."""

import os
import pickle
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vision.advice import ADVICE
from vision.errors import PictureError
from vision.pictures import (
    MOST_SENT_PIXELS,
    Picture,
    decode_picture,
    decode_sent,
    load_picture,
    picture_files,
)
from vision.reading import Doubt
from vision.sizes import Size, stored_size


def scene(width: int = 320, height: int = 240) -> Picture:
    """Blue left half, red top right, green bottom right: any rotation or channel swap shows."""
    picture = np.zeros((height, width, 3), np.uint8)
    picture[:, : width // 2] = (200, 60, 30)
    picture[: height // 2, width // 2 :] = (30, 40, 210)
    picture[height // 2 :, width // 2 :] = (40, 180, 50)
    return picture


def encoded(picture: np.ndarray, suffix: str = ".jpg") -> bytes:
    done, data = cv2.imencode(suffix, picture)
    assert done
    return data.tobytes()


def with_exif_turn(jpeg: bytes, orientation: int) -> bytes:
    """A JPEG with an EXIF block saying how the phone was held."""
    tiff = (
        b"MM\x00*"
        + struct.pack(">IH", 8, 1)
        + struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
        + b"\0" * 4
    )
    block = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + jpeg[2:]


def is_like(picture: Picture, expected: Picture) -> bool:
    return picture.shape == expected.shape and float(np.abs(picture.astype(int) - expected).mean()) < 6


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".bmp", ".webp", ".tiff"])
def test_every_common_format_gives_bgr(suffix: str) -> None:
    """Blue is in channel 0, whatever the file format."""
    assert is_like(decode_picture(encoded(scene(), suffix), "a" + suffix), scene())


@pytest.mark.parametrize(
    ("orientation", "turn"),
    [(3, cv2.ROTATE_180), (6, cv2.ROTATE_90_CLOCKWISE), (8, cv2.ROTATE_90_COUNTERCLOCKWISE)],
)
def test_phone_picture_held_sideways_is_turned_upright(orientation: int, turn: int) -> None:
    """A phone stores the sensor's rows and an EXIF rotation; the reader must see what the person saw."""
    seen = decode_picture(with_exif_turn(encoded(scene()), orientation), "phone.jpg")
    assert is_like(seen, cv2.rotate(scene(), turn))  # type: ignore[arg-type] # a numpy array like any other


def test_16_bit_picture_is_scaled() -> None:
    """Scanners and raw converters write 16 bits per channel."""
    assert is_like(decode_picture(encoded(scene().astype(np.uint16) * 257, ".png"), "deep.png"), scene())


def test_12_bits_in_a_picture_of_16_are_told_as_that() -> None:
    """As written by programs for industrial cameras; the picture used to be counted, and called black."""
    with pytest.raises(PictureError, match="no more than 12 of its 16 bits") as caught:
        decode_picture(encoded(scene().astype(np.uint16) * 16, ".png"), "raw.png")
    assert caught.value.key == "picture_bits"


def test_a_picture_of_fractions_is_told_how_to_save_it() -> None:
    """As written by astronomy programs; people used to be told to set their camera to colour."""
    with pytest.raises(PictureError, match="Save it as JPEG or PNG") as caught:
        decode_picture(encoded(scene().astype(np.float32) / 255, ".tiff"), "stack.tiff")
    assert caught.value.key == "picture_channels"


def test_alpha_channel_is_dropped() -> None:
    """Screenshots have four channels."""
    four = np.dstack([scene(), np.full(scene().shape[:2], 255, np.uint8)])
    assert is_like(decode_picture(encoded(four, ".png"), "shot.png"), scene())


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
def test_grey_picture_is_refused_with_a_sentence(suffix: str) -> None:
    """A grey picture cannot show colours: better to say so than to guess."""
    with pytest.raises(PictureError, match="grey") as caught:
        decode_picture(encoded(scene()[:, :, 0].copy(), suffix), "night" + suffix)
    assert caught.value.key == "picture_grey"
    assert "colour" in caught.value.remedy


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".bmp"])
@given(share=st.floats(0.01, 0.97))
def test_picture_cut_short_anywhere_is_refused(suffix: str, share: float) -> None:
    """Decoders silently fill the missing rows with grey: cubes would vanish unnoticed."""
    data = encoded(scene(), suffix)
    with pytest.raises(PictureError):
        decode_picture(data[: int(len(data) * share)], "cut" + suffix)


@pytest.mark.parametrize("seed", range(6))
def test_jpeg_that_is_damaged_in_its_middle_is_refused(seed: int) -> None:
    """A kilobyte of other bytes, as a bad memory card leaves; a decoder would not report it."""
    rng = np.random.default_rng(seed)
    picture = rng.integers(0, 256, (480, 640, 3)).astype(np.uint8)
    data = bytearray(encoded(picture, ".jpg"))
    decode_picture(bytes(data), "whole.jpg")
    middle = len(data) // 2
    data[middle : middle + 1000] = rng.integers(0, 256, 1000).astype(np.uint8).tobytes()
    with pytest.raises(PictureError, match="damaged in its middle") as caught:
        decode_picture(bytes(data), "card.jpg")
    assert caught.value.key == "picture_damaged"


@pytest.mark.parametrize("way", [cv2.IMWRITE_JPEG_PROGRESSIVE, cv2.IMWRITE_JPEG_OPTIMIZE])
def test_whole_jpegs_of_every_kind_are_not_called_damaged(way: int) -> None:
    """Progressive ones have tables between their scans; others contain restart markers."""
    picture = np.random.default_rng(3).integers(0, 256, (240, 320, 3)).astype(np.uint8)
    options = [way, 1, cv2.IMWRITE_JPEG_RST_INTERVAL, 4]
    assert decode_picture(cv2.imencode(".jpg", picture, options)[1].tobytes(), "whole.jpg").shape[2] == 3


@given(last=st.binary(max_size=6).map(lambda body: body.replace(b"\xff", b"\xff\x00")))
@example(last=b"\xff\x00\x08")
def test_a_whole_jpeg_may_end_with_any_bytes(last: bytes) -> None:
    """A picture used to be called cut short if a stuffed 0xff came just before the end marker."""
    whole = encoded(scene())
    assert is_like(decode_picture(whole[:-2] + last + whole[-2:], "whole.jpg"), scene())
    with pytest.raises(PictureError, match="cut short"):
        decode_picture(whole[:-2] + last, "cut.jpg")


def test_cut_picture_with_a_whole_thumbnail_inside_is_refused() -> None:
    """The thumbnail in the EXIF block ends with the same marker as the picture."""
    jpeg, thumbnail = encoded(scene()), encoded(scene(160, 120))
    block = b"Exif\0\0" + thumbnail
    whole = jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + jpeg[2:]
    assert is_like(decode_picture(whole, "whole.jpg"), scene())
    with pytest.raises(PictureError, match="cut short"):
        decode_picture(whole[:-200], "cut.jpg")


def test_an_error_comes_whole_out_of_another_process() -> None:
    """If several processes read pictures, a broken one is reported like any other."""
    with pytest.raises(PictureError) as caught:
        decode_picture(encoded(scene())[:-200], "cut.jpg")
    unpickled = pickle.loads(pickle.dumps(caught.value))
    assert (str(unpickled), unpickled.remedy, unpickled.key) == (
        str(caught.value),
        caught.value.remedy,
        "picture_cut",
    )


def test_bytes_after_the_end_are_no_fault() -> None:
    """Phones append a short film to a live photo."""
    assert is_like(decode_picture(encoded(scene()) + b"film" * 1000, "live.jpg"), scene())


@pytest.mark.parametrize(
    ("data", "words", "key"),
    [
        (b"", "empty", "picture_empty"),
        (b"name,count\nred,3\n", "not a picture", "picture_other"),
        (b"\x00\x00\x00\x18ftypheic" + b"\0" * 100, "HEIC", "picture_heic"),
        (b"\x00\x00\x00\x18ftyphevx" + b"\0" * 100, "HEIC", "picture_heic"),
        (b"\x00\x00\x00\x18ftypheis" + b"\0" * 100, "HEIC", "picture_heic"),
        (b"\x00\x00\x00\x1cftypavif" + b"\0" * 100, "AVIF", "picture_heic"),
        (b"\xff\xd8\xff\xe0" + b"\0" * 40, "cut short", "picture_cut"),
    ],
)
def test_other_files_get_one_sentence(data: bytes, words: str, key: str) -> None:
    """A wrong file is named for what it is; the key selects the translation."""
    with pytest.raises(PictureError, match=words) as caught:
        decode_picture(data, "x.jpg")
    assert caught.value.key == key


def test_stamp_sized_picture_is_refused() -> None:
    """It has too few pixels to show a cube."""
    with pytest.raises(PictureError, match="80×60") as caught:
        decode_picture(encoded(scene(80, 60)), "stamp.jpg")
    assert caught.value.key == "picture_small"


@given(data=st.binary(max_size=200))
def test_no_bytes_at_all_cause_a_traceback(data: bytes) -> None:
    """Only a `PictureError` may come out, whatever goes in."""
    for start in (b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"BM", b"RIFF\x10\0\0\0WEBP", b"II*\0"):
        for decode in (decode_picture, decode_sent):
            with pytest.raises(PictureError):
                decode(start + data, "noise")


def test_missing_file_and_folder_are_named(tmp_path: Path) -> None:
    """The sentence contains the name that was asked for."""
    with pytest.raises(PictureError, match=r"no picture .*gone\.jpg"):
        load_picture(tmp_path / "gone.jpg")
    with pytest.raises(PictureError, match="is a folder"):
        load_picture(tmp_path)


def blank_png(width: int, height: int, bits: int = 8, kind: int = 2) -> bytes:
    """An all-black PNG, in as few bytes as possible."""
    rows = zlib.compressobj(1)
    line = b"\0" + bytes((3 if kind == 2 else 1) * width * bits // 8)
    body = b"".join(rows.compress(line) for _ in range(height)) + rows.flush()
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, 0)),
        (b"PLTE", bytes(6) if kind == 3 else b""),
        (b"IDAT", body),
        (b"IEND", b""),
    )
    chunks = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
        if data or name == b"IEND"
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


@pytest.mark.parametrize(("width", "height"), [(14_143, 14_143), (32_768, 120), (120, 32_768)])
def test_a_picture_of_more_pixels_than_can_be_read_is_refused(width: int, height: int) -> None:
    """One of 30000×30000, in a file of 12 MB, crashed the whole program; a long strip was an OpenCV error."""
    with pytest.raises(PictureError, match="more pixels than can be read") as caught:
        decode_picture(blank_png(width, height), "scan.png")
    assert caught.value.key == "picture_large"


SENT_WIDTH = 8192
SENT_HEIGHT = MOST_SENT_PIXELS // SENT_WIDTH


def never(*_: object) -> None:
    raise AssertionError("it was decoded")


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (blank_png(SENT_WIDTH, SENT_HEIGHT // 2 + 1, 16), "picture_large"),
        (blank_png(SENT_WIDTH, SENT_HEIGHT + 1), "picture_large"),
        (blank_png(SENT_WIDTH, SENT_HEIGHT + 1, 1, 3), "picture_large"),
        (encoded(np.zeros((SENT_HEIGHT + 1, SENT_WIDTH, 3), np.uint8), ".webp"), "picture_large"),
        (encoded(np.zeros((2 * SENT_HEIGHT + 1, SENT_WIDTH, 3), np.uint8)), "picture_large"),
        (encoded(scene(), ".tiff"), "picture_other"),
        (struct.pack("<2s4I2i", b"BM", 26, 0, 26, 40, SENT_WIDTH, -SENT_HEIGHT - 1), "picture_large"),
    ],
    ids=["16 bits", "png", "two colours", "webp", "jpeg", "tiff", "bmp"],
)
def test_what_is_sent_and_would_fill_the_memory_is_not_even_decoded(
    data: bytes, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a megabyte took two gigabytes: on a small computer the system killed the reader."""
    monkeypatch.setattr(cv2, "imdecode", never)
    with pytest.raises(PictureError) as caught:
        decode_sent(data, "photo")
    assert caught.value.key == key


def test_a_large_photo_that_is_sent_is_read_at_half_its_width() -> None:
    """With 50 megapixels, as some phones take them; grey is still reported, and the phone's rotation
    applied."""
    large = np.repeat(np.repeat(scene(SENT_WIDTH // 8, SENT_HEIGHT // 8 + 1), 8, 0), 8, 1)
    half = scene(SENT_WIDTH // 8, SENT_HEIGHT // 8 + 1).repeat(4, 0).repeat(4, 1)
    assert is_like(decode_sent(encoded(large), "photo"), half)
    assert decode_sent(with_exif_turn(encoded(large), 6), "photo").shape[:2] == half.shape[1::-1]
    with pytest.raises(PictureError, match="grey"):
        decode_sent(encoded(large[:, :, 0].copy()), "photo")


@pytest.mark.parametrize("options", [[], [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]])
def test_a_photo_of_usual_size_that_is_sent_is_the_file_s(options: list[int]) -> None:
    """To the last bit, up to the largest number of pixels that is read whole."""
    usual = np.random.default_rng(5).integers(0, 256, (960, 1280, 3)).astype(np.uint8)
    for picture in (usual, np.zeros((SENT_HEIGHT, SENT_WIDTH, 3), np.uint8)):
        data = cv2.imencode(".jpg", picture, options)[1].tobytes()
        assert np.array_equal(decode_sent(data, "photo"), decode_picture(data, "photo"))


@pytest.mark.parametrize("quality", [50, 101])
@pytest.mark.parametrize("channels", [3, 4])
def test_each_kind_of_webp_tells_its_size(quality: int, channels: int) -> None:
    """Lossy and lossless, with and without alpha."""
    picture = np.random.default_rng(6).integers(0, 256, (300, 401, channels)).astype(np.uint8)
    data = cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, quality])[1].tobytes()
    assert stored_size(data) == Size(401, 300)
    assert decode_sent(data, "photo").shape == (300, 401, 3)


def test_a_bmp_that_is_sent_is_read() -> None:
    """Small boards with a camera offer it."""
    data = encoded(scene(401, 300), ".bmp")
    assert stored_size(data) == Size(401, 300)
    assert np.array_equal(decode_sent(data, "shot"), scene(401, 300))
    first_form = data[:14] + struct.pack("<IHH", 12, 401, 300) + data[22:]
    assert stored_size(first_form) == Size(401, 300)


def test_what_is_no_regular_file_is_not_waited_for(tmp_path: Path) -> None:
    """Such as a pipe that nobody writes to, or an endless device."""
    os.mkfifo(tmp_path / "pipe.jpg")
    for path in (tmp_path / "pipe.jpg", Path(os.devnull)):
        with pytest.raises(PictureError, match="not a regular file"):
            load_picture(path)


@pytest.mark.parametrize("name", ["x" * 300, "a\0b", "a\ud800b"])
def test_a_name_that_no_file_has_is_one_sentence(name: str) -> None:
    """Too long, or with characters that no system accepts."""
    for asked in (load_picture, lambda path: [load_picture(p) for p in picture_files([path])]):
        with pytest.raises(PictureError, match=r"cannot be"):
            asked(Path(name))


def test_a_folder_that_is_shut_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same goes for what is in it."""

    def refuse(self: Path, *_: object, **__: object) -> object:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(PictureError, match=r"cannot be opened \(Permission denied\)"):
        picture_files([tmp_path])
    monkeypatch.setattr(Path, "stat", refuse)
    for asked in (load_picture, lambda path: picture_files([path])):
        with pytest.raises(PictureError, match=r"cannot be opened \(Permission denied\)"):
            asked(tmp_path / "a.jpg")


def test_folder_is_read_in_name_order_and_must_hold_a_picture(tmp_path: Path) -> None:
    """Labels and notes beside the pictures are skipped."""
    with pytest.raises(PictureError, match="no picture in the folder"):
        picture_files([tmp_path])
    for name in ("b.JPG", "a.png", "labels.json"):
        (tmp_path / name).write_bytes(b"x")
    assert [p.name for p in picture_files([tmp_path])] == ["a.png", "b.JPG"]


def test_an_iphone_s_picture_in_a_folder_is_named_and_one_that_was_converted_is_not(tmp_path: Path) -> None:
    """HEIC used to be skipped silently, and AVIF and Canon's HIF for longer."""
    for name in ("a.HEIC", "b.heic", "b.jpg", "c.avif", "d.HIF"):
        (tmp_path / name).write_bytes(b"\0\0\0\x18ftypheic" + b"\0" * 30)
    first, second, *others = picture_files([tmp_path])
    assert [path.name for path in (first, second, *others)] == ["a.HEIC", "b.jpg", "c.avif", "d.HIF"]
    with pytest.raises(PictureError, match="HEIC"):
        load_picture(first)


def test_every_doubt_has_a_sentence_and_a_remedy() -> None:
    """A reading that asks must be able to say why."""
    assert set(ADVICE) == set(Doubt)
    assert all(a.sentence.endswith(".") and a.remedy.endswith(".") for a in ADVICE.values())
