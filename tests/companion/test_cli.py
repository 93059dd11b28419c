"""The command line itself: help, names, and that no traceback gets out."""

import argparse
import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from runpy import run_module

import pytest

from companion.cli import COMMANDS, build_parser, main
from companion.usage import OneSentence

ROOT = Path(__file__).parents[2]
_COMMANDS_IN_WORDS = f"{', '.join(COMMANDS[:-1])} or {COMMANDS[-1]}"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`--help` ends well."""
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    assert "usage: tenshu" in capsys.readouterr().out


def test_every_example_of_the_help_is_a_command_line_that_is_taken(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """And those of a command stand in its help, and in docs/commands.md."""
    parser = build_parser()
    [subcommands] = [
        action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction)
    ]
    for command in (parser, *subcommands.values()):
        assert isinstance(command, OneSentence)
        for line, _ in command.examples:
            assert line.startswith(f"{command.prog} ")
            assert line in command.format_help()
            assert build_parser().parse_args(line.split()[1:]).run
    assert subcommands["log"].examples
    assert capsys.readouterr().err == ""


def test_it_says_which_version_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """As an issue asks for it."""
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"tenshu {version('tenshu')}\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], f"`tenshu` wants one more word: {_COMMANDS_IN_WORDS}. Try `tenshu demo` or `tenshu --help`."),
        (
            ["--fly"],
            f"`tenshu` wants one more word: {_COMMANDS_IN_WORDS}. Try `tenshu demo` or `tenshu --help`.",
        ),
        (["mat", "--fly"], "There is no --fly here. Try `tenshu mat --help`."),
        (["firmware", "tare", "--fly"], "There is no --fly here. Try `tenshu firmware tare --help`."),
        (["count"], "PICTURE is missing. Try `tenshu count --help`."),
        (
            ["log"],
            "`tenshu log` wants one more word: export. "
            "Try `tenshu log export -o throws.xlsx` or `tenshu log --help`.",
        ),
        (
            ["firmware"],
            "`tenshu firmware` wants one more word: flash, monitor, tare, calibrate or rate. "
            "Try `tenshu firmware monitor` or `tenshu firmware --help`.",
        ),
        (["mat", "-o"], "-o/--output: expected one argument. Try `tenshu mat --help`."),
        (
            ["synth", "a", "-n", "x"],
            "-n/--number: 'x' will not do: give a whole number, 1 or more. Try `tenshu synth --help`.",
        ),
        (
            ["evaluate", "a", "--worst", "0"],
            "--worst: '0' will not do: give a whole number, 1 or more. Try `tenshu evaluate --help`.",
        ),
    ],
)
def test_wrong_arguments_are_one_sentence_with_a_remedy(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of the very command that was meant."""
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert capsys.readouterr().err == f"tenshu: {sentence}\n"


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (["matt"], "Try `mat` or `tenshu --help`."),
        (["firmware", "montor"], "Try `monitor` or `tenshu firmware --help`."),
        (["mat", "--paper", "A4"], "Try `a4` or `tenshu mat --help`."),
        (["count", "a.jpg", "--josn"], "Try `--json` or `tenshu count --help`."),
        (["serve", "--data=x", "--colour=x"], "Try `tenshu serve --help`."),
        (["calibrate", "--colors", "red,blue"], "Try `--colours` or `tenshu calibrate --help`."),
    ],
)
def test_what_was_written_nearly_right_is_named(
    arguments: list[str], remedy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is named that is only as short."""
    with pytest.raises(SystemExit) as end:
        main(arguments)
    stderr = capsys.readouterr().err
    assert end.value.code == 2
    assert stderr.endswith(f" {remedy}\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_prints_its_usage_for_an_option_it_does_not_know(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, status 2; `--help` is where the usage stands."""
    with pytest.raises(SystemExit) as end:
        main([command, "--fly-to-the-moon"])
    stderr = capsys.readouterr().err
    assert end.value.code == 2
    assert stderr.startswith("tenshu: ")
    assert stderr.endswith("--help`.\n")
    assert stderr.count("\n") == 1


@pytest.mark.parametrize("known", [True, False], ids=["a folder's name", "no option of ours"])
def test_what_was_typed_does_nothing_to_the_terminal(
    known: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file in place of the folder, and an unknown option, of a name that turns all that follows red."""
    name = tmp_path / "\x1b[31mred\nname"
    name.touch()
    try:
        status = main(["serve", f"--data={name}" if known else f"--date={name}"])
    except SystemExit as end:
        status = int(end.code or 0)
    stderr = capsys.readouterr().err
    assert status == 2
    assert "\\x1b[31mred\\nname" in stderr
    assert "\x1b" not in stderr
    assert stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [["fly"], ["mat", "--paper", "a9"]])
def test_a_wrong_choice_is_told_with_what_is_allowed(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A command, and a value."""
    with pytest.raises(SystemExit) as end:
        main(arguments)
    stderr = capsys.readouterr().err
    assert end.value.code == 2
    assert "choose from" in stderr
    assert stderr.count("\n") == 1


def test_what_the_system_refuses_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A disk that is full where nobody looked for it."""

    def run_on_full_disk(_: object) -> int:
        raise OSError(28, "No space left on device", "mat.pdf")

    monkeypatch.setattr("companion.commands.mat.run", run_on_full_disk)
    assert main(["mat"]) == 2
    assert capsys.readouterr().err == (
        "tenshu: The system refused: No space left on device (mat.pdf). "
        "Free some space there, or write elsewhere.\n"
    )


def test_a_terminal_that_knows_only_ascii_ends_no_command(tmp_path: Path) -> None:
    """The doctor's ✓ and file names of any kind."""
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "TENSHU_DATA": str(tmp_path)}
    command = [sys.executable, "-m", "companion", "doctor", "--camera", str(tmp_path / "kämera")]
    done = subprocess.run(
        command, env=environment, capture_output=True, check=False, cwd=Path(__file__).parents[2]
    )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"neither a camera nor a file" in done.stdout


@pytest.mark.parametrize("library", ["numpy", "cv2"])
def test_a_library_that_is_missing_is_named_with_the_way_to_get_it(library: str) -> None:
    """An installation that was cut off, or a Python that was updated, ended each command in a traceback."""
    lines = (
        f"import sys; sys.modules[{library!r}] = None",
        "from companion.cli import main; sys.exit(main(['doctor']))",
    )
    done = subprocess.run(
        [sys.executable, "-c", "; ".join(lines)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    [told] = done.stderr.splitlines()
    assert library in told
    assert "make .venv/run" in told


def test_an_inlay_without_its_name_is_not_called_a_mat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--oval` alone asks for one too."""
    monkeypatch.chdir(tmp_path)
    assert main(["mat", "--oval"]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["inlay.pdf"]


def test_what_is_only_drawn_is_no_option_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["firmware", "monitor", "--json", "--data", "."]) == 2
    assert "--data has no effect beside --json." in capsys.readouterr().err


def test_a_damaged_weight_of_cubes_does_not_keep_json_from_coming(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The lines hold what the board weighs, and no cubes."""
    (tmp_path / "scale.json").write_text('{"x":', encoding="utf-8")
    monkeypatch.setenv("TENSHU_DATA", str(tmp_path))
    assert main(["firmware", "monitor", "--json", "--port", "/dev/nope", "--seconds", "0.3"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0])["event"] == "LinkDown"


@pytest.mark.filterwarnings("ignore:.*found in sys.modules:RuntimeWarning")  # another test imported it
@pytest.mark.parametrize(
    ("program", "wrong"),
    [
        ("tests.firmware.fuzz", "many"),
        ("tests.companion.games.shogun.bots", "0"),
        ("tests.load", "--changes=0"),
        ("firmware.drawings", "--into=x"),
        ("calibration.sheets.drawings", "--into=x"),
        ("companion.reference", "--into=x"),
        ("companion.web.openapi", "--into=x"),
        ("companion.web.iconmaking", "--into=x"),
    ],
)
def test_the_tools_of_who_builds_it_say_how_they_are_called(
    program: str,
    wrong: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`--help` was a traceback, or a folder of that name, or what they do was done."""
    monkeypatch.chdir(tmp_path)
    for argument, status in (("--help", 0), (wrong, 2)):
        monkeypatch.setattr(sys, "argv", [program, argument])
        with pytest.raises(SystemExit) as end:
            run_module(program, run_name="__main__", alter_sys=True)
        assert end.value.code == status
        output = capsys.readouterr()
        assert (output.out + output.err).startswith("usage: ")
    assert not list(tmp_path.iterdir())
