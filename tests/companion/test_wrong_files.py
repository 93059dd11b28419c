"""A folder where a file is wanted, a file where a folder is, one of another kind: a sentence says which."""

import os
from errno import EACCES
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.places import profiles_dir

SERVE = "serve --camera none --port-serial none --host 127.0.0.1 --port 0 --board"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, a text and a file that is none; the profile `shut` is a folder."""
    monkeypatch.setenv("TENSHU_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("hello")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe{")
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "labels.json").write_bytes(b"\xff\xfe{")
    (tmp_path / "shut" / "labels.json").mkdir(parents=True)
    (profiles_dir() / "shut.json").mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (f"{SERVE} folder", "folder cannot be read as a board (Is a directory). Check its name"),
        (f"{SERVE} nowhere", "nowhere cannot be read as a board (No such file or directory). Check its"),
        (f"{SERVE} bytes", "bytes cannot be read as a board (it is not text in UTF-8). See"),
        (f"{SERVE} text", "text cannot be read as a board (Expecting value: line 1 column 1 (char 0)). See"),
        ("evaluate odd", "odd/labels.json cannot be read (it is not text in UTF-8). Its format is in"),
        ("evaluate shut", "shut/labels.json cannot be read (Is a directory). Check its permissions"),
        ("synth text -n 1", "text is a file, and pictures go into a folder. Name a new folder."),
        ("firmware tare --port text", "There is no port text. Plug the board in, or find its name with"),
        ("firmware tare --port folder", "There is no port folder. Plug the board in, or find its name"),
    ],
)
@pytest.mark.usefixtures("here")
def test_what_is_of_another_kind_is_told_as_that(
    command: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was told with Python's numbers, as a full disk, or as a board to be unplugged."""
    assert main(command.split()) == 2
    output = capsys.readouterr()
    assert (output.out, output.err.startswith(f"tenshu: {sentence}")) == ("", True), output.err


def test_a_profile_that_may_not_be_read_is_not_to_be_made_anew(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It sent to calibrate again, and the new profile could not have been read either."""
    assert main(["count", "x.jpg", "--profile", "shut"]) == 2
    file = here / "profiles" / "shut.json"
    sentence = f"tenshu: {file} cannot be read (Is a directory). Check its permissions and the disk.\n"
    assert capsys.readouterr().err == sentence


def test_colours_of_nothing_are_not_the_usual_ones(capsys: pytest.CaptureFixture[str]) -> None:
    """As of a script whose variable is empty."""
    for nothing in ("", ","):
        with pytest.raises(SystemExit) as end:
            main(["calibrate", f"--colours={nothing}"])
        assert end.value.code == 2
        assert (
            f"--colours: {nothing!r} names no colour: write them as red,dark-blue" in capsys.readouterr().err
        )


@pytest.mark.parametrize(
    "command",
    [
        "count",
        "count x.jpg --overlay",
        "count x.jpg --profile home --data",
        "evaluate",
        "evaluate . --sheet",
        "mat -o",
        "calibrate --pictures",
        "calibrate --lens",
        "serve --data",
        "serve --board",
        "demo --data",
        "doctor --data",
        "log export -o",
        "firmware flash --hex",
        "synth",
    ],
)
def test_nothing_is_not_the_folder_one_stands_in(
    command: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As of a script whose variable is empty: tables were begun, and pictures drawn, wherever it ran."""
    before = sorted(here.rglob("*"))
    with pytest.raises(SystemExit) as end:
        main([*command.split(), ""])
    assert end.value.code == 2
    assert ": '' names no file and no folder: give a name, or leave it out. Try `" in capsys.readouterr().err
    assert sorted(here.rglob("*")) == before


@pytest.mark.parametrize(
    ("command", "thing"),
    [
        ("firmware tare --port", "port"),
        ("doctor --port-serial", "port"),
        ("serve --port-serial", "port"),
        ("firmware flash --avrdude", "program"),
        ("serve --host", "address"),
        ("demo --host", "address"),
    ],
)
def test_nothing_is_no_port_no_program_and_no_address(
    command: str, thing: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """There was no port "", nothing could be served on ":0", and doctor took it for any port."""
    with pytest.raises(SystemExit) as end:
        main([*command.split(), ""])
    assert end.value.code == 2
    assert f": '' names no {thing}: give a name, or leave it out. Try `" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("mat -o mat.png", "'mat.png' would hold a PDF: name it .pdf."),
        ("mat -o text.txt", "'text.txt' would hold a PDF: name it .pdf."),
        ("mat -o -", "'-' would hold a PDF: name it .pdf."),  # a file of that name is hard to remove
        ("evaluate . --sheet worst.PDF", "'worst.PDF' would hold a picture: name it .png or .jpg or .jpeg."),
    ],
)
def test_nothing_is_written_under_the_ending_of_something_else(
    command: str, sentence: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A PDF stood in a picture's file, which nothing opens, without a word."""
    before = sorted(here.rglob("*"))
    with pytest.raises(SystemExit) as end:
        main(command.split())
    assert end.value.code == 2
    assert sentence in capsys.readouterr().err
    assert sorted(here.rglob("*")) == before
    assert main(["mat", "-o", "MAT.PDF", "--paper", "a4"]) == 0


@pytest.mark.parametrize(
    ("command", "folder"),
    [("log export", "tables"), ("calibrate --list", "profiles"), ("calibrate --remove home", "profiles")],
)
def test_what_may_not_be_looked_into_is_not_empty(
    command: str,
    folder: str,
    here: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another user's folder: the log was a table without a throw, and no profile was there yet; status 0."""
    forbidden = here / "others" / folder
    forbidden.mkdir(parents=True)
    scandir, listdir = os.scandir, os.listdir

    def refuse(path: Any = ".") -> Any:
        raise PermissionError(EACCES, "Permission denied", str(path))

    monkeypatch.setattr(
        "os.scandir", lambda path=".": (refuse if str(path) == str(forbidden) else scandir)(path)
    )
    monkeypatch.setattr(
        "os.listdir", lambda path=".": (refuse if str(path) == str(forbidden) else listdir)(path)
    )
    assert main([*command.split(), "--data", str(here / "others")]) == 2
    output = capsys.readouterr()
    sentence = f"The system refused: Permission denied ({forbidden})."
    remedy = "Give yourself permission to read and write there, or name another place."
    assert (output.out, output.err) == ("", f"tenshu: {sentence} {remedy}\n")
