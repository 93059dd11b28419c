"""How a game begins from the command line; what cannot be is a sentence and exit status 2."""

import json
from pathlib import Path

import pytest

from companion.cli import main

SERVE = ["serve", "--camera", "none", "--port-serial", "none", "--host", "127.0.0.1", "--port", "0"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--players", "blue,red"], "3 to 5 players"),
        (["--players", "blue,red,pink"], "Colours are"),
        (["--players", "blue,red,yellow", "--side", "moon", "--start", "predetermined"], "sun side"),
        (["--players", "blue,red,yellow", "--start", "draft", "--oldest", "black"], "oldest"),
        (["--board", "nowhere.json"], "cannot be read as a board"),
    ],
)
def test_a_game_that_cannot_be_is_one_sentence(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*SERVE, "--data", str(tmp_path), *arguments]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert "Traceback" not in told


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
    ("board", "said"),
    [
        ([], "holds no options"),
        ({"players": ["blue", "red", "yellow"], "start": "board", "year": 3}, "two years"),
        ({"players": ["blue", "red", "yellow"], "castle": 1}, "has no 'castle'"),
    ],
)
def test_a_board_file_that_makes_no_game_is_one_sentence(
    board: object, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "board.json"
    path.write_text(json.dumps(board), encoding="utf-8")
    assert main([*SERVE, "--data", str(tmp_path), "--board", str(path)]) == 2
    assert said in capsys.readouterr().err
