"""The doctor: what is there, what is missing, what to do."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import save
from companion.cli import main
from companion.doctor import (
    check_disk,
    check_libraries,
    check_picture,
    check_python,
    check_serial_ports,
    examine,
)
from companion.findings import Finding, Level
from companion.places import profiles_dir
from tests.calibration.test_profile import EMPTY, learned, moved
from tests.vision.mat_picture import mat_picture
from vision.pictures import Picture
from vision.sources import Frame


def findings_of(picture: Picture) -> dict[str, Finding]:
    return {finding.what: finding for finding in check_picture(Frame(picture, 0.0, 0))}


def test_good_picture_has_nothing_to_complain_of() -> None:
    """Mat, light and tray are well."""
    findings = findings_of(mat_picture())
    assert set(findings) == {"mat", "light", "tray"}
    assert all(f.level is Level.OK for f in findings.values())


@pytest.mark.parametrize(
    ("picture", "what", "level", "remedy"),
    [
        (np.zeros((480, 640, 3), np.uint8), "picture", Level.FAULT, "lens cap"),
        (mat_picture()[:, ::-1].copy(), "picture", Level.FAULT, "mirroring"),
        (mat_picture(hidden_markers=(2,)), "mat", Level.NOTE, "all four"),
        (mat_picture(light=(0.2, 0.2, 0.2)), "light", Level.FAULT, "lamp"),
        (mat_picture(light=(1.4, 1.4, 1.4)), "light", Level.NOTE, "exposure"),
        (mat_picture(tray_grey=35), "tray", Level.NOTE, "tenshu mat --inlay"),
    ],
    ids=["lens cap", "mirrored", "marker covered", "too dark", "too bright", "dark tray"],
)
def test_each_fault_has_its_remedy(picture: Picture, what: str, level: Level, remedy: str) -> None:
    """What is seen, and what helps."""
    finding = findings_of(picture)[what]
    assert finding.level is level
    assert remedy in finding.remedy


def test_missing_mat_is_a_note_with_two_ways_out() -> None:
    """Print it, or calibrate the tray."""
    rng = np.random.default_rng(1)
    finding = findings_of(rng.integers(60, 200, (480, 640, 3), dtype=np.uint8))["mat"]
    assert finding.level is Level.NOTE
    assert "tenshu mat" in finding.remedy
    assert "tenshu calibrate" in finding.remedy


@pytest.mark.parametrize(
    ("free", "level"), [(10_000_000, Level.FAULT), (300_000_000, Level.NOTE), (10**10, Level.OK)]
)
def test_disk_is_measured_where_games_are_kept(tmp_path: Path, free: int, level: Level) -> None:
    """The folder need not exist yet."""
    finding = check_disk(tmp_path / "not" / "yet", lambda _: free)
    assert finding.level is level
    assert (finding.remedy == "") == (level is Level.OK)


def test_old_python_and_missing_library_are_faults() -> None:
    """The two things nothing works without."""
    assert check_python((3, 10)).level is Level.FAULT
    [finding] = check_libraries(["no-such-library-at-all"])
    assert finding.level is Level.FAULT


def test_no_load_cell_is_only_a_note() -> None:
    """The camera alone will do."""
    [finding] = check_serial_ports([])
    assert finding.level is Level.NOTE
    [finding] = check_serial_ports([("/dev/ttyUSB0", "CP2102")])
    assert "/dev/ttyUSB0" in finding.sentence


def test_no_camera_is_a_fault_that_names_the_way_without(tmp_path: Path) -> None:
    """By phone, or by hand."""
    findings = list(examine([], tmp_path))
    assert findings[-1].what == "camera"
    assert findings[-1].level is Level.FAULT
    assert "by hand" in findings[-1].remedy


def test_command_reports_a_camera_as_lines_and_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder stands in for the camera."""
    cv2.imwrite(str(tmp_path / "a.png"), mat_picture())
    assert main(["doctor", "--camera", str(tmp_path)]) == 0
    assert "891×630" in capsys.readouterr().out
    assert main(["doctor", "--json", "--camera", str(tmp_path)]) == 0
    body = json.loads(capsys.readouterr().out)
    assert body["well"] is True
    assert {"python", "library", "disk", "serial", "camera", "mat", "light", "tray"} == {
        finding["what"] for finding in body["findings"]
    }


@pytest.mark.parametrize("spec", ["97", "nothing"])
def test_command_ends_with_2_on_a_fault(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A camera that is not there, and a name that is none."""
    assert main(["doctor", "--json", "--camera", spec]) == 2
    body = json.loads(capsys.readouterr().out)
    assert body["well"] is False
    assert body["findings"][-1]["remedy"]


def test_moved_camera_is_a_note_when_there_is_a_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As calibrated at first; then somebody bumps the table."""
    monkeypatch.setenv("TENSHU_DATA", str(tmp_path / "data"))
    save(learned(), profiles_dir())
    camera = tmp_path / "camera"
    camera.mkdir()
    cv2.imwrite(str(camera / "a.png"), EMPTY)
    arguments = ["doctor", "--camera", str(camera), "--profile", "home"]
    assert main(arguments) == 0
    assert "as calibrated on 2026-11-21 (home)" in capsys.readouterr().out
    cv2.imwrite(str(camera / "a.png"), moved(EMPTY, 25, 0))
    assert main(arguments) == 0
    assert "has moved since the calibration" in capsys.readouterr().out
