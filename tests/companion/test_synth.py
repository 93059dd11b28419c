"""`tenshu synth` from the command line: what cannot be rendered is a sentence before anything is begun."""

import json
from pathlib import Path

import cv2
import pytest

from companion.cli import main


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--size", "100000x100000", "not between 160x120 and 4000x3000"),
        ("--size", "99999x160", "not between"),
        ("--size", "33000x160", "not between"),  # what no picture may be that is read
        ("--size", "160x66000", "not between"),  # nor what a JPEG can hold
        ("--size", "159x120", "not between"),
        ("--size", "9" * 5000 + "x960", "not a size such as 1280x960"),
        ("--size", "²x960", "not a size such as 1280x960"),
        ("--size", "1280", "not a size such as 1280x960"),
        ("--cube-mm", "-3", "is not an edge of a cube"),
        ("--cube-mm", "nan", "is not an edge of a cube"),
        ("--stacked", "1.5", "is not a share: give a number from 0 to 1"),
        ("--stacked", "nan", "is not a share"),
        ("--seed", "-1", "a whole number, 0 or more"),
        ("-n", "-1", "a whole number, 1 or more"),
        ("-n", "9" * 20, "'99999999999999999999' will not do: give a whole number, 1 to 1000000"),
        ("-n", "9" * 5000, "…' will not do: give a whole number, 1 to 1000000"),
        ("--seed", "9" * 20, "a whole number, 0 to 1000000000000"),
    ],
)
def test_what_cannot_be_rendered_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, value: str, sentence: str
) -> None:
    """No traceback of what runs out of memory, and no folder is begun."""
    folder = tmp_path / "pictures"
    with pytest.raises(SystemExit) as end:
        main(["synth", str(folder), f"{option}={value}"])
    stderr = capsys.readouterr().err
    assert end.value.code == 2
    assert sentence in stderr
    assert stderr.endswith("Try `tenshu synth --help`.\n")
    assert not folder.exists()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--made-up"], "cubes lie as they fell"),
        (["--stacked", "0.2"], "cubes lie as they fell"),
        (["--cube-mm", "8"], "Leave out --made-up, --stacked and --cube-mm."),
        (["--size", "4000x3000"], "Falls are drawn up to 2000x1500."),
    ],
)
def test_what_does_not_go_with_falls_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], sentence: str
) -> None:
    """And no folder is begun."""
    folder = tmp_path / "falls"
    assert main(["synth", str(folder), "--falls", *options]) == 2
    assert sentence in capsys.readouterr().err
    assert not folder.exists()


def test_falls_are_sequences_for_evaluate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the one writes the other measures."""
    assert main(["synth", str(tmp_path), "-n", "1", "--falls", "--size", "320x240", "--plain"]) == 0
    assert capsys.readouterr().out == f"1 falls and labels.json are in {tmp_path}.\n"
    assert main(["evaluate", str(tmp_path), "--sequences"]) == 0
    assert "1 of 1 within 2 frames" in capsys.readouterr().out


def test_a_size_that_is_asked_for_is_rendered(tmp_path: Path) -> None:
    """One small picture, and what lies in it."""
    assert main(["synth", str(tmp_path), "-n", "1", "--size", "320x240", "--cube-mm", "8"]) == 0
    [entry] = json.loads((tmp_path / "labels.json").read_text())["pictures"]
    picture = cv2.imread(str(tmp_path / entry["file"]))
    assert picture is not None
    assert picture.shape == (240, 320, 3)
    assert entry["cube_mm"] == 8


def test_a_share_of_stacked_cubes_makes_heaps_up(tmp_path: Path) -> None:
    """Of the same two seeds more cubes lie a floor higher than of heaps without any on others."""
    higher = []
    for name, share in (("flat", "0"), ("stacked", "0.5")):
        folder = tmp_path / name
        assert main(["synth", str(folder), "-n", "2", "--seed", "7", "--stacked", share, "--plain"]) == 0
        entries = json.loads((folder / "labels.json").read_text())["pictures"]
        cubes = [(cube, entry["cube_mm"]) for entry in entries for cube in entry["cubes"]]
        higher.append(sum(cube["height_mm"] > 1.2 * edge for cube, edge in cubes))
    assert higher[0] < higher[1] > 2
