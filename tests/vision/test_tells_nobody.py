"""Reading a picture leaves nothing in the home folder and sends nothing to anybody."""

import os
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from tests.vision.drawn_tray import drawn_tray

_READS = """
import sys
from pathlib import Path
from vision.pictures import load_picture
from vision.reader import TrayReader
assert TrayReader().read(load_picture(Path(sys.argv[1]))).total == 2
"""


@pytest.mark.parametrize("said", ["", "0"])
def test_a_reading_leaves_no_file_in_the_home(tmp_path: Path, said: str) -> None:
    """ONNX Runtime 1.31 stored a device id there and looked up `mobile.events.data.microsoft.com`."""
    pytest.importorskip("onnxruntime")
    picture, home = tmp_path / "tray.png", tmp_path / "home"
    home.mkdir()
    cv2.imwrite(str(picture), drawn_tray([("red", 0, 0), ("blue", 30, 0)]))
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORT_"))}
    own = {
        "HOME": str(home),
        "PYTHONDONTWRITEBYTECODE": "1",
        **({"ORT_DISABLE_TELEMETRY": said} if said else {}),
    }
    subprocess.run([sys.executable, "-c", _READS, str(picture)], env=kept | own, check=True)
    assert list(home.rglob("*")) == []
