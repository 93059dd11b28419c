"""The docs stay true: every command is documented, every link works, every file named exists."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from pkgutil import resolve_name

import pytest
from platformdirs.macos import MacOS
from platformdirs.unix import Unix

from companion.cli import COMMANDS, build_parser
from companion.games.registry import find
from companion.reference import commands_page

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("**/*.md"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")
TO_A_HEADING = re.compile(r"\[[^\]]*\]\(([^)#\s]*)#([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
COMMAND = re.compile(r"`tenshu ([a-z]+)")
DOTTED = re.compile(r"`((?:vision|calibration|firmware|companion)(?:\.\w+)+)`")
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
PYTHON_FILE = re.compile(r"`((?:vision|calibration|firmware|companion|tests)/[\w/]+\.(?:py|c|h|md|json))`")


def test_reference_is_what_the_command_line_says() -> None:
    """After changing an option, run `make docs`."""
    assert (ROOT / "docs" / "commands.md").read_text(encoding="utf-8") == commands_page()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_reference(command: str) -> None:
    """Each command has a section."""
    assert f"\n## tenshu {command}\n" in commands_page()


def test_every_argument_says_what_it_is() -> None:
    """`tenshu synth --tray`, `--plastic` and `--light` used to have no description."""
    assert re.findall(r"^\| `.*` \|  \|$", commands_page(), re.MULTILINE) == []


def test_an_option_of_two_words_is_written_as_one_types_it() -> None:
    """It used to be shown as `--rename ('OLD', 'NEW')`."""
    assert "| `--rename OLD NEW` |" in commands_page()


def test_the_index_of_trials_is_read_at_a_glance() -> None:
    """A cell used to quote six headings in full, of up to 80 letters each."""
    page = (ROOT / "docs" / "trials.md").read_text(encoding="utf-8")
    seen = re.sub(r"\]\([^)]*\)", "]", page)
    rows = [line for line in seen.splitlines() if line.startswith("|")]
    assert [cell for row in rows for cell in row.split("|") if len(cell) > 200] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """Pages and pictures inside the repository."""
    targets = [target for target in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in target]
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_to_a_heading_find_it(page: Path) -> None:
    """Links to a reworded heading would lead to the top of the page."""
    links = [link for link in TO_A_HEADING.findall(page.read_text(encoding="utf-8")) if "://" not in link[0]]
    assert [
        (file, to) for file, to in links if to not in _anchors(page.parent / file if file else page)
    ] == []


def test_every_page_is_reached_from_the_readme() -> None:
    """By following links: two pages, Shogun's rules by number, used to be linked from nowhere."""
    reached: set[Path] = set()
    ahead = [ROOT / "README.md"]
    while ahead:
        page = ahead.pop()
        if page.suffix == ".md" and page not in reached:
            reached.add(page)
            ahead += [(page.parent / target).resolve() for target in LINK.findall(page.read_text("utf-8"))]
    assert [str(page) for page in PAGES if page not in reached] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_and_files_that_are_named_exist(page: Path) -> None:
    """No page mentions a command or a file that is gone."""
    text = page.read_text(encoding="utf-8")
    assert set(COMMAND.findall(text)) - set(COMMANDS) == set()
    assert [name for name in PYTHON_FILE.findall(text) if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_functions_that_are_named_exist(page: Path) -> None:
    """The walks through the code name what exists today."""
    named = DOTTED.findall(page.read_text(encoding="utf-8"))
    assert [name for name in named if not _exists(name)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_tests_that_are_named_exist(page: Path) -> None:
    """A reader can look up the test that keeps a promise."""
    named = TEST.findall(page.read_text(encoding="utf-8"))
    assert [f"{file}::{name}" for file, name in named if name not in _function_names(ROOT / file)] == []


def test_the_folder_that_is_told_is_the_one_that_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever makes backups copies the folder that docs/host.md names."""
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    page = (ROOT / "docs" / "host.md").read_text(encoding="utf-8")
    for system in (Unix, MacOS):
        folder = system("tenshu", appauthor=False).user_data_path.relative_to(Path.home())
        assert f"`~/{folder}`" in page


@pytest.fixture
def service(tmp_path: Path) -> Path:
    """The systemd unit in a home folder in which Tenshu is installed."""
    program = tmp_path / "tenshu" / ".venv" / "bin" / "tenshu"
    program.parent.mkdir(parents=True)
    program.symlink_to(sys.executable)
    unit = tmp_path / "tenshu.service"
    return Path(shutil.copy(ROOT / "examples" / unit.name, unit))


def test_the_service_starts_what_there_is(service: Path) -> None:
    """It starts Tenshu from where the docs install it, with options that `tenshu` understands."""
    [line] = re.findall(r"^ExecStart=(.*)$", service.read_text(encoding="utf-8"), re.MULTILINE)
    program, *options = line.replace("%h", str(service.parent)).split()
    assert Path(program).exists()
    assert "with Tenshu in `~/tenshu`" in (ROOT / "docs" / "host.md").read_text(encoding="utf-8")
    assert build_parser().parse_args(options).camera == "0"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is missing")
def test_systemd_understands_the_service(service: Path) -> None:
    """systemd only warns of an unknown key or a missing program, so no warnings are allowed."""
    environment = {**os.environ, "HOME": str(service.parent), "XDG_RUNTIME_DIR": str(service.parent)}
    command = ["systemd-analyze", "verify", "--user", str(service)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert (result.stdout, result.stderr) == ("", "")


GAME_API = (ROOT / "docs" / "rules" / "game-api.md").read_text(encoding="utf-8")
TOWER_API = GAME_API.partition("## Just the tower")[2].partition("\n## ")[0]
BLOCK = re.compile(r"```json\n(.*?)```", re.DOTALL)
COMMAND_JSON = re.compile(r'`(\{"kind": .*?\})`', re.DOTALL)


@pytest.mark.parametrize(
    ("game", "page"), [("shogun", GAME_API.replace(TOWER_API, "")), ("just_the_tower", TOWER_API)]
)
def test_games_and_commands_that_are_shown_are_understood(game: str, page: str) -> None:
    """Copied from the page, they make a game and valid commands."""
    played = find(game)
    begun = [options for block in BLOCK.findall(page) for options in block.splitlines()]
    assert all(played.new(json.loads(options)) for options in begun)
    commands = [json.loads(text) for text in COMMAND_JSON.findall(page)]
    assert len(commands) >= 3
    for body in commands:
        assert played.encode_command(played.decode_command(body))["kind"] == body["kind"]


def _anchors(page: Path) -> set[str]:
    """Anchors of a page's headings as GitHub makes them."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    words = (re.sub(r"\]\([^)]*\)", "", title).lower() for title in HEADING.findall(text))
    return {re.sub(r"[^\w\- ]", "", title).strip().replace(" ", "-") for title in words}


def _function_names(file: Path) -> set[str]:
    if not file.exists():
        return set()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def _exists(dotted: str) -> bool:
    try:
        resolve_name(dotted)
    except (ImportError, AttributeError):
        return False
    return True
