"""`tenshu calibrate` from the command line, with pictures and with a person."""

import os
import subprocess
import sys
import threading
import unicodedata
from pathlib import Path

import cv2
import pytest

from calibration.profiles.profile import load, names
from companion.cli import main
from companion.commands import terminal
from companion.commands.terminal import FolderEyes
from companion.places import profiles_dir
from tests.calibration.test_lens import TURNS, board_seen
from tests.calibration.test_profile import EMPTY
from tests.companion.calibrate_steps import FROM_PICTURES, own_data, pictures
from tests.companion.stub_reader import stub_reader
from tests.companion.test_calibrating import without_mat
from tests.vision.cameras import AsleepPhone
from vision.errors import CameraError
from vision.pictures import Picture, load_picture

__all__ = ["own_data", "pictures", "stub_reader"]
pytestmark = pytest.mark.usefixtures("stub_reader")


def test_profile_is_made_from_pictures(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --yes: no question, a profile, a verdict."""
    assert main([*FROM_PICTURES, str(pictures), "--colours", "red,black,yellow", "--name", "home"]) == 0
    profile = load("home", profiles_dir())
    assert set(profile.colours) == {"red", "black", "yellow"}
    assert profile.cube_mm == 8.0
    assert "certain" in capsys.readouterr().out
    assert main(["calibrate", "--list"]) == 0
    [row] = capsys.readouterr().out.splitlines()
    assert row.split("  ")[0] == "home"
    assert row.endswith("red, black, yellow  with the mat")


def test_a_picture_is_known_by_its_name_however_its_ending_is_written(pictures: Path) -> None:
    """As phones and cameras write it: empty.PNG, Red.JPG."""
    for picture in list(pictures.iterdir()):
        picture.rename(pictures / f"{picture.stem.title()}.PNG")
    assert main([*FROM_PICTURES, str(pictures), "--colours", "red,black,yellow"]) == 0
    assert set(load("table", profiles_dir()).colours) == {"red", "black", "yellow"}


@pytest.mark.parametrize("colour", ["grün", "жёлтый", "лиловый", "नीला", "สีแดง"])
def test_a_colour_is_known_by_its_name_in_any_script(pictures: Path, colour: str) -> None:
    """A Mac takes ü and ё apart in the names of files; vowels of Hindi and Thai are signs and no letters."""
    (pictures / "yellow.png").rename(pictures / f"{unicodedata.normalize('NFD', colour)}.png")
    assert main([*FROM_PICTURES, str(pictures), "--colours", f"red,black,{colour.title()}"]) == 0
    assert set(load("table", profiles_dir()).colours) == {"red", "black", colour}


def test_a_colour_whose_picture_is_missing_is_left_out_and_one_that_is_damaged_told(
    pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A picture that was copied badly is not one that nobody took."""
    (pictures / "yellow.png").unlink()
    assert main([*FROM_PICTURES, str(pictures), "--colours", "red,black,yellow"]) == 0
    assert "There is no picture of yellow cubes" in capsys.readouterr().out
    (pictures / "yellow.jpg").write_bytes((pictures / "red.png").read_bytes()[:3000])
    assert main([*FROM_PICTURES, str(pictures), "--colours", "red,black,yellow"]) == 2
    assert "yellow.jpg is cut short" in capsys.readouterr().err


@pytest.mark.parametrize("named", ["nowhere", "empty.jpg"])
def test_pictures_that_are_in_no_folder_are_told_before_anything_is_asked(
    named: str, pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file was told as `empty.jpg/empty.jpg`, whose permissions were to be looked at."""
    assert main([*FROM_PICTURES, str(pictures / named)]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(
        f"tenshu: There is no folder {pictures / named}. Name one that holds a picture of"
    )


def test_of_pictures_the_person_is_asked_as_before_a_camera(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only what is seen: nothing has to be laid. What was seen at each step lies beside the profile."""
    prompts: list[str] = []

    def answer_no(prompt: str) -> str:
        prompts.append(prompt)
        return "n"

    monkeypatch.setattr("builtins.input", answer_no)
    assert main(["calibrate", "--pictures", str(pictures), "--colours", "red,black"]) == 2
    assert [prompt.endswith("[y/n] ") for prompt in prompts] == [True, True]
    assert "Is that right?" in prompts[0]
    assert "Save it" in prompts[1]
    assert names(profiles_dir()) == []
    stdout = capsys.readouterr().out
    for step in ("empty", "red", "black", "test"):
        step_picture = profiles_dir() / f"table.{step}.new.jpg"
        assert f"see {step_picture}" in stdout
        assert load_picture(step_picture).shape[1] == EMPTY.shape[1]


def test_at_the_terminal_who_sees_another_tray_outlined_is_sent_to_the_page(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the mat, the picture with the line lying beside: nobody draws at a terminal."""
    for path in pictures.iterdir():
        cv2.imwrite(str(path), without_mat(load_picture(path)))
    monkeypatch.setattr("builtins.input", lambda prompt: "n" if "yellow line" in prompt else "y")
    assert main(["calibrate", "--pictures", str(pictures), "--colours", "red,black"]) == 2
    seen = load_picture(profiles_dir() / "table.empty.new.jpg")
    assert (seen != load_picture(pictures / "empty.png")).any()
    assert "Calibrate page" in capsys.readouterr().err
    monkeypatch.setattr("builtins.input", lambda prompt: "y")
    assert main(["calibrate", "--pictures", str(pictures), "--colours", "red,black"]) == 0
    assert load("table", profiles_dir()).markers_px == {}


def test_pictures_of_what_is_not_kept_take_the_place_of_none(
    pictures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those beside a profile are the ones it was made from."""
    arguments = ["calibrate", "--pictures", str(pictures), "--colours", "red,black"]
    assert main([*arguments, "--yes"]) == 0
    kept = {path.name: path.read_bytes() for path in profiles_dir().glob("*.jpg")}
    assert sorted(kept) == [f"table.{step}.jpg" for step in ("black", "empty", "red", "test")]
    darker = cv2.convertScaleAbs(load_picture(pictures / "red.png"), alpha=0.9)
    cv2.imwrite(str(pictures / "red.png"), darker)
    answers = iter(("y", "n", "n"))  # replace it, but what is seen is not right, and is not kept
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    assert main(arguments) == 2
    assert {name: (profiles_dir() / name).read_bytes() for name in kept} == kept


def test_a_plug_that_came_loose_at_the_last_colour_loses_nothing(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It ended with exit status 2, and all of it was to be done again."""
    errors = [CameraError("The camera is gone.", "Plug it in.")]

    class LooseCamera(FolderEyes):
        asks_to_lay = True

        def picture(self, step: str) -> Picture:
            if step == "black" and errors:
                raise errors.pop()
            return super().picture(step)

    monkeypatch.setattr(terminal, "FolderEyes", LooseCamera)
    monkeypatch.setattr("builtins.input", lambda _: "y")
    assert main(["calibrate", "--pictures", str(pictures), "--colours", "red,black"]) == 0
    assert "The camera is gone. Plug it in." in capsys.readouterr().out
    errors.append(CameraError("The camera is gone.", "Plug it in."))
    monkeypatch.setattr("builtins.input", lambda prompt: "n" if prompt.startswith("Look again") else "y")
    assert main(["calibrate", "--pictures", str(pictures), "--colours", "red,black"]) == 2
    assert "The camera is gone. Plug it in." in capsys.readouterr().err


def test_at_the_terminal_a_frozen_picture_is_no_second_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Red cubes lay there as it froze, and were taught as blue. A living camera gives no picture twice."""
    phone = AsleepPhone()
    monkeypatch.setattr(terminal, "open_camera", lambda spec: phone)
    eyes = terminal.CameraEyes("0")
    eyes.picture("red")
    with pytest.raises(CameraError, match="keeps showing the same picture"):
        eyes.picture("blue")
    phone.asleep = False
    eyes.picture("blue")


def test_names_of_colours_are_those_of_the_page(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In large letters they were no colours of the game: each throw asked."""
    assert main([*FROM_PICTURES, str(pictures), "--colours", "Red, BLACK"]) == 0
    assert set(load("table", profiles_dir()).colours) == {"red", "black"}
    with pytest.raises(SystemExit):
        main([*FROM_PICTURES, str(pictures), "--colours", "red,../black"])
    assert "'../black' is not a name of a colour: write up to 20 letters" in capsys.readouterr().err


def test_what_is_neither_yes_nor_no_is_asked_again(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A slip of the finger ended it all."""
    answers = iter(("maybe", "да", "Y"))
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    assert main(["calibrate", "--pictures", str(pictures), "--colours", "red,black"]) == 0
    assert capsys.readouterr().out.count("Please answer y or n.") == 2


def test_of_pictures_nobody_is_asked_where_somebody_has_said_yes(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is taken as right is said."""

    def fail_if_asked(prompt: str) -> str:
        raise AssertionError(prompt)

    monkeypatch.setattr("builtins.input", fail_if_asked)
    assert main([*FROM_PICTURES, str(pictures), "--colours", "red,black"]) == 0
    assert "Is that right? [y]" in capsys.readouterr().out
    assert len(list(profiles_dir().glob("table.*.jpg"))) == 4


def test_of_pictures_what_nobody_answers_is_taken_as_right(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Scripts of before there was --yes; a full disk does not hold them up."""

    def end_input(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", end_input)
    command = ["calibrate", "--pictures", str(pictures), "--colours", "red,black"]
    assert main(command) == 0
    assert "Nobody answers: accepted as right." in capsys.readouterr().out
    assert names(profiles_dir()) == ["table"]
    (profiles_dir() / "table.json").unlink()
    (profiles_dir() / "table.json").mkdir()  # cannot be written over, whoever runs this
    assert main([*command, "--name", "table"]) == 2
    assert "table.json cannot be written (Is a directory)." in capsys.readouterr().err


def test_without_a_picture_of_a_test_throw_the_person_says_whether_to_keep(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It said that it was kept before anybody was asked."""
    (pictures / "test.png").unlink()
    monkeypatch.setattr("builtins.input", lambda prompt: "n")
    assert main(["calibrate", "--pictures", str(pictures), "--colours", "red,black"]) == 2
    stdout = capsys.readouterr().out
    assert "There was no test throw" in stdout
    assert "Saved as" not in stdout
    assert "is kept" not in stdout
    assert names(profiles_dir()) == []


def test_yes_says_nothing_before_a_camera(capsys: pytest.CaptureFixture[str]) -> None:
    """Somebody has to lay the cubes."""
    assert main(["calibrate", "--yes", "--camera", "/dev/no-camera"]) == 2
    assert "--yes works with pictures only" in capsys.readouterr().err


def test_person_is_asked_at_the_terminal(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Enter, Enter, Enter, yes: the camera is a folder whose picture the person changes."""
    table = pictures / "table"
    table.mkdir()
    prompts: list[str] = []

    def lay_and_agree(prompt: str) -> str:
        prompts.append(prompt)
        for step in ("empty", "red", "black", "test"):
            words = {"empty": "empty tray", "test": "the test"}.get(step, f"{step} cubes")
            if words in prompt:
                number = f"{len(list(table.iterdir())):02}.png"
                (table / number).write_bytes((pictures / f"{step}.png").read_bytes())
        return "y"

    monkeypatch.setattr("builtins.input", lay_and_agree)
    assert main(["calibrate", "--camera", str(table), "--colours", "red,black"]) == 0
    assert [p.stem for p in sorted(profiles_dir().glob("*.jpg"))] == [
        f"table.{step}" for step in ("black", "empty", "red", "test")
    ]
    assert "All is well" in capsys.readouterr().out
    assert len(prompts) == 5


def test_nobody_at_the_terminal_is_said(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A script without --pictures must not hang."""

    def end_input(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", end_input)
    assert main(["calibrate", "--camera", str(pictures)]) == 2
    assert "Nobody answers" in capsys.readouterr().err
    assert names(profiles_dir()) == []


def test_a_script_without_answers_ends_with_one_sentence_also_before_a_camera(tmp_path: Path) -> None:
    """`tenshu calibrate </dev/null`: the camera's thread took the program down, status 134."""
    command = [sys.executable, "-m", "companion", "calibrate", "--camera", "/dev/no-camera"]
    done = subprocess.run(
        command,
        env={**os.environ, "TENSHU_DATA": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 2
    [sentence] = done.stderr.splitlines()
    assert sentence.startswith("tenshu: Nobody answers; none of this calibration is saved.")
    assert done.stdout.count("/dev/no-camera is not") == 1  # told before anything is laid


def test_the_camera_is_let_go_when_the_calibration_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """However it ends: no thread of it outlives the command."""

    def end_input(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", end_input)
    assert main(["calibrate", "--camera", "/dev/no-camera"]) == 2
    assert [thread.name for thread in threading.enumerate() if thread.name.startswith("camera")] == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--check", "--name", "club"], "no profile 'club'"),
        (["--colours", "red"], "Two to eight"),
        (["--name", " "], "cannot be the name"),
        (
            ["--lens", "/nowhere"],
            "There is no folder /nowhere. Name one that holds pictures of the lens board.",
        ),
        (["--pictures", "/nowhere"], "There is no folder /nowhere."),
    ],
)
def test_bad_input_is_one_sentence(
    pictures: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    """Exit status 2."""
    assert main([*FROM_PICTURES, str(pictures), *arguments]) == 2
    assert words in capsys.readouterr().err


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Photos of the lens board, 1280 × 960."""
    folder = tmp_path_factory.mktemp("boards")
    for number, turn in enumerate(TURNS):
        cv2.imwrite(str(folder / f"{number}.png"), board_seen(turn, 330))
    return folder


def test_photos_of_the_lens_board_may_be_larger_than_the_camera_s_pictures(
    pictures: Path, boards: Path
) -> None:
    """Of 891 × 668 pixels here: the focal length of 900 pixels is less in them."""
    for path in pictures.iterdir():
        higher = cv2.copyMakeBorder(load_picture(path), 19, 19, 0, 0, cv2.BORDER_REPLICATE)
        cv2.imwrite(str(path), higher)
    assert main([*FROM_PICTURES, str(pictures), "--colours", "red,black", "--lens", str(boards)]) == 0
    profile = load("table", profiles_dir())
    assert profile.size_px == (891, 668)
    assert profile.lens is not None
    assert profile.lens.matrix[0] == pytest.approx(900 * 891 / 1280, rel=0.02)
    assert profile.lens.matrix[2] == pytest.approx(640 * 891 / 1280, abs=14)


def test_photos_of_the_lens_board_of_another_shape_are_refused(
    pictures: Path, boards: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*FROM_PICTURES, str(pictures), "--colours", "red,black", "--lens", str(boards)]) == 2
    assert "The lens pictures have 1280×960 pixels, the camera's 891×630" in capsys.readouterr().err
    assert names(profiles_dir()) == []
