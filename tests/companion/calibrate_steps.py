"""Pictures of a calibration's steps, and a place of their own for the profiles that tests make."""

from pathlib import Path

import cv2
import pytest

from tests.calibration.test_profile import COLOURS, EMPTY, with_cubes
from tests.companion.stub_reader import StubReader
from vision.pictures import Picture

FROM_PICTURES = ["calibrate", "--yes", "--pictures"]


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Profiles of the tests stay in the tests."""
    monkeypatch.setenv("TENSHU_DATA", str(tmp_path / "data"))
    monkeypatch.setattr("companion.calibrating.reader_of", lambda profile: StubReader())


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "steps"
    folder.mkdir()
    steps: dict[str, Picture] = {"empty": EMPTY, **{c: with_cubes(bgr) for c, bgr in COLOURS.items()}}
    for step, picture in {**steps, "test": with_cubes(COLOURS["red"], number=2)}.items():
        cv2.imwrite(str(folder / f"{step}.png"), picture)
    return folder
