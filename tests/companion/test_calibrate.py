"""`tenshu calibrate` from the command line, with pictures and with a person."""

import json
import os
import re
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profiles.profile import load, names, save
from companion.cli import main
from companion.places import profiles_dir
from tests.calibration.test_lens import TURNS, board_seen
from tests.calibration.test_profile import COLOURS, EMPTY, learned, with_cubes
from tests.companion.stub_reader import StubReader, stub_reader
from vision.pictures import Picture, load_picture

__all__ = ["stub_reader"]
pytestmark = pytest.mark.usefixtures("stub_reader")
OF = ["calibrate", "--yes", "--pictures"]


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


def test_profile_is_made_from_pictures(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --yes: no question, a profile, a verdict."""
    assert main([*OF, str(pictures), "--colours", "red,black,yellow", "--name", "home"]) == 0
    profile = load("home", profiles_dir())
    assert set(profile.colours) == {"red", "black", "yellow"}
    assert profile.cube_mm == 8.0
    assert "certain" in capsys.readouterr().out
    assert main(["calibrate", "--list"]) == 0
    [told] = capsys.readouterr().out.splitlines()
    assert told.split("  ")[0] == "home"
    assert told.endswith("red, black, yellow  with the mat")


def test_a_picture_is_known_by_its_name_however_its_ending_is_written(pictures: Path) -> None:
    """As phones and cameras write it: empty.PNG, Red.JPG."""
    for picture in list(pictures.iterdir()):
        picture.rename(pictures / f"{picture.stem.title()}.PNG")
    assert main([*OF, str(pictures), "--colours", "red,black,yellow"]) == 0
    assert set(load("table", profiles_dir()).colours) == {"red", "black", "yellow"}


def test_a_colour_whose_picture_is_missing_is_left_out_and_one_that_is_damaged_told(
    pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A picture that was copied badly is not one that nobody took."""
    (pictures / "yellow.png").unlink()
    assert main([*OF, str(pictures), "--colours", "red,black,yellow"]) == 0
    assert "There is no picture of yellow cubes" in capsys.readouterr().out
    (pictures / "yellow.jpg").write_bytes((pictures / "red.png").read_bytes()[:3000])
    assert main([*OF, str(pictures), "--colours", "red,black,yellow"]) == 2
    assert "yellow.jpg is cut short" in capsys.readouterr().err


def test_of_pictures_the_person_is_asked_as_before_a_camera(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only what is seen: nothing has to be laid. What was seen at each step lies beside the profile."""
    asked: list[str] = []

    def person(prompt: str) -> str:
        asked.append(prompt)
        return "n"

    monkeypatch.setattr("builtins.input", person)
    assert main(["calibrate", "--pictures", str(pictures), "--colours", "red,black"]) == 2
    assert [prompt.endswith("[y/n] ") for prompt in asked] == [True, True]
    assert "Is that right?" in asked[0]
    assert "Keep it" in asked[1]
    assert names(profiles_dir()) == []
    said = capsys.readouterr().out
    for step in ("empty", "red", "black", "test"):
        aside = profiles_dir() / f"table-{step}.new.jpg"
        assert f"see {aside}" in said
        assert load_picture(aside).shape[1] == EMPTY.shape[1]


def test_pictures_of_what_is_not_kept_take_the_place_of_none(
    pictures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those beside a profile are the ones it was made from."""
    arguments = ["calibrate", "--pictures", str(pictures), "--colours", "red,black"]
    assert main([*arguments, "--yes"]) == 0
    kept = {path.name: path.read_bytes() for path in profiles_dir().glob("*.jpg")}
    assert sorted(kept) == [f"table-{step}.jpg" for step in ("black", "empty", "red", "test")]
    other = cv2.convertScaleAbs(load_picture(pictures / "red.png"), alpha=0.9)
    cv2.imwrite(str(pictures / "red.png"), other)
    answers = iter(("y", "n", "n"))  # replace it, but what is seen is not right, and is not kept
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    assert main(arguments) == 2
    assert {name: (profiles_dir() / name).read_bytes() for name in kept} == kept


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

    def nobody(prompt: str) -> str:
        raise AssertionError(prompt)

    monkeypatch.setattr("builtins.input", nobody)
    assert main([*OF, str(pictures), "--colours", "red,black"]) == 0
    assert "Is that right? [y]" in capsys.readouterr().out
    assert len(list(profiles_dir().glob("table-*.jpg"))) == 4


def test_of_pictures_what_nobody_answers_is_taken_as_right(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Scripts of before there was --yes; a full disk does not hold them up."""

    def nobody(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", nobody)
    command = ["calibrate", "--pictures", str(pictures), "--colours", "red,black"]
    assert main(command) == 0
    assert "Nobody answers: taken as right." in capsys.readouterr().out
    assert names(profiles_dir()) == ["table"]
    (profiles_dir() / "table.json").unlink()
    (profiles_dir() / "table.json").mkdir()  # cannot be written over, whoever runs this
    assert main([*command, "--name", "table"]) == 2


def test_without_a_picture_of_a_test_throw_the_person_says_whether_to_keep(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It said that it was kept before anybody was asked."""
    (pictures / "test.png").unlink()
    monkeypatch.setattr("builtins.input", lambda prompt: "n")
    assert main(["calibrate", "--pictures", str(pictures), "--colours", "red,black"]) == 2
    said = capsys.readouterr().out
    assert "The test throw was left out" in said
    assert "Kept as" not in said
    assert "is kept" not in said
    assert names(profiles_dir()) == []


def test_yes_says_nothing_before_a_camera(capsys: pytest.CaptureFixture[str]) -> None:
    """Somebody has to lay the cubes."""
    assert main(["calibrate", "--yes", "--camera", "/dev/no-camera"]) == 2
    assert "--yes answers for pictures only" in capsys.readouterr().err


def test_kept_profiles_are_listed_renamed_and_removed(capsys: pytest.CaptureFixture[str]) -> None:
    """The one in use stays so under another name; none is when it is removed."""
    folder = profiles_dir()
    for name in ("home", "my table"):
        save(replace(learned(), name=name), folder)
    (folder / "club.json").write_text("{broken")
    (folder / "in-use.txt").write_text("my table")
    assert main(["calibrate", "--rename", "my table", "Кухня  мамы"]) == 0
    assert "is called 'Кухня мамы' now" in capsys.readouterr().out
    assert main(["calibrate", "--list"]) == 0
    rows = [
        re.split("  +", line) for line in capsys.readouterr().out.splitlines()
    ]  # no name has two spaces in a row
    facts = ["2026-11-21", ", ".join(COLOURS), "with the mat"]
    assert rows == [["club", "cannot be read"], ["home", *facts], ["Кухня мамы", *facts, "in use"]]
    assert main(["calibrate", "--remove", "Кухня мамы"]) == 0
    assert main(["calibrate", "--remove", "club"]) == 0
    assert (folder / "in-use.txt").read_text() == ""
    assert names(folder) == ["home"]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["--remove", "cellar"], "There is no profile 'cellar' (known: home, table)."),
        (["--remove", "a\x07b"], "is no name for a profile. Use up to 40 letters"),
        (["--rename", "cellar", "club"], "There is no profile 'cellar'"),
        (["--rename", "home", "table"], "There is a profile 'table' already. Choose another name"),
        (["--remove", "home", "--list"], "not allowed with"),
        (["--list", "--name", "home"], "--name has no effect beside --list. Leave --name away, or --list."),
        (["--remove", "home", "--pictures", "."], "--pictures has no effect beside --remove."),
        (["--rename", "home", "cellar", "--cube-mm", "8"], "--cube-mm has no effect beside --rename."),
    ],
    ids=[
        "missing",
        "no name",
        "rename a missing one",
        "taken",
        "two at once",
        "list of one",
        "remove from pictures",
        "rename and measure",
    ],
)
def test_what_cannot_be_done_to_a_profile_is_one_sentence(
    command: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("home", "table"):
        save(replace(learned(), name=name), profiles_dir())
    try:
        status: object = main(["calibrate", *command])
    except SystemExit as ended:
        status = ended.code
    assert status == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert names(profiles_dir()) == ["home", "table"]


def test_check_says_what_has_changed(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing at first; then somebody dims the lamp."""
    arguments = [*OF, str(pictures), "--colours", "red,black"]
    assert main(arguments) == 0
    assert main([*arguments, "--check"]) == 0
    cv2.imwrite(str(pictures / "empty.png"), np.asarray(EMPTY * 0.5, np.uint8))
    capsys.readouterr()
    assert main([*arguments, "--check"]) == 2
    assert "brighter or darker" in capsys.readouterr().out


def test_person_is_asked_at_the_terminal(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Enter, Enter, Enter, yes: the camera is a folder whose picture the person changes."""
    table = pictures / "table"
    table.mkdir()
    asked: list[str] = []

    def person(prompt: str) -> str:
        asked.append(prompt)
        for step in ("empty", "red", "black", "test"):
            words = {"empty": "empty tray", "test": "the test"}.get(step, f"{step} cubes")
            if words in prompt:
                number = f"{len(list(table.iterdir())):02}.png"
                (table / number).write_bytes((pictures / f"{step}.png").read_bytes())
        return "y"

    monkeypatch.setattr("builtins.input", person)
    assert main(["calibrate", "--camera", str(table), "--colours", "red,black"]) == 0
    assert [p.stem for p in sorted(profiles_dir().glob("*.jpg"))] == [
        f"table-{step}" for step in ("black", "empty", "red", "test")
    ]
    assert "All is well" in capsys.readouterr().out
    assert len(asked) == 5


def test_nobody_at_the_terminal_is_said(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A script without --pictures must not hang."""

    def nobody(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", nobody)
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
    assert sentence.startswith("tenshu: Nobody answers; nothing is kept of this calibration.")


def test_the_camera_is_let_go_when_the_calibration_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """However it ends: no thread of it outlives the command."""

    def nobody(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", nobody)
    assert main(["calibrate", "--camera", "/dev/no-camera"]) == 2
    assert [one.name for one in threading.enumerate() if one.name.startswith("camera")] == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--check", "--name", "club"], "no profile 'club'"),
        (["--colours", "red"], "Two to eight"),
        (["--name", " "], "no name"),
        (["--lens", "/nowhere"], "no picture /nowhere"),
        (["--pictures", "/nowhere"], "no picture /nowhere/empty.jpg"),
    ],
)
def test_bad_input_is_one_sentence(
    pictures: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    """Exit status 2."""
    assert main([*OF, str(pictures), *arguments]) == 2
    assert words in capsys.readouterr().err


def test_kept_profile_is_used_for_counting(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Calibrate, then count with what was learned: only its colours are named."""
    assert main([*OF, str(pictures), "--colours", "red,black,yellow"]) == 0
    capsys.readouterr()
    assert main(["count", "--json", str(pictures / "yellow.png"), "--profile", "table"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"] == {"red": 0, "black": 0, "yellow": 5}


def test_a_full_disk_loses_no_calibration(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file lies where the folder of profiles should be; the person takes it away when asked."""
    profiles_dir().parent.mkdir()
    profiles_dir().write_text("")
    tries: list[str] = []

    def person(prompt: str) -> str:
        if "Try again" in prompt:
            tries.append(prompt)
            if len(tries) == 2:
                profiles_dir().unlink()
        return "y"

    monkeypatch.setattr("builtins.input", person)
    assert main(["calibrate", "--pictures", str(pictures), "--colours", "red,black"]) == 0
    said = capsys.readouterr().out
    assert said.count("The picture of this step could not be written") == 4
    assert said.count("table.json cannot be written (") == 2
    assert "Make room on that disk" in said
    assert set(load("table", profiles_dir()).colours) == {"red", "black"}


def test_a_full_disk_is_named_where_nobody_is_asked(
    pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once, at the end; status 2."""
    profiles_dir().parent.mkdir()
    profiles_dir().write_text("")
    assert main([*OF, str(pictures), "--colours", "red,black"]) == 2
    [sentence] = capsys.readouterr().err.splitlines()
    assert "table.json cannot be written (" in sentence


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
    assert main([*OF, str(pictures), "--colours", "red,black", "--lens", str(boards)]) == 0
    profile = load("table", profiles_dir())
    assert profile.size_px == (891, 668)
    assert profile.lens is not None
    assert profile.lens.matrix[0] == pytest.approx(900 * 891 / 1280, rel=0.02)
    assert profile.lens.matrix[2] == pytest.approx(640 * 891 / 1280, abs=14)


def test_photos_of_the_lens_board_of_another_shape_are_refused(
    pictures: Path, boards: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*OF, str(pictures), "--colours", "red,black", "--lens", str(boards)]) == 2
    assert "The lens pictures have 1280×960 pixels, the camera's 891×630" in capsys.readouterr().err
    assert names(profiles_dir()) == []


def test_a_profile_that_the_person_calls_wrong_is_kept_only_if_wanted(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was kept before stays."""
    assert main([*OF, str(pictures), "--colours", "red,black"]) == 0
    [kept] = profiles_dir().glob("table.json")
    before = kept.read_bytes()
    table = pictures / "table"
    table.mkdir()

    def person(prompt: str) -> str:
        for step in ("empty", "red", "black", "test"):
            words = {"empty": "empty tray", "test": "the test"}.get(step, f"{step} cubes")
            if words in prompt:
                number = f"{len(list(table.iterdir())):02}.png"
                (table / number).write_bytes((pictures / f"{step}.png").read_bytes())
        return "n" if any(words in prompt for words in ("Is that right?", "once more", "Keep it")) else "y"

    monkeypatch.setattr("builtins.input", person)
    assert main(["calibrate", "--camera", str(table), "--colours", "red,black"]) == 2
    assert "Not kept" in capsys.readouterr().out
    assert kept.read_bytes() == before


def test_a_name_that_cannot_be_is_said_before_the_first_question(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nobody(prompt: str) -> str:
        raise AssertionError(prompt)

    monkeypatch.setattr("builtins.input", nobody)
    assert main(["calibrate", "--camera", str(pictures), "--name", "x" * 41]) == 2
    assert "no name" in capsys.readouterr().err


def test_two_names_are_two_profiles_in_whatever_script(
    pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both were "table" once: what was kept first was gone."""
    for name in ("table", "Кухня", "Küche", "kuche"):
        assert main([*OF, str(pictures), "--colours", "red,black", "--name", name]) == 0
    capsys.readouterr()
    assert main(["calibrate", "--list"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert [row.split("  ")[0] for row in rows] == ["Küche", "kuche", "table", "Кухня"]
    assert load("Кухня", profiles_dir()).name == "Кухня"
    assert len(list(profiles_dir().glob("*-test.jpg"))) == 4
    assert main(["count", "--json", str(pictures / "red.png"), "--profile", "Кухня"]) == 0


def test_a_profile_that_is_kept_already_is_replaced_only_if_wanted(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Asked before anybody has laid out cubes."""
    arguments = ["calibrate", "--pictures", str(pictures), "--colours", "red,black", "--name", "Кухня"]
    assert main([*arguments, "--yes"]) == 0
    [kept] = profiles_dir().glob("*.json")
    before = kept.read_bytes()
    asked: list[str] = []

    def person(prompt: str) -> str:
        asked.append(prompt)
        return "n"

    monkeypatch.setattr("builtins.input", person)
    assert main(arguments) == 2
    assert asked == ["A profile “Кухня” is kept already. Replace it with this calibration? [y/n] "]
    assert "The profile “Кухня” stays as it is." in capsys.readouterr().err
    assert kept.read_bytes() == before
