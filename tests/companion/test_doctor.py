"""The doctor: what is there, what is missing, what to do."""

import json
import time
from dataclasses import replace
from itertools import count
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profiles.learn import learn
from calibration.profiles.profile import save
from calibration.profiles.taught import reader_of
from calibration.synth import Options
from calibration.synth.render import render_scene
from calibration.synth.scene import Plastic
from calibration.synth.staged import StagedTable
from companion import doctor, doctor_camera
from companion.cli import main
from companion.doctor import (
    check_disk,
    check_libraries,
    check_python,
    check_serial_ports,
    examine,
)
from companion.doctor_camera import check_light_lock, check_picture
from companion.findings import Finding, Level
from companion.places import profiles_dir
from tests.calibration.moves import lined
from tests.calibration.test_profile import EMPTY, learned, moved
from tests.patience import PATIENCE_S
from tests.vision.mat_picture import mat_picture
from tests.vision.test_lightlock import Webcam
from vision.advice import ADVICE
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.reading import Doubt
from vision.scene.fiducials import find_fiducials
from vision.scene.plane import project
from vision.scene.rectify import rectify
from vision.sources import LockState
from vision.sources.lightlock import LightLock
from vision.sources.live import LiveSource

READER = TrayReader()
PLAIN = Options(size_px=(960, 720), tray="square", light="daylight", plain=True)
ON_MAT = StagedTable(12, replace(PLAIN, mat=True, plastic="clear"))
THROWN: Picture = ON_MAT.render_thrown({"red": 2, "blue": 2, "yellow": 1}, 8)[0]
SKIN_BGR = (118, 150, 205)


def findings_of(picture: Picture) -> dict[str, Finding]:
    return {finding.what: finding for finding in check_picture(picture, READER)}


def on_mat(*places_mm: tuple[float, float]) -> np.ndarray:
    """Pixels of places on the mat of `THROWN`."""
    fiducials = find_fiducials(THROWN)
    assert fiducials is not None
    return np.round(project(np.array(places_mm), fiducials.to_px)).astype(np.int32)


def with_hand() -> Picture:
    """It reaches in from the left."""
    covered = THROWN.copy()
    begin, end = on_mat((-140, 40), (-20, 20)).tolist()
    cv2.line(covered, begin, end, SKIN_BGR, 46, cv2.LINE_AA)
    return covered


def with_card_on_marker() -> Picture:
    """On the marker in the upper left."""
    covered = THROWN.copy()
    card = on_mat((-140, -104), (-104, -104), (-104, -72), (-140, -72))
    cv2.fillConvexPoly(covered, card, (60, 90, 60))
    return covered


def one_corner() -> Picture:
    """The whole tray, and of the mat one marker: the others are out of the picture."""
    across, down = (int(v) for v in on_mat((105, 75))[0])
    return np.ascontiguousarray(THROWN[: down + 8, : across + 8])


def pushed() -> Picture:
    """The tray stands beside the middle of the mat."""
    scene = ON_MAT.scene
    return render_scene(replace(scene, tray=replace(scene.tray, centre_mm=(14.0, 9.0))), 3)[0]


def without_mat(plastic: Plastic) -> Picture:
    """Six cubes on the bare table."""
    return StagedTable(12, replace(PLAIN, mat=False, plastic=plastic)).render_thrown(
        {"red": 3, "blue": 3}, 8
    )[0]


def test_good_picture_has_nothing_to_complain_of() -> None:
    """Mat, light and tray are well, and what lies there is read."""
    findings = findings_of(THROWN)
    assert set(findings) == {"mat", "light", "tray", "reading", "pace"}
    assert all(finding.level is Level.OK for what, finding in findings.items() if what != "pace")
    assert "2 red, 2 blue, 1 yellow" in findings["reading"].sentence


@pytest.mark.parametrize(("took_s", "level"), [(0.0625, Level.OK), (2.0, Level.NOTE)])
def test_how_long_a_reading_takes_here_is_told(took_s: float, level: Level) -> None:
    """Whether a single-board computer is fast enough nobody knew before the first throw."""
    ticks = iter((5.0, 5.0 + took_s))
    *_, finding = check_picture(THROWN, READER, lambda: next(ticks))
    assert (finding.what, finding.level) == ("pace", level)
    assert f"takes {1000 * took_s:.0f} ms on this computer" in finding.sentence


@pytest.mark.parametrize(
    ("picture", "what", "level", "remedy"),
    [
        (np.zeros((480, 640, 3), np.uint8), "picture", Level.FAULT, "lens cap"),
        (mat_picture()[:, ::-1].copy(), "picture", Level.FAULT, "mirroring"),
        (mat_picture(hidden_markers=(0, 1, 2))[:, ::-1].copy(), "picture", Level.FAULT, "mirroring"),
        (mat_picture()[:, :, ::-1].copy(), "picture", Level.FAULT, "MJPEG"),
    ],
    ids=["lens cap", "mirrored", "mirrored, one marker", "red for blue"],
)
def test_each_fault_has_its_remedy(picture: Picture, what: str, level: Level, remedy: str) -> None:
    """What is seen, and what helps; a picture that cannot be read is not read."""
    [finding] = check_picture(picture, READER)
    assert (finding.what, finding.level) == (what, level)
    assert remedy in finding.remedy


def lined_with_blue() -> Picture:
    """Felt in one of the game's colours."""
    options = Options((960, 720), mat=True, plastic="black", tray="square")
    return (
        StagedTable(3100005, options)
        .with_scene_change(lambda scene: lined(scene, (35, 80, 160)))
        .render_empty()
    )


@pytest.mark.parametrize(
    ("picture", "what", "level", "doubt"),
    [
        (with_hand(), "reading", Level.FAULT, Doubt.HAND),
        (cv2.GaussianBlur(THROWN, (0, 0), 9), "reading", Level.FAULT, Doubt.BLURRED),
        (with_card_on_marker(), "mat", Level.NOTE, Doubt.MAT_COVERED),
        (mat_picture(light=(0.2, 0.2, 0.2)), "light", Level.FAULT, Doubt.TOO_DARK),
        (mat_picture(light=(1.4, 1.4, 1.4)), "light", Level.NOTE, Doubt.TOO_BRIGHT),
        (pushed(), "reading", Level.NOTE, Doubt.TRAY_MOVED),
        (mat_picture(tray_grey=35), "tray", Level.NOTE, Doubt.BLACK_ON_BLACK),
        (lined_with_blue(), "tray", Level.NOTE, Doubt.LIKE_FLOOR),
        (without_mat("black"), "tray", Level.NOTE, Doubt.BLACK_ON_BLACK),
        (np.full((480, 640, 3), (90, 120, 140), np.uint8), "reading", Level.FAULT, Doubt.NO_TRAY),
        (THROWN[:, : 6 * THROWN.shape[1] // 10].copy(), "reading", Level.FAULT, Doubt.TRAY_CUT),
    ],
    ids=[
        "hand", "blurred", "marker covered", "too dark", "too bright", "tray pushed", "dark tray", "felt",
        "dark tray without a mat", "no tray", "tray cut",
    ],
)  # fmt: skip
def test_what_spoils_a_reading_is_said_as_on_every_page(
    picture: Picture, what: str, level: Level, doubt: Doubt
) -> None:
    """The same sentence and remedy as where a person is asked."""
    findings = [
        (finding.what, finding.sentence, finding.remedy)
        for finding in check_picture(picture, READER)
        if finding.level is level
    ]
    assert (what, ADVICE[doubt].sentence, ADVICE[doubt].remedy) in findings


def test_markers_out_of_the_picture_are_not_covered() -> None:
    """The camera has to be moved, and not a card."""
    finding = findings_of(one_corner())["mat"]
    assert finding.level is Level.NOTE
    assert "marker 1, 2, 3 is missing" in finding.sentence
    assert "all four" in finding.remedy


def test_what_was_said_of_the_light_is_not_said_twice() -> None:
    """But that the reader would ask."""
    picture = mat_picture(light=(0.15, 0.15, 0.15))
    assert Doubt.TOO_DARK in READER.read(picture).doubts
    finding = findings_of(picture)["reading"]
    assert (finding.level, finding.sentence) == (Level.NOTE, "The reader would ask a person.")


def test_a_light_tray_without_a_mat_needs_no_inlay() -> None:
    """Clear plastic on wood."""
    assert findings_of(without_mat("clear"))["tray"].level is Level.OK


def test_missing_mat_is_a_note_with_two_ways_out() -> None:
    """Print it, or calibrate the tray."""
    rng = np.random.default_rng(1)
    finding = findings_of(rng.integers(60, 200, (480, 640, 3), dtype=np.uint8))["mat"]
    assert finding.level is Level.NOTE
    assert "tenshu mat" in finding.remedy
    assert "tenshu calibrate" in finding.remedy


def test_a_tray_that_was_calibrated_without_the_mat_needs_neither() -> None:
    """It was told to print one or to calibrate, each time."""
    empty = StagedTable(12, replace(PLAIN, mat=False, plastic="clear")).render_empty()
    flat = rectify(empty)
    assert flat is not None
    reader = reader_of(learn(empty, flat.tray, {}, name="bare", made=""))
    [finding] = [found for found in check_picture(without_mat("clear"), reader) if found.what == "mat"]
    assert (finding.level, finding.remedy) == (Level.OK, "")
    assert "calibrated" in finding.sentence


@pytest.mark.parametrize(
    ("free", "level"), [(10_000_000, Level.FAULT), (300_000_000, Level.NOTE), (10**10, Level.OK)]
)
def test_disk_is_measured_where_games_are_kept(tmp_path: Path, free: int, level: Level) -> None:
    """The folder need not exist yet."""
    finding = check_disk(tmp_path / "not" / "yet", lambda _: free)
    assert finding.level is level
    assert (finding.remedy == "") == (level is Level.OK)


def test_a_folder_that_cannot_be_written_is_a_fault(tmp_path: Path) -> None:
    """A file is in the way; and a file system in which nobody writes."""
    (tmp_path / "tenshu").write_text("a file")
    for folder in (tmp_path / "tenshu" / "data", Path("/proc/tenshu")):
        finding = check_disk(folder)
        assert finding.level is Level.FAULT
        assert str(folder) in finding.sentence
        assert "TENSHU_DATA" in finding.remedy


def test_where_the_load_cells_port_is_named_no_other_is_spoken_of(tmp_path: Path) -> None:
    """It was said that there is no port and so no load cell, and then that one answers on the port named."""
    findings = list(examine([], tmp_path, None, str(tmp_path / "ttyNONE")))
    assert "serial" not in {finding.what for finding in findings}
    assert "ttyNONE" in " ".join(finding.sentence for finding in findings)


def test_what_is_played_without_is_not_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """There was no port none, and 'none' was neither a camera nor a file; `tenshu serve` takes both words."""
    monkeypatch.setenv("TENSHU_DATA", str(tmp_path))
    assert main(["doctor", "--camera", "none", "--port-serial", "none"]) == 0
    stdout = capsys.readouterr().out
    assert "Without a load cell the camera alone counts." in stdout
    assert "Without a camera you count by hand." in stdout
    assert "serial " not in stdout.replace("pyserial", "")
    auto, left_out = (examine([], tmp_path, None, port) for port in ("auto", None))
    sentences = [finding.sentence for finding in auto if finding.what != "disk"]  # others fill it meanwhile
    assert sentences == [finding.sentence for finding in left_out if finding.what != "disk"]


def test_a_library_that_is_missing_is_not_looked_for_under_this_name_elsewhere() -> None:
    """Whoever owns that name in the package index, it is not this Tenshu."""
    [finding] = check_libraries(["no-such-library"])
    assert finding.level is Level.FAULT
    assert "pip install" not in finding.remedy


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


def test_who_names_no_camera_has_those_looked_at_that_the_system_lists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "cameras", lambda: ["97", "98"])
    sentences = [finding.sentence for finding in examine(None, tmp_path) if finding.what == "camera"]
    assert sentences == ["USB camera 97 is not plugged in.", "USB camera 98 is not plugged in."]


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
    assert {"python", "library", "disk", "serial", "camera", "mat", "light", "tray", "reading", "pace"} == {
        finding["what"] for finding in body["findings"]
    }


@pytest.mark.parametrize("spec", ["97", "nothing"])
def test_command_ends_with_2_on_a_fault(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A camera that is not there, and a name that is none."""
    assert main(["doctor", "--json", "--camera", spec]) == 2
    body = json.loads(capsys.readouterr().out)
    assert body["well"] is False
    assert body["findings"][-1]["remedy"]


@pytest.mark.parametrize("command", ["doctor", "calibrate"])
def test_a_phone_is_a_camera_only_at_a_table(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It was said to be neither a camera nor a file."""
    assert main([command, "--camera", "phone"]) == 2
    printed = "".join(capsys.readouterr())
    assert "A phone is the camera only while a table is served." in printed
    assert "Start `tenshu serve --camera phone` and open its Camera page, or Calibrate." in printed


@pytest.mark.parametrize(
    ("webcam", "level", "words"),
    [
        (Webcam(), Level.OK, "are locked"),
        (Webcam(obeys=False), Level.NOTE, "cannot lock"),
        (Webcam(refuses=cv2.CAP_PROP_AUTO_WB), Level.NOTE, "only one of"),
        (None, Level.NOTE, "cannot be locked from here"),
    ],
    ids=["webcam", "takes no orders", "knows no white balance", "network"],
)
def test_whether_the_light_is_held_is_said(webcam: Webcam | None, level: Level, words: str) -> None:
    """After the automatic had its time."""
    source = LiveSource("a camera", lambda: OpenCamera(webcam))
    try:
        assert source.read(PATIENCE_S) is not None
        [finding] = check_light_lock(source, lambda: 0.0)
    finally:
        source.close()
    assert finding.level is level
    assert words in finding.sentence
    assert (finding.remedy == "") == (level is Level.OK)


class OpenCamera:
    """A camera that is open; without a webcam's controls it is one of the network."""

    def __init__(self, webcam: Webcam | None) -> None:
        self._webcam = webcam or Webcam()
        self._lock = LightLock(webcam, count(step=0.1).__next__) if webcam else None

    @property
    def light(self) -> LockState:
        return self._lock.state if self._lock else LockState.ELSEWHERE

    def read(self) -> Picture:
        picture = self._webcam.picture()
        if self._lock:
            self._lock.feed(picture)
        return picture

    def close(self) -> None:
        pass


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
    covered = EMPTY.copy()
    fiducials = find_fiducials(EMPTY)
    assert fiducials is not None
    for corners in fiducials.markers_px.values():
        x, y, width, height = cv2.boundingRect(np.asarray(corners, np.float32))
        covered[y - 4 : y + height + 4, x - 4 : x + width + 4] = 200
    cv2.imwrite(str(camera / "a.png"), covered)
    assert main(arguments) == 0
    assert "the light cannot be compared" in capsys.readouterr().out
    cv2.imwrite(str(camera / "a.png"), np.zeros_like(EMPTY))
    assert main(arguments) == 2
    printed = capsys.readouterr().out
    assert "all black" in printed
    assert "calibrat" not in printed, "it would contradict the fault"


def test_a_camera_that_repeats_one_picture_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """All was well, as the picture is."""

    class Frozen(OpenCamera):
        def read(self) -> Picture:
            time.sleep(0.05)
            return EMPTY

    monkeypatch.setattr(doctor_camera, "open_camera", lambda _: LiveSource("a camera", lambda: Frozen(None)))
    findings = list(doctor_camera.check_camera("0"))
    assert [finding.what for finding in findings] == ["camera", "picture"]
    assert "the same picture" in findings[-1].sentence
