"""How a game begins from the command line; what cannot be is a sentence and exit status 2."""

import json
from pathlib import Path

import pytest

from companion.cli import main
from companion.commands.serve import warn_of_camera
from companion.store.events import NewEvent
from companion.store.sqlite import SqliteStore
from tests.companion.conftest import SERVE


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--players", "blue,red"], "3 to 5 players"),
        (["--players", "blue,red,pink"], "Colours are"),
        (["--players", ""], "3 to 5 players"),
        (["--players", "blue,red,yellow", "--side", "moon", "--start", "predetermined"], "sun side"),
        (["--players", "blue,red,yellow", "--start", "draft", "--oldest", "black"], "oldest"),
        (["--players", "blue,red,yellow", "--oldest", "blue"], "Add --start draft"),
        (["--board", "nowhere.json"], "cannot be read as a board"),
    ],
)
def test_a_game_that_cannot_be_is_one_sentence(
    arguments: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*SERVE, "--data", str(tmp_path), *arguments]) == 2
    stderr = capsys.readouterr().err
    assert sentence in stderr
    assert "Traceback" not in stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--players", "blue,red,yellow"],
        ["--players", "blue,red,yellow", "--side", "moon"],
        ["--board", "game.json"],
    ],
)
@pytest.mark.parametrize("table", ["table", "friday"])
def test_a_game_that_lies_there_is_not_passed_off_as_the_one_asked_for(
    arguments: list[str], table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--players` was ignored without a word where the table had a game."""
    (tmp_path / "game.json").write_text(json.dumps({"players": ["blue", "red", "yellow"]}))
    full_arguments = [
        str(tmp_path / argument) if argument.endswith(".json") else argument for argument in arguments
    ]
    store = SqliteStore(tmp_path / "tables" / f"{table}.sqlite3")
    store.append(table, 0, [NewEvent("begun", {})], "host", 1)
    store.close()
    table_option = [] if table == "table" else ["--table", table]
    assert main([*SERVE, "--data", str(tmp_path), *full_arguments, *table_option]) == 2
    sentence = f"Table {table} already holds a game. Name another with --table, or leave out {arguments[0]}."
    assert capsys.readouterr().err == f"tenshu: {sentence}\n"


@pytest.mark.parametrize(
    "arguments",
    [["--side", "moon"], ["--start", "draft"], ["--oldest", "blue"], ["--by-table"], ["--side", "sun"]],
)
def test_an_option_of_a_game_without_its_players_is_one_sentence(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*SERVE, "--data", str(tmp_path), *arguments]) == 2
    stderr = capsys.readouterr().err
    assert stderr == f"tenshu: {arguments[0]} only applies to a new game. Add its --players.\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--players", "blue,red,yellow"],
        ["--side", "moon"],
        ["--start", "draft"],
        ["--oldest", "blue"],
        ["--by-table"],
    ],
)
def test_an_option_of_a_game_beside_a_board_that_says_all_of_it_is_one_sentence(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The moon side was asked for, and the sun side was played."""
    board = tmp_path / "board.json"
    board.write_text(json.dumps({"players": ["blue", "red", "yellow"]}), encoding="utf-8")
    assert main([*SERVE, "--data", str(tmp_path), "--board", str(board), *arguments]) == 2
    sentence = f"{arguments[0]} has no effect beside --board. Leave out {arguments[0]} or --board."
    assert capsys.readouterr().err == f"tenshu: {sentence}\n"


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"players": ' * 100_000, "\x00", '{"year": ' + "9" * 5000 + "}"]
)
def test_a_board_file_that_is_no_json_at_all_is_one_sentence(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One of 100,000 brackets was a traceback."""
    path = tmp_path / "board.json"
    path.write_text(text, encoding="utf-8")
    assert main([*SERVE, "--data", str(tmp_path), "--board", str(path)]) == 2
    assert "cannot be read as a board" in capsys.readouterr().err


def test_a_board_file_may_begin_with_a_byte_order_mark(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As some editors write UTF-8: it is read, and told for what it holds."""
    path = tmp_path / "board.json"
    path.write_text(json.dumps({"players": ["blue", "red", "yellow"], "castle": 1}), encoding="utf-8-sig")
    assert main([*SERVE, "--data", str(tmp_path), "--board", str(path)]) == 2
    assert "has no 'castle'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("board", "sentence"),
    [
        ([], "holds no options"),
        ({"players": ["blue", "red", "yellow"], "start": "board", "year": 3}, "two years"),
        ({"players": ["blue", "red", "yellow"], "castle": 1}, "has no 'castle'"),
    ],
)
def test_a_board_file_that_makes_no_game_is_one_sentence(
    board: object, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "board.json"
    path.write_text(json.dumps(board), encoding="utf-8")
    assert main([*SERVE, "--data", str(tmp_path), "--board", str(path)]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "sentence"),
    [("--profile", "'' cannot be the name of a profile."), ("--table", "That is not a name for a table.")],
)
def test_a_name_of_nothing_is_not_taken_for_none(
    option: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As of a script whose variable is empty: it was served uncalibrated, or as another table."""
    assert main([*SERVE, "--data", str(tmp_path), option, ""]) == 2
    assert capsys.readouterr().err.startswith(f"tenshu: {sentence}")


def test_a_camera_that_is_nothing_at_all_is_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    """On the terminal too; the table is served all the same."""
    for camera in ("none", "phone", "0", "/dev/video7", "http://phone:8080/video", ".", f"{__file__}?hold=2"):
        warn_of_camera(camera)
    assert capsys.readouterr().err == ""
    for camera in ("nosuch.mp4", ""):  # a script's variable that nobody set
        warn_of_camera(camera)
        assert capsys.readouterr().err.startswith(f"tenshu: {camera!r} is neither a camera nor a file.")
