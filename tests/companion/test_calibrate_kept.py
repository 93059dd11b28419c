"""What becomes of a calibration: kept under a name, listed, replaced, held against the table of now."""

import json
import re
from dataclasses import replace
from errno import ENOSPC
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profiles.profile import load, names, save
from calibration.written import write_atomically
from companion.cli import main
from companion.days import day_of
from companion.places import profiles_dir
from tests.calibration.test_profile import COLOURS, EMPTY, learned
from tests.companion.calibrate_steps import FROM_PICTURES, own_data, pictures
from tests.companion.stub_reader import stub_reader

__all__ = ["own_data", "pictures", "stub_reader"]
pytestmark = pytest.mark.usefixtures("stub_reader")


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
    facts = [day_of(learned().made), ", ".join(COLOURS), "with the mat"]
    assert rows == [["club", "cannot be read"], ["home", *facts], ["Кухня мамы", *facts, "in use"]]
    assert main(["calibrate", "--remove", "Кухня мамы"]) == 0
    assert main(["calibrate", "--remove", "club"]) == 0
    assert (folder / "in-use.txt").read_text() == ""
    assert names(folder) == ["home"]


def test_columns_stand_straight_beside_chinese_and_japanese_names(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Their letters are two places wide at a terminal; an accent that is a sign of its own takes none."""
    for name in ("home", "客厅的桌子", "テーブル", "हिंदी"):
        save(replace(learned(), name=name), profiles_dir())
    assert main(["calibrate", "--list"]) == 0
    day = day_of(learned().made)
    begin = {row.partition("  ")[0]: row.index(day) for row in capsys.readouterr().out.splitlines()}
    assert begin == {"home": 12, "客厅的桌子": 12 - 5, "テーブル": 12 - 4, "हिंदी": 12 + 1}


def test_a_folder_that_is_not_there_is_not_one_without_a_profile(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a slip in its name there was "No profile yet", status 0."""
    folder = tmp_path / "tabels"
    for command in (["--list"], ["--remove", "home"], ["--rename", "home", "club"]):
        assert main(["calibrate", *command, "--data", str(folder)]) == 2
        output = capsys.readouterr()
        assert (output.out, output.err.startswith(f"tenshu: There is no folder {folder}. Name the")) == (
            "",
            True,
        )
    folder.mkdir()
    assert main(["calibrate", "--list", "--data", str(folder)]) == 0


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["--remove", "cellar"], "/profiles (known: home, table). See"),
        (["--remove", "a\x07b"], "cannot be the name of a profile. Use up to 40 letters"),
        (["--rename", "cellar", "club"], "There is no profile 'cellar'"),
        (["--rename", "home", "table"], "There is already a profile 'table'. Choose another name"),
        (["--remove", "home", "--list"], "not allowed with"),
        (["--list", "--name", "home"], "--name has no effect beside --list. Leave out --name or --list."),
        (["--remove", "home", "--pictures", "."], "--pictures has no effect beside --remove."),
        (["--rename", "home", "cellar", "--cube-mm", "8"], "--cube-mm has no effect beside --rename."),
    ],
    ids=[
        "missing",
        "cannot be the name",
        "rename a missing one",
        "taken",
        "two at once",
        "list of one",
        "remove from pictures",
        "rename and measure",
    ],
)
def test_what_cannot_be_done_to_a_profile_is_one_sentence(
    command: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("home", "table"):
        save(replace(learned(), name=name), profiles_dir())
    try:
        status: object = main(["calibrate", *command])
    except SystemExit as ended:
        status = ended.code
    assert status == 2
    stderr = capsys.readouterr().err
    assert sentence in stderr
    assert stderr.count("\n") == 1
    assert names(profiles_dir()) == ["home", "table"]


def test_check_says_what_has_changed(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing at first; then somebody dims the lamp."""
    arguments = [*FROM_PICTURES, str(pictures), "--colours", "red,black"]
    assert main(arguments) == 0
    assert main([*arguments, "--check"]) == 0
    cv2.imwrite(str(pictures / "empty.png"), np.asarray(EMPTY * 0.5, np.uint8))
    capsys.readouterr()
    assert main([*arguments, "--check"]) == 2
    assert "brighter or darker" in capsys.readouterr().out


def test_kept_profile_is_used_for_counting(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Calibrate, then count with what was learned: only its colours are named."""
    assert main([*FROM_PICTURES, str(pictures), "--colours", "red,black,yellow"]) == 0
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

    def free_space_and_agree(prompt: str) -> str:
        if "Try saving" in prompt:
            tries.append(prompt)
            if len(tries) == 2:
                profiles_dir().unlink()
        return "y"

    monkeypatch.setattr("builtins.input", free_space_and_agree)
    assert main(["calibrate", "--pictures", str(pictures), "--colours", "red,black"]) == 0
    stdout = capsys.readouterr().out
    assert stdout.count("The picture of this step could not be saved") == 4
    assert stdout.count("table.json cannot be written (") == 2
    assert "Free some space on that disk" in stdout
    assert "or let Tenshu write there" in stdout
    assert set(load("table", profiles_dir()).colours) == {"red", "black"}


def test_pictures_of_the_steps_take_no_room_that_the_profile_needs(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They filled the last of a disk, and stayed there though nothing was kept."""

    def write_if_no_pictures(path: Path, text: str) -> None:
        if any(path.parent.glob("*.jpg")):
            raise OSError(ENOSPC, "No space left on device")
        write_atomically(path, text)

    monkeypatch.setattr("calibration.profiles.kept.write_atomically", write_if_no_pictures)
    assert main([*FROM_PICTURES, str(pictures), "--colours", "red,black"]) == 0
    assert [path.name for path in profiles_dir().iterdir()] == ["table.json"]


def test_a_full_disk_is_named_where_nobody_is_asked(
    pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once, at the end; status 2."""
    profiles_dir().parent.mkdir()
    profiles_dir().write_text("")
    assert main([*FROM_PICTURES, str(pictures), "--colours", "red,black"]) == 2
    [sentence] = capsys.readouterr().err.splitlines()
    assert "table.json cannot be written (" in sentence


def test_a_profile_that_the_person_calls_wrong_is_kept_only_if_wanted(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was kept before stays."""
    assert main([*FROM_PICTURES, str(pictures), "--colours", "red,black"]) == 0
    [kept] = profiles_dir().glob("table.json")
    before = kept.read_bytes()
    table = pictures / "table"
    table.mkdir()

    def lay_and_answer(prompt: str) -> str:
        for step in ("empty", "red", "black", "test"):
            words = {"empty": "empty tray", "test": "the test"}.get(step, f"{step} cubes")
            if words in prompt:
                number = f"{len(list(table.iterdir())):02}.png"
                (table / number).write_bytes((pictures / f"{step}.png").read_bytes())
        return (
            "n"
            if any(words in prompt for words in ("Is that right?", "another test throw", "Save it"))
            else "y"
        )

    monkeypatch.setattr("builtins.input", lay_and_answer)
    assert main(["calibrate", "--camera", str(table), "--colours", "red,black"]) == 2
    assert "Not saved" in capsys.readouterr().out
    assert kept.read_bytes() == before


def test_a_name_that_cannot_be_is_said_before_the_first_question(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail_if_asked(prompt: str) -> str:
        raise AssertionError(prompt)

    monkeypatch.setattr("builtins.input", fail_if_asked)
    assert main(["calibrate", "--camera", str(pictures), "--name", "x" * 41]) == 2
    assert "cannot be the name" in capsys.readouterr().err


def test_two_names_are_two_profiles_in_whatever_script(
    pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both were "table" once: what was kept first was gone."""
    for name in ("table", "Кухня", "Küche", "kuche"):
        assert main([*FROM_PICTURES, str(pictures), "--colours", "red,black", "--name", name]) == 0
    capsys.readouterr()
    assert main(["calibrate", "--list"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert [row.split("  ")[0] for row in rows] == ["Küche", "kuche", "table", "Кухня"]
    assert load("Кухня", profiles_dir()).name == "Кухня"
    assert len(list(profiles_dir().glob("*.test.jpg"))) == 4
    assert main(["count", "--json", str(pictures / "red.png"), "--profile", "Кухня"]) == 0


def test_a_profile_that_is_kept_already_is_replaced_only_if_wanted(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Asked before anybody has laid out cubes."""
    arguments = ["calibrate", "--pictures", str(pictures), "--colours", "red,black", "--name", "Кухня"]
    assert main([*arguments, "--yes"]) == 0
    [kept] = profiles_dir().glob("*.json")
    before = kept.read_bytes()
    prompts: list[str] = []

    def answer_no(prompt: str) -> str:
        prompts.append(prompt)
        return "n"

    monkeypatch.setattr("builtins.input", answer_no)
    assert main(arguments) == 2
    assert prompts == ["There is already a profile “Кухня”. Replace it with this calibration? [y/n] "]
    assert "The profile “Кухня” stays as it is." in capsys.readouterr().err
    assert kept.read_bytes() == before


def test_a_profile_is_kept_where_a_table_of_another_folder_looks(
    pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`tenshu serve --data` sent to `tenshu calibrate`, which kept the profile where no `--data` led it."""
    in_club = ["--data", str(tmp_path / "club")]
    assert main([*FROM_PICTURES, str(pictures), "--colours", ",".join(COLOURS), *in_club]) == 0
    assert names(tmp_path / "club" / "profiles") == ["table"]
    assert names(profiles_dir()) == []
    capsys.readouterr()
    assert main(["calibrate", "--check", "--pictures", str(pictures), *in_club]) == 0
    assert main(["count", str(pictures / "test.png"), "--profile", "table", *in_club]) == 0
    (pictures / "labels.json").write_text('{"pictures": [{"file": "test.png", "counts": {"red": 2}}]}')
    assert main(["evaluate", str(pictures), "--profile", "table", *in_club]) == 0
    main(["doctor", "--camera", str(pictures), "--profile", "table", *in_club])  # a camera that shows cubes
    assert f"in {tmp_path / 'club'}." in capsys.readouterr().out
    assert main(["calibrate", "--rename", "table", "home", *in_club]) == 0
    assert main(["calibrate", "--list", *in_club]) == 0
    assert "home" in capsys.readouterr().out
    assert main(["calibrate", "--remove", "home", *in_club]) == 0
    assert names(tmp_path / "club" / "profiles") == []
