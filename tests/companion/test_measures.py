"""Lengths that no cube and no tray has are named at the command line, before anything begins."""

from pathlib import Path

import pytest

from companion.cli import main
from companion.measures import cube_mm, from_one, size_mm

IMPOSSIBLE = [
    (option, value)
    for option, values in (
        ("--cube-mm", ("-5", "0", "5", "15", "nan", "inf", "small", "")),
        ("--inner", ("-5x100", "0x0", "17x17", "1700x1700", "nanxnan", "170", "170x170x170", "wide", "")),
    )
    for value in values
]
COMMANDS_WITH = {"--cube-mm": ("calibrate", "synth made"), "--inner": ("calibrate", "mat")}
REMEDY = {"--cube-mm": "give 6 to 14 mm", "--inner": "write width x depth, each 60 to 400 mm, as 170x170"}


@pytest.mark.parametrize(("option", "value"), IMPOSSIBLE)
def test_a_length_that_cannot_be_is_one_sentence_with_what_may_be_given(
    capsys: pytest.CaptureFixture[str], option: str, value: str
) -> None:
    """By every command that takes it; exit status 2."""
    for command in COMMANDS_WITH[option]:
        with pytest.raises(SystemExit) as end:
            main([*command.split(), f"{option}={value}"])
        assert end.value.code == 2
        [line] = capsys.readouterr().err.splitlines()
        assert f"{option}: {value!r} is not a" in line
        assert REMEDY[option] in line


@pytest.mark.parametrize(
    "arguments",
    [
        ["synth", "made", "--seed=-1"],
        ["synth", "made", "-n", "many"],
        ["evaluate", "made", "--worst", "0"],
        ["firmware", "monitor", "--every", "0"],
        ["firmware", "monitor", "--every", "81"],
        ["firmware", "calibrate", "--cubes", "1000"],
        ["firmware", "calibrate", "--singles=-3"],
        ["firmware", "flash", "--baud", "0"],
    ],
)
def test_a_number_that_cannot_be_is_one_sentence_with_what_may_be_given(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert "will not do: give a whole number, " in capsys.readouterr().err


@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "soon"])
def test_a_time_that_cannot_be_is_one_sentence_with_what_may_be_given(
    capsys: pytest.CaptureFixture[str], value: str
) -> None:
    """`--seconds 0` watched for ever, and `nan` not at all."""
    with pytest.raises(SystemExit) as end:
        main(["firmware", "monitor", f"--seconds={value}"])
    assert end.value.code == 2
    assert f"--seconds: {value!r} is not a time: give seconds, more than 0, as 30" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["count", "evaluate"])
@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("rtsp://user:password@host/x", "rtsp://host/x"),
        ("HTTP://user:password@phone:8080/video", "http://phone:8080/video"),
        ("https://host/snap.cgi?pwd=password", "https://host/snap.cgi…"),
        ("0", "0"),
        ("/dev/video63", "/dev/video63"),
    ],
)
def test_who_names_a_camera_where_files_are_read_is_told_what_reads_it(
    capsys: pytest.CaptureFixture[str], command: str, given: str, name: str
) -> None:
    """It said "There is no picture rtsp:/user:password@host/x. Check the name."."""
    assert main([command, given]) == 2
    assert capsys.readouterr().err == (
        f"tenshu: {name} is a camera, and only files are read here. "
        "Look at it with `tenshu doctor --camera …`, or play with `tenshu serve --camera …`.\n"
    )


def test_a_folder_that_is_called_as_a_camera_is_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Folders of throws are numbered."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "0").mkdir()
    assert main(["count", "0"]) == 2
    assert "There is no picture in the folder 0." in capsys.readouterr().err


def test_lengths_and_numbers_are_taken_as_people_write_them() -> None:
    assert (cube_mm("8"), cube_mm("7.5"), from_one("12")) == (8.0, 7.5, 12)
    assert size_mm("170x170") == size_mm("170×170") == size_mm("170 X 170") == (170.0, 170.0)
    assert size_mm("150x120.5") == (150.0, 120.5)
