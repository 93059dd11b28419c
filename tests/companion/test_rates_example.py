"""The example for statisticians, on a real export."""

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import main
from companion.games.protocol import Colour
from companion.table.log.towerstats import statistics_json, table_throws
from tests.companion.table.tables import Table

EXAMPLE = Path(__file__).parents[2] / "examples" / "rates.py"
FRESH, STUCK = 0.8, 0.3
NO_LOG = "is no log that can be read. Write one: tenshu log export -o throws.csv"
FEW = "has too few throws for two rates: 0 that count."
RATE = re.compile(r"(\d+) % ± (\d+)")


def _export_tower(folder: Path, throws: int) -> tuple[Path, Table]:
    """A tower with rates of its own, thrown through so often: what lies in the tray goes in again."""
    chance = random.Random(5)
    box = {"white": 20, "red": 20}
    table = Table(folder / "tables", "just_the_tower", {"box": box, "tower": {}}, "box")
    tray, inside = dict.fromkeys(box, 0), dict.fromkeys(box, 0)
    for _ in range(throws):
        added = {c: chance.randint(0, min(3, box[c] - tray[c] - inside[c])) for c in box}
        table.session.command({"kind": "throw", "cubes": added}, "anna", table.expected)
        out = {
            c: sum(chance.random() < FRESH for _ in range(tray[c] + added[c]))
            + sum(chance.random() < STUCK for _ in range(inside[c]))
            for c in box
        }
        inside = {c: inside[c] + tray[c] + added[c] - out[c] for c in box}
        tray = out
        table.session.settle({Colour(c): n for c, n in out.items()}, "anna", table.expected)
    _correct_last_twice(table)
    assert main(["log", "export", "--data", str(folder), "-o", str(folder / "throws.csv")]) == 0
    _add_unknown_row(folder / "throws.csv")
    return folder / "throws.csv", table


def _correct_last_twice(table: Table) -> None:
    """The last throw was told wrongly: of its three rows two do not count."""
    for more in (-1, 1):
        throw = max(table.session.throws(), key=lambda record: int(record["batch"]))
        red = throw["accepted"]["red"] + more
        counts = {Colour(c): int(n) for c, n in throw["accepted"].items()} | {Colour("red"): red}
        table.session.correct(throw["batch"], counts, "miscounted", "anna", table.expected)


def _add_unknown_row(path: Path) -> None:
    """As in a log of a tower that was knocked: nobody knew what was inside."""
    head, *rows = path.read_text(encoding="utf-8").splitlines()
    cells = dict(zip(head.split(","), rows[-1].split(","), strict=True))
    cells |= {"inside_known": "False", "out_red": "999"}
    path.write_text("\n".join([head, *rows, ",".join(cells.values())]), encoding="utf-8")


def _run_example(path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, EXAMPLE, path], capture_output=True, text=True, check=False)


def test_it_finds_the_rates_of_a_tower_as_the_page_does(tmp_path: Path) -> None:
    path, table = _export_tower(tmp_path, 60)
    stdout = _run_example(path).stdout
    fit = statistics_json([table_throws("box", table.session.events())], "game")["fit"]
    page_rates = (fit["rates"]["fresh"], fit["rates"]["stuck"])
    for (rate, error), true_rate, page_rate in zip(
        RATE.findall(stdout), (FRESH, STUCK), page_rates, strict=True
    ):
        assert abs(int(rate) - 100 * true_rate) < 3 * int(error)
        assert abs(int(rate) - 100 * page_rate) < 2 * int(error)
    assert stdout.endswith("60 throws.\n")


def test_throws_that_bring_all_out_count_as_any(tmp_path: Path) -> None:
    """Of few cubes inside all often come out: without those throws the stuck ones seemed to stay."""
    chance = random.Random(2)
    rows, inside = ["undone,inside_known,table_red,tray_red,retained_red,out_red"], 0
    for _ in range(2000):
        added = chance.randint(0, 3)
        fell = sum(chance.random() < FRESH for _ in range(added))
        out = fell + sum(chance.random() < STUCK for _ in range(inside))
        inside += added - out
        rows.append(f"False,True,{added},0,{inside},{out}")
    (tmp_path / "throws.csv").write_text("\n".join(rows), encoding="utf-8")
    rates = RATE.findall(_run_example(tmp_path / "throws.csv").stdout)
    for (rate, error), true_rate in zip(rates, (FRESH, STUCK), strict=True):
        assert abs(int(rate) - 100 * true_rate) <= 2 * int(error)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, NO_LOG),
        (b"PK\x03\x04\xff\x00", NO_LOG),
        (b"a,b\n1,2\n", NO_LOG),
        (b"", FEW),
        (b"undone,inside_known\nFalse\n", FEW),
    ],
    ids=["missing", "a workbook", "another table", "empty", "cut short"],
)
def test_what_is_no_log_is_told_with_what_to_do(
    content: bytes | None, complaint: str, tmp_path: Path
) -> None:
    path = tmp_path / "throws.xlsx"
    if content is not None:
        path.write_bytes(content)
    done = _run_example(path)
    assert (done.returncode, done.stderr) == (1, f"{path} {complaint}\n")


def test_of_few_throws_it_says_nothing(tmp_path: Path) -> None:
    path, _ = _export_tower(tmp_path, 3)
    assert _run_example(path).stderr == f"{path} has too few throws for two rates: 3 that count.\n"


def _write_log(path: Path, rows: list[str]) -> Path:
    path.write_text(
        "\n".join(["undone,inside_known,table_red,tray_red,retained_red,out_red", *rows]), "utf-8"
    )
    return path


def test_a_tower_in_which_nothing_stays_has_not_too_few_throws(tmp_path: Path) -> None:
    """It said so of forty."""
    path = _write_log(tmp_path / "throws.csv", ["False,True,5,0,0,5"] * 40)
    complaint = "does not tell two rates apart: nothing was stuck inside, or always as much."
    assert _run_example(path).stderr == f"{path} {complaint}\n"


def test_throws_whose_inside_is_not_told_do_not_count(tmp_path: Path) -> None:
    """Of a table that hides what is inside; with two others the rates were known to "± inf"."""
    path = _write_log(
        tmp_path / "throws.csv", [*["False,True,5,0,,3"] * 40, "False,True,5,0,2,3", "False,True,5,0,4,3"]
    )
    assert _run_example(path).stderr == f"{path} has too few throws for two rates: 2 that count.\n"


def test_a_log_that_a_spreadsheet_wrote_again_is_read(tmp_path: Path) -> None:
    """It writes FALSE and TRUE: no throw counted."""
    rows = [f"FALSE,TRUE,3,0,{number % 3 + 1},{2 + number % 2}" for number in range(20)]
    assert _run_example(_write_log(tmp_path / "throws.csv", rows)).stdout.endswith("20 throws.\n")


def test_who_has_read_enough_of_it_reads_no_traceback(tmp_path: Path) -> None:
    """As led into `head -0`."""
    rows = [f"False,True,3,0,{number % 3 + 1},{2 + number % 2}" for number in range(20)]
    command = [sys.executable, str(EXAMPLE), str(_write_log(tmp_path / "throws.csv", rows))]
    reads, writes = os.pipe()
    os.close(reads)
    try:
        done = subprocess.run(command, stdout=writes, stderr=subprocess.PIPE, text=True, check=False)
    finally:
        os.close(writes)
    assert (done.returncode, done.stderr) == (0, "")
