"""Picture files and uploads in, 8-bit BGR arrays out: the only place where picture bytes become pixels.

Camera phones write EXIF rotations, scanners 16 bits, screenshots an alpha channel; files get cut short in
transit. Each of these is either put right here or named in one sentence.
"""

import stat
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from vision import MOST_PIXELS
from vision.errors import PictureError, PictureMissingError
from vision.hush import silenced_stderr
from vision.jpeg import Jpeg, walk_jpeg
from vision.sizes import stored_size

Picture: TypeAlias = npt.NDArray[np.uint8]
"""(H, W, 3) uint8, blue-green-red, oriented as a viewer shows it."""
Mask: TypeAlias = npt.NDArray[np.uint8]
"""(H, W) uint8: a level for each pixel, or whether it counts (not 0)."""

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".jfif", ".png", ".webp", ".bmp", ".tif", ".tiff"})
LOOKED_AT = PICTURE_SUFFIXES | {".heic", ".heif", ".hif", ".avif"}
"""Suffixes looked at in folders: HEIC from an iPhone cannot be read, but skipping it would go unexplained."""
READABLE = "JPEG, PNG, WebP, BMP and TIFF can be read."
SMALLEST_SIDE_PX = 120
"""Below this a cube is under three pixels wide in any framing that shows a whole tray."""
LONGEST_SIDE_PX = 32_767
"""OpenCV's remapping indexes no further; and of a longer strip nothing is left when it is scaled down."""
MOST_SENT_PIXELS = 1 << 25
"""Limit for pictures of 8 bits from the network: about a hundred megabytes during a reading. A JPEG with up
to twice as many pixels, as phones take, is decoded at half its width."""

_HALVED = cv2.IMREAD_REDUCED_GRAYSCALE_2
"""Combined with another flag that tells grey from colour."""
_MOST_OF_12_BITS = 4095
"""Highest raw value of a 12-bit sensor, stored unscaled; only sixteen levels would be left of it."""
_OF_A_CAMERA = "Set the camera to colour (MJPEG or YUYV)."
_PNG_END = b"\0\0\0\0IEND"
"""Length and type of the last chunk of a PNG."""
_BRANDS_OF_HEIF = dict.fromkeys(
    (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1", b"mif2"),
    "an HEIC",
)
_BRANDS_OF_HEIF |= {b"avif": "an AVIF", b"avis": "an AVIF"}
"""Brands from ISO/IEC 23008-12 and the AV1 Image File Format, and what to call such a picture."""


def load_picture(path: Path) -> Picture:
    """Load a picture file as (H, W, 3) uint8 BGR, turned upright. Raises `PictureError`."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise _not_a_file_error(path, mode)
        data = path.read_bytes()
    except FileNotFoundError:
        raise PictureMissingError(f"There is no picture {path}.", "Check the name.", "bad_picture") from None
    except (OSError, ValueError) as error:
        raise _open_error(path, error) from None
    return decode_picture(data, str(path))


def _not_a_file_error(path: Path, mode: int) -> PictureError:
    """The error for something other than a regular file: reading a pipe or a device might never end."""
    if stat.S_ISDIR(mode):
        return PictureError(f"{path} is a folder, not a picture.", "Name a picture in it.", "bad_picture")
    return PictureError(
        f"{path} is not a regular file.", "Save the picture as a file and name that.", "bad_picture"
    )


def _open_error(path: Path, error: OSError | ValueError) -> PictureError:
    """The error for a file that cannot be opened; a `ValueError` means a name that no system accepts."""
    if isinstance(error, ValueError):
        return PictureError(f"{str(path)!r} cannot be the name of a file.", "Check the name.", "bad_picture")
    return PictureError(
        f"{path} cannot be opened ({error.strerror}).", "Check its permissions and the disk.", "bad_picture"
    )


def decode_picture(data: bytes, name: str) -> Picture:
    """Decode a picture file as (H, W, 3) uint8 BGR, upright. Raises `PictureError`, which mentions `name`."""
    _refuse_other_files(data, name)
    return _check_decoded(_decode(data, name), name)


def decode_sent(data: bytes, name: str) -> Picture:
    """Like `decode_picture`, for what any device on the network may send: no TIFF, and little memory."""
    _refuse_other_files(data, name)
    size, is_jpeg = stored_size(data), data.startswith(b"\xff\xd8")
    if size is None and not is_jpeg:
        raise PictureError(f"{name} is a TIFF picture, or damaged.", "Send a JPEG.", "picture_other")
    share = size.pixels * size.bits / (8 * MOST_SENT_PIXELS) if size is not None else 0.0
    if share > (2 if is_jpeg else 1):
        raise _too_large_error(name)
    return _check_decoded(_decode(data, name, _HALVED if share > 1 else 0), name)


def _check_decoded(decoded: npt.NDArray[np.generic] | None, name: str) -> Picture:
    if decoded is None:
        raise PictureError(
            f"{name} is damaged and cannot be read.", "Take or copy the picture again.", "picture_damaged"
        )
    if decoded.ndim == 2:
        raise PictureError(
            f"{name} is a grey picture: without colour the cubes cannot be told apart.",
            "Take it in colour (turn off the camera's black-and-white or night mode).",
            "picture_grey",
        )
    height, width = decoded.shape[:2]
    if min(height, width) < SMALLEST_SIDE_PX:
        raise PictureError(
            f"{name} is only {width}×{height} pixels.",
            "Use at least 320×240, better 1280×960.",
            "picture_small",
        )
    if decoded.dtype == np.uint16 and int(decoded.max()) <= _MOST_OF_12_BITS:
        raise PictureError(
            f"{name} uses no more than 12 of its 16 bits, and would be read as black.",
            "Save it as JPEG; if it is black there too, uncover the lens.",
            "picture_bits",
        )
    return as_bgr8(decoded, name, "Save it as JPEG or PNG, in colour, with 8 bits for each.")


def as_bgr8(pixels: npt.NDArray[np.generic], name: str, remedy: str = _OF_A_CAMERA) -> Picture:
    """Convert decoded pixels to (H, W, 3) uint8 BGR: 16 bits scaled, alpha dropped. Raises `PictureError`."""
    if pixels.dtype == np.uint16:
        pixels = np.floor_divide(pixels, 257, dtype=np.uint16).astype(np.uint8)
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] not in (3, 4):
        raise PictureError(
            f"{name} has shape {pixels.shape} of {pixels.dtype}, not three 8-bit colour channels.",
            remedy,
            "picture_channels",
        )
    return np.ascontiguousarray(pixels[:, :, :3], dtype=np.uint8)


def picture_files(paths: Iterable[Path]) -> list[Path]:
    """The pictures named, or in named folders in name order. `PictureError` if a folder is empty or
    unreadable."""
    found: list[Path] = []
    for path in paths:
        try:
            found += _folder_pictures(path) if path.is_dir() else [path]
        except (OSError, ValueError) as error:
            raise _open_error(path, error) from None
    return found


def is_looked_at(path: Path) -> bool:
    """Whether a file in a folder may be a picture by its name; a hidden one is another program's.

    Android hides photos in the trash as `.trashed-…`, macOS puts `._IMG_1.jpg` beside a picture.
    """
    return path.suffix.lower() in LOOKED_AT and not path.name.startswith(".")


def _folder_pictures(folder: Path) -> Sequence[Path]:
    files = [path for path in folder.iterdir() if is_looked_at(path) and path.is_file()]
    converted = {p.stem for p in files if p.suffix.lower() in PICTURE_SUFFIXES}
    pictures = sorted(p for p in files if p.suffix.lower() in PICTURE_SUFFIXES or p.stem not in converted)
    if not pictures:
        raise PictureError(f"There is no picture in the folder {folder}.", READABLE, "folder_empty")
    return pictures


def _decode(data: bytes, name: str, halved: int = 0) -> npt.NDArray[np.generic] | None:
    # These flags apply the EXIF rotation and drop alpha, but leave grey and 16 bits for us to see.
    flags = cv2.IMREAD_ANYCOLOR | cv2.IMREAD_ANYDEPTH | halved
    try:
        with silenced_stderr():
            decoded = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:  # raised, instead of returning None, for absurd sizes
        raise _too_large_error(name) from None
    if decoded is not None and _is_too_large(*decoded.shape[:2]):
        raise _too_large_error(name)
    return decoded


def _is_too_large(height: int, width: int) -> bool:
    """Checked here too: OpenCV's own limit holds only if it was loaded after this package."""
    return height * width > MOST_PIXELS or max(height, width) > LONGEST_SIDE_PX


def _too_large_error(name: str) -> PictureError:
    return PictureError(
        f"{name} has more pixels than can be read.",
        "Take a smaller one; if it is no larger than others, copy it again.",
        "picture_large",
    )


def _refuse_other_files(data: bytes, name: str) -> None:
    if not data:
        raise PictureError(f"{name} is empty.", "Take or copy the picture again.", "picture_empty")
    if data[4:8] == b"ftyp" and (format_name := _BRANDS_OF_HEIF.get(data[8:12])):
        raise PictureError(
            f"{name} is {format_name} picture, which cannot be read.",
            'Set the phone\'s camera to JPEG ("most compatible") or convert it.',
            "picture_heic",
        )
    if not _has_known_start(data):
        raise PictureError(f"{name} is not a picture.", READABLE, "picture_other")
    jpeg = walk_jpeg(data) if data.startswith(b"\xff\xd8") else None
    if jpeg is Jpeg.GARBLED:
        raise PictureError(
            f"{name} is damaged in its middle.", "Copy or take the picture again.", "picture_damaged"
        )
    if jpeg is Jpeg.CUT or _is_cut_short(data):
        raise PictureError(
            f"{name} is cut short: the end of the picture is missing.",
            "Copy or take the picture again.",
            "picture_cut",
        )


def _has_known_start(data: bytes) -> bool:
    return data.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"BM", b"II*\0", b"MM\0*")) or (
        data[:4] == b"RIFF" and data[8:12] == b"WEBP"
    )


def _is_cut_short(data: bytes) -> bool:
    """Decoders silently fill what is missing with grey, so look for the end first."""
    if data.startswith(b"\x89PNG"):
        return _is_png_cut_short(data)
    if data[:4] == b"RIFF":
        return len(data) < 8 + int.from_bytes(data[4:8], "little")
    if data[:2] == b"BM":
        return len(data) < int.from_bytes(data[2:6], "little")
    return False


def _is_png_cut_short(data: bytes) -> bool:
    """Walk the chunks by their lengths: OpenCV allocates what a length says, up to gigabytes, before it
    looks whether as much is there."""
    at = 8
    while len(data) - at >= len(_PNG_END) and not data.startswith(_PNG_END, at):
        at += 12 + int.from_bytes(data[at : at + 4], "big")
    return not data.startswith(_PNG_END, at)
