"""Pictures marked with what was seen, and a folder of them."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from calibration.profiles.profile import Point
from calibration.written import atomic_output, check_writable
from vision.errors import PictureError
from vision.overlay import draw_reading
from vision.pictures import Picture
from vision.reading import TrayReading

_MARK_BGR = (0, 255, 255)
_RING = 0.028
"""Share of the picture's width: larger than a cube from any height."""


def draw_outlines(picture: Picture, outline: Sequence[Point], cubes: Sequence[Point] = ()) -> Picture:
    """Return a copy, (H, W, 3) uint8 BGR, with the tray's outline and a ring around each cube."""
    drawn, width = picture.copy(), max(2, picture.shape[1] // 400)
    if outline:
        points = np.round(np.array(outline)).astype(np.int32)
        cv2.polylines(drawn, [points], True, _MARK_BGR, width, cv2.LINE_AA)
    for x, y in cubes:
        radius = round(_RING * picture.shape[1])
        cv2.circle(drawn, (round(x), round(y)), radius, (0, 0, 0), 2 * width, cv2.LINE_AA)
        cv2.circle(drawn, (round(x), round(y)), radius, _MARK_BGR, width, cv2.LINE_AA)
    return drawn


class OverlayFolder:
    """Creates the folder, then one JPEG per picture. Raises `PictureError` or `WriteError`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._written: set[Path] = set()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            check_writable(folder / "seen.jpg", "another folder with --overlay")
        except OSError as error:
            raise PictureError(
                f"The overlay folder {folder} cannot be made ({error.strerror}).",
                "Name another with --overlay.",
            ) from None

    def draw(self, source: Path, picture: Picture, reading: TrayReading) -> Path:
        """Draw one reading; pictures with the same name from two folders do not overwrite each other."""
        target = self.folder / f"{source.stem}-seen.jpg"
        number = 2
        while target in self._written:
            target = self.folder / f"{source.stem}-{number}-seen.jpg"
            number += 1
        self._written.add(target)
        _, data = cv2.imencode(".jpg", draw_reading(picture, reading))
        with atomic_output(target, "another folder with --overlay") as part:
            part.write_bytes(data.tobytes())
        return target
