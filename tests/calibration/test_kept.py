"""Stored profiles can be listed, renamed and removed."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.profiles.kept import ProfileSummary, list_profiles, remove, rename
from calibration.profiles.profile import ProfileError, load, save
from companion.looking import keep_profile as keep_with_steps
from companion.looking import lay_aside
from tests.calibration.test_profile import COLOURS, EMPTY, learned
from vision.pictures import load_picture

KITCHEN = "Кухня 2"


def keep(folder: Path, *names: str) -> None:
    for name in names:
        profile = replace(learned(), name=name)
        for step in ("empty", "red"):
            lay_aside(folder, name, step, EMPTY)
        keep_with_steps(profile, folder)


def file_names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_each_is_told_with_its_day_colours_and_mat(tmp_path: Path) -> None:
    """Also an unreadable one, and one that was rewritten."""
    keep(tmp_path, "home", KITCHEN)
    (tmp_path / "broken.json").write_text("{broken")
    whole = ProfileSummary("home", learned().made, tuple(COLOURS), mat=True)
    assert list_profiles(tmp_path) == [
        ProfileSummary("broken", readable=False),
        whole,
        replace(whole, name=KITCHEN),
    ]
    save(replace(learned(), name="broken", markers_px={}), tmp_path)
    assert list_profiles(tmp_path)[0] == replace(whole, name="broken", mat=False)
    assert list_profiles(tmp_path / "nothing") == []


@pytest.mark.parametrize("name", ["table", KITCHEN])
def test_one_is_removed_with_the_pictures_of_its_steps_and_no_other(tmp_path: Path, name: str) -> None:
    """Nor the pictures of one whose name begins alike."""
    keep(tmp_path, "table-2", "home")
    others = file_names(tmp_path)
    keep(tmp_path, name)
    assert len(file_names(tmp_path)) == len(others) + 3
    remove(name, tmp_path)
    assert file_names(tmp_path) == others


def test_no_two_steps_have_one_picture(tmp_path: Path) -> None:
    """Step "dark-blue" of "table" and "blue" of "table-dark" once shared a file: the last write won."""
    steps = {"table": "dark-blue", "table-dark": "blue"}
    for number, (name, step) in enumerate(steps.items()):
        save(replace(learned(), name=name), tmp_path)
        lay_aside(tmp_path, name, step, np.full_like(EMPTY, 100 * number))
    assert len(list(tmp_path.glob("*.jpg"))) == 2
    remove("table-dark", tmp_path)
    assert load_picture(tmp_path / "table.dark-blue.new.jpg").max() == 0


def test_a_tray_that_is_being_calibrated_keeps_its_pictures_as_another_goes(tmp_path: Path) -> None:
    """ "table-2" has no profile yet, and its pictures were taken for those of "table"."""
    keep(tmp_path, "table")
    aside = lay_aside(tmp_path, "table-2", "empty", EMPTY)
    remove("table", tmp_path)
    assert file_names(tmp_path) == [aside.name]


def test_pictures_go_along_whatever_version_named_them(tmp_path: Path) -> None:
    """Old names had a dash before the step, so those of "table-2" begin like those of "table"."""
    for name in ("table", "table-2"):
        save(replace(learned(), name=name), tmp_path)
        for step in ("red", "red.new"):
            (tmp_path / f"{name}-{step}.jpg").write_text(step)
    rename("table", "club", tmp_path)
    assert (tmp_path / "club.red.jpg").read_text() == "red"
    assert (tmp_path / "club.red.new.jpg").read_text() == "red.new"
    for name in ("club", "table-2"):
        remove(name, tmp_path)
    assert file_names(tmp_path) == []


@pytest.mark.parametrize("backwards", [False, True])
def test_a_newer_picture_does_not_give_way_to_one_of_an_older_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backwards: bool
) -> None:
    """An old tray that was calibrated again has both, and folders list files in any order."""
    save(replace(learned(), name="table"), tmp_path)
    for name, text in (("table-red", "old"), ("table.red", "new")):
        (tmp_path / f"{name}.jpg").write_text(text)
    glob = Path.glob
    monkeypatch.setattr(Path, "glob", lambda path, like: sorted(glob(path, like), reverse=backwards))
    rename("table", "club", tmp_path)
    assert (tmp_path / "club.red.jpg").read_text() == "new"


@pytest.mark.parametrize("body", ["{broken", "[" * 200_000, "[]", "\0"], ids=["cut", "deep", "other", "zero"])
def test_a_broken_one_is_told_and_can_be_removed(tmp_path: Path, body: str) -> None:
    """Also one nested too deeply for the parser."""
    (tmp_path / "broken.json").write_text(body)
    assert [(listed.name, listed.readable) for listed in list_profiles(tmp_path)] == [("broken", False)]
    with pytest.raises(ProfileError):
        load("broken", tmp_path)
    with pytest.raises(ProfileError):
        rename("broken", "mended", tmp_path)
    remove("broken", tmp_path)
    assert file_names(tmp_path) == []


def test_one_is_called_otherwise_with_the_pictures_of_its_steps(tmp_path: Path) -> None:
    keep(tmp_path, "table", "table-2")
    before = load("table", tmp_path)
    rename("table", KITCHEN, tmp_path)
    assert load(KITCHEN, tmp_path) == replace(before, name=KITCHEN)
    assert [listed.name for listed in list_profiles(tmp_path)] == ["table-2", KITCHEN]
    rename(KITCHEN, "club", tmp_path)
    assert file_names(tmp_path) == sorted(
        f"{name}{end}" for name in ("club", "table-2") for end in (".json", ".empty.jpg", ".red.jpg")
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("cellar", "club", "(known: broken, home, table)."),
        ("home", "table", "There is already a profile 'table'."),
        ("home", "home", "There is already a profile 'home'."),
        ("home", "a\x07b", "cannot be the name of a profile"),
        ("broken", "club", "cannot be read"),
    ],
    ids=["missing", "taken", "its own", "no name", "broken"],
)
def test_what_cannot_be_called_so_is_told_and_stays(tmp_path: Path, old: str, new: str, said: str) -> None:
    keep(tmp_path, "home", "table")
    (tmp_path / "broken.json").write_text("{broken")
    before = file_names(tmp_path)
    with pytest.raises(ProfileError) as caught:
        rename(old, new, tmp_path)
    assert said in caught.value.sentence
    assert caught.value.remedy
    assert file_names(tmp_path) == before


@pytest.mark.parametrize("name", ["cellar", " "])
def test_what_is_not_there_is_not_removed(tmp_path: Path, name: str) -> None:
    with pytest.raises(ProfileError):
        remove(name, tmp_path)
