"""A folder of pictures with what was seen marked on them."""

from pathlib import Path

import cv2

from calibration.written import check, whole
from vision.errors import PictureError
from vision.overlay import draw_reading
from vision.pictures import Picture
from vision.reading import TrayReading


class OverlayFolder:
    """Makes the folder, then one JPEG a picture. Raises `PictureError`, `WriteError` when it cannot be."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._mine: set[Path] = set()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            check(folder / "seen.jpg", "another folder with --overlay")
        except OSError as error:
            raise PictureError(
                f"The overlay folder {folder} cannot be made ({error.strerror}).",
                "Name another with --overlay.",
            ) from None

    def draw(self, source: Path, picture: Picture, reading: TrayReading) -> Path:
        """Draw one reading; pictures of one name from two folders do not overwrite each other."""
        target = self.folder / f"{source.stem}-seen.jpg"
        number = 2
        while target in self._mine:
            target = self.folder / f"{source.stem}-{number}-seen.jpg"
            number += 1
        self._mine.add(target)
        _, data = cv2.imencode(".jpg", draw_reading(picture, reading))
        with whole(target, "another folder with --overlay") as part:
            part.write_bytes(data.tobytes())
        return target
