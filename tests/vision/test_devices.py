"""Video devices as Linux lists them, in particular those of a Raspberry Pi."""

import sys
from pathlib import Path

import pytest

from vision.errors import CameraError
from vision.sources import captures
from vision.sources.captures import open_usb
from vision.sources.devices import cameras, is_boards_own


@pytest.fixture
def pi(tmp_path: Path) -> tuple[Path, Path]:
    """A Raspberry Pi's devices as its kernel lists them: a USB webcam, the module's sensor, a decoder."""
    devices, listed = tmp_path / "dev", tmp_path / "sys" / "class" / "video4linux"
    for number, name, bus, index in (
        (0, "HD Pro Webcam C920", "usb", 0),
        (1, "HD Pro Webcam C920", "usb", 1),
        (2, "unicam-image", "platform", 0),
        (3, "mmal service 16.1", "platform", 0),
        (4, "Dummy video device (0x0000)", "", 0),
        (10, "bcm2835-codec-decode", "platform", 0),
    ):
        entry = listed / f"video{number}"
        entry.mkdir(parents=True)
        (entry / "index").write_text(f"{index}\n")
        (entry / "name").write_text(f"{name}\n")
        if bus:
            (bus_folder := tmp_path / "sys" / "bus" / bus).mkdir(parents=True, exist_ok=True)
            (entry / "device").mkdir()
            (entry / "device" / "subsystem").symlink_to(bus_folder)
        devices.mkdir(exist_ok=True)
        (devices / f"video{number}").touch()
    return devices, listed


@pytest.mark.skipif(sys.platform != "linux", reason="what Linux lists")
def test_a_name_that_is_no_number_is_left_out(pi: tuple[Path, Path]) -> None:
    """A rule of udev may add one; the list of cameras ended in an error."""
    devices, listed = pi
    found = cameras(devices, listed)
    (devices / "video0-front").touch()
    assert cameras(devices, listed) == found


@pytest.mark.skipif(sys.platform != "linux", reason="what Linux lists")
def test_parts_of_a_board_are_no_cameras(pi: tuple[Path, Path]) -> None:
    """On a Raspberry Pi the doctor used to try a dozen decoders and report a fault for each."""
    devices, listed = pi
    assert cameras(devices, listed) == ["0", "3", "4"]
    (devices / "webcam").symlink_to(devices / "video2")
    assert is_boards_own(devices / "webcam", listed)


@pytest.mark.parametrize(("boards", "key"), [(True, "module"), (False, "busy")])
def test_a_camera_module_is_told_from_a_camera_that_another_uses(
    boards: bool, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ "Is another program using it?" sent people with a Raspberry Pi looking for one."""
    monkeypatch.setattr(captures, "is_boards_own", lambda device: boards and device == Path("/dev/null"))
    with pytest.raises(CameraError) as refusal:
        open_usb("/dev/null")
    assert refusal.value.key == key
