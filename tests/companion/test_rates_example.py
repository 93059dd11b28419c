"""The example for statisticians, on a real export."""

import random
import re
import subprocess
import sys
from pathlib import Path

from companion.cli import main
from companion.games.protocol import Colour
from companion.table.log.towerstats import of_table, statistics_json
from tests.companion.table.tables import Table

EXAMPLE = Path(__file__).parents[2] / "examples" / "rates.py"
FRESH, STUCK = 0.8, 0.3
RATE = re.compile(r"(\d+) % ± (\d+)")


def _exported(folder: Path, throws: int) -> tuple[Path, Table]:
    """A tower with rates of its own, thrown through so often: what lies in the tray goes in again."""
    chance = random.Random(5)
    box = {"white": 20, "red": 20}
    table = Table(folder / "tables", "just_the_tower", {"box": box, "tower": {}}, "box")
    tray, inside = dict.fromkeys(box, 0), dict.fromkeys(box, 0)
    for _ in range(throws):
        new = {c: chance.randint(0, min(3, box[c] - tray[c] - inside[c])) for c in box}
        table.session.command({"kind": "throw", "cubes": new}, "anna", table.expected)
        out = {
            c: sum(chance.random() < FRESH for _ in range(tray[c] + new[c]))
            + sum(chance.random() < STUCK for _ in range(inside[c]))
            for c in box
        }
        inside = {c: inside[c] + tray[c] + new[c] - out[c] for c in box}
        tray = out
        table.session.settle({Colour(c): n for c, n in out.items()}, "anna", table.expected)
    assert main(["log", "export", "--data", str(folder), "-o", str(folder / "throws.csv")]) == 0
    return folder / "throws.csv", table


def _run(path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, EXAMPLE, path], capture_output=True, text=True, check=False)


def test_it_finds_the_rates_of_a_tower_as_the_page_does(tmp_path: Path) -> None:
    path, table = _exported(tmp_path, 60)
    told = _run(path).stdout
    fit = statistics_json([of_table("box", table.session.events())], "game")["fit"]
    own = (fit["rates"]["fresh"], fit["rates"]["stuck"])
    for (rate, error), true, page in zip(RATE.findall(told), (FRESH, STUCK), own, strict=True):
        assert abs(int(rate) - 100 * true) < 3 * int(error)
        assert abs(int(rate) - 100 * page) < 2 * int(error)
    assert told.endswith("60 throws.\n")


def test_of_few_throws_it_says_nothing(tmp_path: Path) -> None:
    path, _ = _exported(tmp_path, 3)
    assert _run(path).stderr == f"{path} has too few throws for two rates: 3 that count.\n"
