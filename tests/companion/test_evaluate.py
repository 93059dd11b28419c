"""`tenshu evaluate` from the command line."""

import json
from pathlib import Path

import cv2
import pytest

from calibration.measuring.split import half
from companion.cli import main
from tests.calibration.test_evaluate import labelled_folder
from tests.calibration.test_measuring_settle import TRUTH
from tests.companion.stub_reader import stub_reader
from tests.vision.mat_picture import mat_picture
from tests.vision.thrown import Throw, frames

__all__ = ["stub_reader"]
pytestmark = pytest.mark.usefixtures("stub_reader")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two pictures: 2 red and 1 black lie in the first, 2 red in the second; and one throw."""
    labelled_folder(tmp_path, ["a.png", "b.png"])
    labels = json.loads((tmp_path / "labels.json").read_text())
    labels["pictures"][0]["visible_counts"] = {"red": 2, "black": 1}
    names = [f"{index:02}.png" for index in range(12)]
    for name, picture in zip(names, frames(Throw(ends=4), 12), strict=True):
        cv2.imwrite(str(tmp_path / name), picture)
    labels["sequences"] = [{"frames": names, "fps": 15, "motion_ends": 4, "cube_mm": 8.0, **TRUTH}]
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    for name in ("a.png", "b.png"):
        cv2.imwrite(str(tmp_path / name), mat_picture())
    return tmp_path


def test_json_is_one_object(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One exact, one silent error of one cube."""
    assert main(["evaluate", str(folder), "--json", "--worst", "1", "--sequences"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert (body["pictures"], body["answered"], body["exact"], body["silent_errors"]) == (2, 2, 1, 1)
    assert body["cube_error"] == 0.5
    assert body["by_black_on_black"]["yes"]["exact"] == 1
    assert [bad["file"] for bad in body["worst"]] == ["b.png"]
    assert body["jobs"] == 1
    assert body["sequences"]["within_2_frames"] == 1
    assert body["sequences"]["false_settled"] == 0


def test_own_photographs_need_no_more_than_file_and_counts(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What nobody said of them is a group of its own."""
    own_labels = {
        "pictures": [{"file": name, "counts": {"red": 2, "black": 1}} for name in ("a.png", "b.png")]
    }
    (folder / "labels.json").write_text(json.dumps(own_labels))
    assert main(["evaluate", str(folder), "--json", "--sheet", str(folder / "worst.png")]) == 0
    body = json.loads(capsys.readouterr().out)
    assert (body["pictures"], body["exact"]) == (2, 2)
    for group in ("by_mat", "by_light", "by_plastic", "by_tray", "by_cube_mm"):
        assert body[group]["unknown"]["pictures"] == 2


def test_table_is_for_people(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Groups, errors by colour, the worst, the curve, the sequences."""
    assert main(["evaluate", str(folder), "--worst", "2", "--sequences"]) == 0
    stdout = capsys.readouterr().out
    for words in (
        "all pictures",
        "50.0 %",
        "without_mat",
        "black 0.500",
        "b.png",
        "the surest",
        "1 of 1 within 2",
    ):
        assert words in stdout


def test_several_folders_are_measured_one_by_one_and_together(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given files of the same names in both: 1 of 2 exact here, 0 of 1 there; sheets find the pictures."""
    second = folder / "another with a long name"
    second.mkdir()
    labels = json.loads((folder / "labels.json").read_text())
    (second / "b.png").write_bytes((folder / "b.png").read_bytes())
    (second / "labels.json").write_text(json.dumps({"pictures": labels["pictures"][1:]}))
    both = [str(folder), str(second)]
    assert main(["evaluate", *both, "--json", "--worst", "2", "--sheet", str(tmp_path / "worst.png")]) == 0
    body = json.loads(capsys.readouterr().out)
    assert (body["pictures"], body["exact"]) == (3, 1)
    assert {name: (f["pictures"], f["exact"]) for name, f in body["by_folder"].items()} == {
        both[0]: (2, 1),
        both[1]: (1, 0),
    }
    assert {bad["file"] for bad in body["worst"]} == {str(Path(name) / "b.png") for name in both}
    assert main(["evaluate", *both, *both]) == 0
    stdout = capsys.readouterr().out
    assert "by folder" in stdout
    assert "…another with a long " not in stdout
    assert " with a long name" in stdout


def test_a_folder_under_two_names_is_measured_once(
    folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As a link and itself, and from where one stands as well as from the root: it is one folder alone."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "mine").symlink_to(folder)
    monkeypatch.chdir(elsewhere)
    assert main(["evaluate", "mine", str(folder), f"../{elsewhere.name}/mine", "mine/", "--json"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert body["pictures"] == 2
    assert "by_folder" not in body


def test_columns_stand_straight_beside_names_of_any_script_and_length(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given light that is called in Chinese, and at length."""
    labels = json.loads((folder / "labels.json").read_text())
    labels["pictures"][0]["light"] = "餐桌上方的暖色灯"
    labels["pictures"][1]["light"] = "the lamp that hangs over the table"
    (folder / "labels.json").write_text(json.dumps(labels))
    assert main(["evaluate", str(folder)]) == 0
    rows = capsys.readouterr().out.splitlines()
    chinese, long = (next(row for row in rows if name in row) for name in ("餐桌", "over the table"))
    assert chinese.index(" %") == long.index(" %") - 8
    assert long.index(" %") == next(row for row in rows if "all pictures" in row).index(" %")


def test_one_of_several_without_labels_ends_before_any_is_read(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "nothing"
    empty.mkdir()
    assert main(["evaluate", str(folder), str(empty)]) == 2
    output = capsys.readouterr()
    assert f"There is no labels.json in {empty}" in output.err
    assert output.out == ""


def test_worst_are_drawn(folder: Path, tmp_path: Path) -> None:
    """Into a folder of their own."""
    assert main(["evaluate", str(folder), "--worst", "1", "--overlay", str(tmp_path / "worst")]) == 0
    assert [p.name for p in (tmp_path / "worst").iterdir()] == ["b-seen.jpg"]


def test_unreadable_picture_is_named_and_the_rest_measured(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 2, figures all the same."""
    (folder / "a.png").write_bytes(b"oops")
    assert main(["evaluate", str(folder), "--json"]) == 2
    output = capsys.readouterr()
    body = json.loads(output.out)
    assert (body["pictures"], body["unreadable"]) == (1, ["a.png"])
    assert "a.png is not a picture" in output.err


@pytest.mark.parametrize(
    ("text", "words"), [(None, "no labels.json"), ("{", "cannot be read"), ("{}", "names no picture")]
)
def test_bad_folder_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, words: str
) -> None:
    """No traceback, exit status 2."""
    if text is not None:
        (tmp_path / "labels.json").write_text(text)
    assert main(["evaluate", str(tmp_path)]) == 2
    assert words in capsys.readouterr().err


def test_the_worst_come_on_one_sheet_with_why(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two tiles beside each other; the one that is wrong says how."""
    sheet = folder / "worst.png"
    assert main(["evaluate", str(folder), "--sheet", str(sheet)]) == 0
    picture = cv2.imread(str(sheet))
    assert picture is not None
    assert picture.shape[1] > picture.shape[0]
    assert "the worst 2" in capsys.readouterr().out


def test_a_sheet_that_cannot_be_written_is_one_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 2, no traceback."""
    assert main(["evaluate", str(folder), "--sheet", str(folder / "no" / "worst.png")]) == 2
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--sheet", "--overlay"])
def test_what_could_not_be_written_is_told_before_anything_is_read(
    option: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 1,700 pictures that takes minutes, and all was lost."""
    monkeypatch.setattr("companion.commands.evaluate.evaluate", lambda *_: pytest.fail("it reads"))
    assert main(["evaluate", str(folder), option, str(folder / "a.png" / "x")]) == 2
    output = capsys.readouterr()
    assert (output.out, output.err.count("\n")) == ("", 1)
    assert f"with {option}." in output.err


@pytest.mark.parametrize("form", [["--json"], []])
@pytest.mark.parametrize("option", ["--sheet", "--overlay"])
def test_figures_are_printed_though_they_cannot_be_drawn(
    option: str,
    form: list[str],
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A disk that is full by then."""

    def write_on_full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", write_on_full_disk)
    assert main(["evaluate", str(folder), *form, option, str(folder / "worst")]) == 2
    output = capsys.readouterr()
    assert "b.png" in output.out
    assert "cannot be written (No space left on device)" in output.err


def test_a_bad_frame_is_named_and_the_rest_measured(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It threw away what had been read before."""
    labels = json.loads((folder / "labels.json").read_text())
    labels["sequences"] += [{**labels["sequences"][0], "frames": ["00.png", "gone.png"], "motion_ends": 1}]
    (folder / "labels.json").write_text(json.dumps(labels))
    assert main(["evaluate", str(folder), "--json", "--sequences"]) == 2
    output = capsys.readouterr()
    body = json.loads(output.out)
    assert (body["pictures"], body["sequences"]["sequences"], body["unreadable"]) == (2, 1, ["gone.png"])
    assert "There is no picture" in output.err


def test_falls_alone_are_told_without_empty_tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two dozen rows of nothing stood above them; and without --sequences it did not name what to do."""
    labels = json.loads((folder / "labels.json").read_text())
    (folder / "labels.json").write_text(json.dumps({**labels, "pictures": []}))
    assert main(["evaluate", str(folder), "--sequences", "--worst", "3"]) == 0
    output = capsys.readouterr()
    assert [line.split()[0] for line in output.out.splitlines()] == ["sequence", "00.png", "1"]
    assert output.err == ""
    assert main(["evaluate", str(folder)]) == 2
    assert capsys.readouterr().err.endswith(" names no picture. Its falls are measured with --sequences.\n")


def test_a_table_without_a_row_is_left_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of pictures that are not there, and of falls that nobody named."""
    labels = json.loads((folder / "labels.json").read_text())
    (folder / "labels.json").write_text(json.dumps({**labels, "sequences": []}))
    assert main(["evaluate", str(folder), "--sequences"]) == 0
    output = capsys.readouterr()
    assert "all pictures" in output.out
    assert "motion ends" not in output.out
    assert output.err.startswith("tenshu: No sequence is named there. Leave out --sequences.")
    for name in ("a.png", "b.png"):
        (folder / name).unlink()
    assert main(["evaluate", str(folder)]) == 2
    assert capsys.readouterr().out == ""


def test_a_half_without_pictures_says_so_and_stops_no_other_folder(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It said that the file names no picture, which it does: here a.png and b.png, there b.png alone."""
    halves = {name: half(name) for name in ("a.png", "b.png")}
    assert set(halves.values()) == {"tune", "holdout"}
    second = tmp_path / "other"
    second.mkdir()
    (second / "b.png").write_bytes((folder / "b.png").read_bytes())
    (second / "labels.json").write_text(json.dumps({"pictures": [{"file": "b.png", "counts": {"red": 2}}]}))
    assert main(["evaluate", str(folder), str(second), "--json", "--half", halves["a.png"]]) == 0
    output = capsys.readouterr()
    assert json.loads(output.out)["pictures"] == 1
    sentence = (
        f"tenshu: {second}: none of its 1 pictures is of the half {halves['a.png']}. Measure the other half"
    )
    assert output.err.startswith(sentence)
    assert main(["evaluate", str(second), "--half", halves["a.png"]]) == 2
    assert capsys.readouterr().err.startswith(sentence)


def test_pictures_can_be_read_side_by_side(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The times are then not a reading's own, and it says so; never more than there are cores."""
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert main(["evaluate", str(folder), "--jobs", "500"]) == 0
    assert "read 2 at a time" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["evaluate", str(folder), "--jobs", "0"])


def test_a_half_holds_the_sequences_whose_first_frame_is_in_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of them were measured with either half."""
    labels = json.loads((folder / "labels.json").read_text())
    [throw] = labels["sequences"]
    names = throw["frames"]
    later = next(n for n, name in enumerate(names) if half(name) != half(names[0]))
    labels["sequences"] += [{**throw, "frames": names[later:], "motion_ends": 4 - later}]
    (folder / "labels.json").write_text(json.dumps(labels))
    for first in (names[0], names[later]):
        assert main(["evaluate", str(folder), "--json", "--sequences", "--half", half(first)]) == 0
        [each] = json.loads(capsys.readouterr().out)["sequences"]["each"]
        assert each["first_frame"] == first
    (folder / "labels.json").write_text(json.dumps({"sequences": [throw]}))
    other = half(names[later])
    assert main(["evaluate", str(folder), "--sequences", "--half", other]) == 2
    assert f"none of its 1 sequences is of the half {other}. Measure" in capsys.readouterr().err
    (folder / "labels.json").write_text(json.dumps({**labels, "sequences": [throw]}))
    assert main(["evaluate", str(folder), "--sequences", "--half", other]) == 0
    assert f"No sequence of the half {other} is named there. Leave out" in capsys.readouterr().err


def test_sequences_of_several_folders_are_listed_with_their_folders(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two falls of the same name could not be told apart; and what could not be opened had no folder."""
    second = folder / "another"
    second.mkdir()
    [throw] = json.loads((folder / "labels.json").read_text())["sequences"]
    (second / "labels.json").write_text(json.dumps({"sequences": [throw]}))
    for name in throw["frames"]:
        (second / name).write_bytes((folder / name).read_bytes())
    both = [str(folder), str(second)]
    assert main(["evaluate", *both, "--json", "--sequences"]) == 0
    each = json.loads(capsys.readouterr().out)["sequences"]["each"]
    assert [one["first_frame"] for one in each] == [f"{name}/00.png" for name in both]
    assert main(["evaluate", *both, "--sequences"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()[-4:-1]
    assert [row.index(" 4 ") for row in rows] == [head.index("motion ends") + 9] * 2
    (second / "00.png").unlink()
    assert main(["evaluate", *both, "--json", "--sequences"]) == 2
    assert json.loads(capsys.readouterr().out)["unreadable"] == [f"{second}/00.png"]


def test_a_picture_that_two_folders_name_is_one_sentence(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    """It counted twice, both times for the second folder; also where that is a link into the first."""
    part = folder / "part"
    part.mkdir()
    (part / "b.png").write_bytes((folder / "b.png").read_bytes())
    (part / "labels.json").write_text(json.dumps({"pictures": [{"file": "b.png", "counts": {}}]}))
    (folder / "labels.json").write_text(json.dumps({"pictures": [{"file": "part/b.png", "counts": {}}]}))
    link = tmp_path_factory.mktemp("elsewhere") / "mine"
    link.symlink_to(part)
    for second in (part, link):
        assert main(["evaluate", str(folder), str(second)]) == 2
        output = capsys.readouterr()
        assert output.out == ""
        assert output.err == (
            f"tenshu: {folder} and {second} both name the picture {second / 'b.png'}, which would count "
            "twice. Leave one of the folders out, or the picture in one labels.json.\n"
        )


@pytest.mark.parametrize("option", ["--sheet", "--overlay"])
def test_what_draws_pictures_is_refused_for_sequences_alone(
    option: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was passed over in silence."""
    labels = json.loads((folder / "labels.json").read_text())
    (folder / "labels.json").write_text(json.dumps({**labels, "pictures": []}))
    assert main(["evaluate", str(folder), "--sequences", option, str(folder / "worst")]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err == (
        f"tenshu: Only sequences are measured there, and {option} shows pictures. Leave out {option}.\n"
    )
    assert not (folder / "worst").exists()
