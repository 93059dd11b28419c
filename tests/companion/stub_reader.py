"""A reader that always says the same: the commands are tested apart from the reader's skill."""

import pytest

from vision.pictures import Picture
from vision.reading import Doubt, SeenCube, TrayReading


class StubReader:
    """Two red cubes and a black one; dark pictures have no tray, and it asks."""

    def read(self, picture: Picture) -> TrayReading:
        height, width = picture.shape[:2]
        dark = float(picture.mean()) < 30
        red = SeenCube("red", (20.0, 30.0), ((16.0, 26.0), (24.0, 26.0), (24.0, 34.0)), (-3.0, 4.0), 0.98)
        return TrayReading(
            counts={"red": 0, "black": 0} if dark else {"red": 2, "black": 1},
            cubes=() if dark else (red,),
            confidence={"red": 0.9, "black": 0.8},
            certain=not dark,
            doubts=(Doubt.NO_TRAY,) if dark else (),
            mat_seen=True,
            tray_outline_px=() if dark else ((0.0, 0.0), (50.0, 0.0), (50.0, 50.0)),
            cube_mm=8.0,
            size_px=(width, height),
        )


@pytest.fixture
def stub_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the stub where the commands look for the reader."""
    monkeypatch.setattr("companion.readers.TrayReader", StubReader)
