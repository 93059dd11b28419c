"""`tenshu log export`: the throws of all tables that can be read; nothing else is opened, none written."""

import csv
import io
import re
import sqlite3
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from openpyxl import load_workbook
from pyarrow import parquet

from companion.cli import main
from companion.games.protocol import Colour, TowerShown
from companion.table.files.tables import Tables
from companion.table.log.throwlog import HEAD, kind_of, rows_of
from companion.table.log.towerstats import TowerLog, told_rows
from tests.companion.table.tables import Table


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """One table with one throw, as `serve` leaves it."""
    table = Table(tmp_path / "tables", name="friday")
    table.attack()
    table.falls(red=4, blue=1)
    table.pass_s(5)
    assert len(table.session.throws()) == 1
    table.store.close()
    return tmp_path


def files(folder: Path) -> dict[Path, tuple[bytes, int]]:
    return {
        path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()
    }


def export(data: Path, *arguments: str) -> int:
    return main(["log", "export", "--data", str(data), *arguments])


def test_export_leaves_everything_as_it_was(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """SQLite puts files of its own beside a table, and a file of no bytes became one of 16 kB."""
    (data / "tables" / "nothing.sqlite3").touch()
    before = files(data)
    assert export(data) == 2
    assert files(data) == before
    output = capsys.readouterr()
    assert len(output.out.splitlines()) == 2
    assert output.err.startswith(
        "tenshu: The table nothing cannot be read, so its throws are left out. Open it"
    )


def row_of(data: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, str]:
    assert export(data, *arguments) == 0
    [row] = csv.DictReader(io.StringIO(capsys.readouterr().out))
    return row


def test_no_colour_of_another_game_is_lost(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The log knew Shogun's six colours: white and orange cubes went in and never came out."""
    table = Table(
        data / "tables", "just_the_tower", {"box": {"white": 9, "red": 9}, "tower": {"white": 2}}, "box"
    )
    table.session.command({"kind": "throw", "cubes": {"white": 5, "red": 1}}, "anna", table.expected)
    table.session.settle({Colour("white"): 4}, "anna", table.expected)
    table.store.close()
    row = row_of(data, capsys, "--table", "box")
    cells = {group: (row[f"{group}_white"], row[f"{group}_red"]) for group in ("table", "out", "retained")}
    assert cells == {"table": ("5", "1"), "out": ("4", "0"), "retained": ("3", "1")}


def test_a_table_s_file_that_was_given_another_name_is_told_by_it(data: Path) -> None:
    """A new table was begun under the old name: two throws were the same throw of the same table."""
    (data / "tables" / "friday.sqlite3").rename(data / "tables" / "last-week.sqlite3")
    table = Table(data / "tables", name="friday")
    table.attack()
    table.session.settle({Colour("red"): 2}, "anna", table.expected)
    table.store.close()
    exported = rows_of(data / "tables").rows
    served = TowerLog(Tables(data / "tables")).rows_of_all()
    for rows in (exported, served):
        assert {(row["game"], row["out_red"]) for row in rows} == {("friday", 2), ("last-week", 4)}
    assert [row["game"] for row in rows_of(data / "tables", "last-week").rows] == ["last-week"]


def test_the_log_says_when_nobody_knew_what_was_inside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The tower was knocked: what is believed to be inside is worth nothing until it is opened."""
    table = Table(tmp_path / "tables")
    table.session.command({"kind": "knock"}, "anna", table.expected)
    table.attack()
    table.session.settle({Colour("red"): 2}, "anna", table.expected)
    table.store.close()
    assert row_of(tmp_path, capsys)["inside_known"] == "False"


def test_nobody_knew_what_was_inside_where_more_came_out(data: Path) -> None:
    """A person insisted on it: with what is believed to be inside, none, nothing was in there before."""
    box = {"box": {"white": 9, "red": 9}, "tower": {"white": 2}}
    table = Table(data / "tables", "just_the_tower", box, "box")
    for thrown, out in ((1, 3), (1, 5)):
        table.session.command({"kind": "throw", "cubes": {"white": thrown}}, "anna", table.expected)
        table.session.settle({Colour("white"): out}, "anna", table.expected, insist=True)
    table.store.close()
    cells = [(row["retained_white"], row["inside_known"]) for row in rows_of(data / "tables", "box").rows]
    assert cells == [(0, True), (0, False)]


@pytest.mark.parametrize("shown", TowerShown)
def test_what_was_insisted_on_is_told_as_unknown_however_much_of_the_tower_is_told(
    shown: TowerShown, tmp_path: Path
) -> None:
    """Only a table that told everything said so: in the log of the others it was a throw like any."""
    table = Table(tmp_path, "just_the_tower", {"box": {"red": 10}, "tower": {}})
    for out in (2, 7):  # of three, then of three more and the three from before
        table.session.command({"kind": "throw", "cubes": {"red": 3}}, "anna", table.expected)
        table.session.settle({Colour("red"): out}, "anna", table.expected, insist=True)
    if shown is not TowerShown.ALL:
        table.session.show_tower(shown, "anna", table.expected)
    rows = told_rows(table.session.events())
    table.store.close()
    assert [row["inside_known"] for row in rows] == [True, False]
    assert [row["retained_red"] for row in rows] == ([1, 0] if shown is TowerShown.ALL else [None, None])


def test_a_throw_that_was_put_right_is_as_unsure_as_it_was(tmp_path: Path) -> None:
    """The one that was taken back was told as known, though the tower was knocked before it."""
    table = Table(tmp_path / "tables")
    for command in ({"kind": "knock"}, {"kind": "count_tower", "inside": {"red": 2}}, {"kind": "knock"}):
        table.session.command(command, "anna", table.expected)
    table.attack()
    table.session.settle({Colour("red"): 2}, "anna", table.expected)
    [throw] = table.session.throws()
    table.session.correct(throw["batch"], {Colour("red"): 3}, "one more", "anna", table.expected)
    table.store.close()
    cells = [(row["undone"], row["inside_known"]) for row in rows_of(tmp_path / "tables").rows]
    assert cells == [(True, False), (False, False)]


def test_parquet_has_the_kinds_of_its_columns_though_all_is_missing(data: Path, tmp_path: Path) -> None:
    """Without a load cell its columns had no kind at all, and two evenings did not fit together."""
    assert export(data, "--format", "parquet", "-o", str(tmp_path / "log.parquet")) == 0
    table = parquet.read_table(tmp_path / "log.parquet")
    kinds = {
        name: str(table.schema.field(name).type) for name in ("time_utc", "weight_mg", "weight_sure", "by")
    }
    assert kinds == {
        "time_utc": "timestamp[ms, tz=UTC]",
        "weight_mg": "int64",
        "weight_sure": "double",
        "by": "string",
    }
    [row] = table.to_pylist()
    assert (row["time_utc"], row["weight_mg"], row["out_red"]) == (datetime.fromtimestamp(1005, UTC), None, 4)


def test_a_file_is_of_the_kind_that_its_name_says(data: Path, tmp_path: Path) -> None:
    """Without `--format` lines of CSV stood in `throws.parquet`, and no program for Parquet could open it."""
    named = (("a.parquet", ()), ("b.csv", ()), ("c", ("--format", "parquet")), ("d.XLSX", ()))
    for name, more in named:
        assert export(data, "-o", str(tmp_path / name), *more) == 0
    assert parquet.read_table(tmp_path / "a.parquet").num_rows == 1
    assert parquet.read_table(tmp_path / "c").num_rows == 1
    assert (tmp_path / "b.csv").read_text().startswith("game,throw,")
    assert load_workbook(tmp_path / "d.XLSX").active.max_row == 2


def test_a_workbook_says_what_the_other_forms_do(tmp_path: Path) -> None:
    """With a name in Cyrillic that begins as a formula does, and a throw that was taken back."""
    table = Table(tmp_path / "tables")
    table.attack()
    table.session.settle({Colour("red"): 4}, "=Аня", table.expected)
    [throw] = table.session.throws()
    table.session.correct(throw["batch"], {Colour("red"): 3}, "one less", "anna", table.expected)
    table.store.close()
    assert export(tmp_path, "-o", str(tmp_path / "log.xlsx")) == 0
    assert export(tmp_path, "-o", str(tmp_path / "log.parquet")) == 0
    sheet = load_workbook(tmp_path / "log.xlsx").active
    head, *rows = ([cell.value for cell in row] for row in sheet.iter_rows())
    from_sheet = [dict(zip(head, row, strict=True)) for row in rows]
    expected = parquet.read_table(tmp_path / "log.parquet").to_pylist()
    for row in expected:
        row["time_utc"] = row["time_utc"].replace(tzinfo=None)
    assert from_sheet == expected
    assert [(row["author"], row["undone"]) for row in from_sheet] == [("=Аня", True), ("anna", False)]
    author = head.index("author") + 1
    assert [sheet.cell(row, author).data_type for row in (2, 3)] == ["s", "s"], "no formula"
    assert [sheet.cell(row, author).font.strike for row in (2, 3)] == [True, None]


@pytest.mark.parametrize("name", ["throws.json", "throws.XLS", "throws.ods", "throws.tsv", "throws.csv.gz"])
def test_no_file_is_named_for_what_it_is_not(
    name: str, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lines of CSV stood in `throws.json` without a word."""
    assert export(data, "-o", str(tmp_path / name)) == 2
    assert not (tmp_path / name).exists()
    assert "Throws are written as XLSX, CSV or Parquet, and not as ." in capsys.readouterr().err
    assert export(data, "--format", "csv", "-o", str(tmp_path / name)) == 0


def test_what_is_led_into_a_file_is_utf_8_whatever_the_terminal_speaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a log of Windows, or of a Latin-1 terminal, a player was called `\\u0410\\u043d\\u044f`."""
    table = Table(tmp_path / "tables")
    table.attack()
    table.session.settle({Colour("red"): 4}, "Аня", table.expected)
    table.store.close()
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="latin-1"))
    assert export(tmp_path) == 0
    [row] = csv.DictReader(io.StringIO(written.getvalue().decode()))
    assert row["author"] == "Аня"


def test_a_dash_is_standard_output(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert export(data, "-o", "-") == 0
    assert len(list(csv.DictReader(io.StringIO(capsys.readouterr().out)))) == 1
    assert not Path("-").exists()
    assert export(data, "-o", "-", "--format", "xlsx") == 2
    assert "does not go to a terminal" in capsys.readouterr().err


def test_an_export_of_nothing_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As by another user, or with a slip in `TENSHU_DATA`: there was a file of one line, and not a word."""
    assert export(tmp_path, "-o", str(tmp_path / "log.csv")) == 0
    assert (tmp_path / "log.csv").read_text().startswith("game,throw,")
    output = capsys.readouterr()
    assert output.err.startswith(f"tenshu: There is no throw in {tmp_path / 'tables'}. Where tables are kept")
    assert export(tmp_path) == 0, "led into another program as well"
    assert capsys.readouterr() == ((tmp_path / "log.csv").read_text(), output.err)


def test_without_pyarrow_the_remedy_is_what_to_run(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It asked pip for Tenshu itself, which is not installed that way."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setattr(sys, "executable", "/home/anna/board games/.venv/bin/python")
    assert export(data, "--format", "parquet", "-o", str(tmp_path / "log.parquet")) == 2
    assert "Run: '/home/anna/board games/.venv/bin/python' -m pip install pyarrow" in capsys.readouterr().err
    assert not (tmp_path / "log.parquet").exists()


def test_what_each_column_holds_is_told(data: Path) -> None:
    """Every column stands in the page of the tower, and every value has the kind of its column."""
    named = set(re.findall("`[^`]+`", Path("docs/tower.md").read_text(encoding="utf-8")))
    unnamed = [n for n in HEAD if not {f"`{n}`", f"`{n.split('_')[0]}_COLOUR`"} & named]
    assert unnamed == []
    [row] = rows_of(data / "tables").rows
    kinds = {"int": int, "float": float, "bool": bool, "text": str, "time": str}
    wrong = [n for n in HEAD if row[n] is not None and type(row[n]) is not kinds[kind_of(n)]]
    assert wrong == []


def test_a_damaged_table_stands_in_no_other_s_way(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One whose bytes are not SQLite's, one that lost an event, one of a game that nobody knows."""
    good = data / "tables" / "friday.sqlite3"
    (data / "tables" / "a-bytes.sqlite3").write_bytes(b"no table at all" * 400)
    for name, change in (
        ("b-lost", "DELETE FROM events WHERE seq = 2"),
        ("z-other", "UPDATE events SET body = '{}'"),
    ):
        damaged = data / "tables" / f"{name}.sqlite3"
        damaged.write_bytes(good.read_bytes())
        with sqlite3.connect(damaged) as connection:
            connection.execute(change)
        connection.close()
    assert export(data) == 2
    output = capsys.readouterr()
    assert len(output.out.splitlines()) == 2
    assert [line.split()[3] for line in output.err.splitlines()] == ["a-bytes", "b-lost", "z-other"]


def test_a_folder_that_cannot_be_written_is_read(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backup, a card that is locked."""
    connect = sqlite3.connect

    def connect_immutable(name: str, **options: object) -> object:
        assert "immutable=1" in name
        return connect(name, uri=bool(options.get("uri")))

    monkeypatch.setattr(sqlite3, "connect", connect_immutable)
    assert export(data, "--table", "friday") == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_throws_stay_in_their_order_though_the_clock_went_back(tmp_path: Path) -> None:
    """A small computer without a network has a clock that begins anew: the second throw came before the
    first, and what was inside could not be followed from row to row."""
    table = Table(tmp_path, "just_the_tower", {"box": {"red": 30}}, "pi")
    for moment_s, out in ((2e6, 0), (1e6, 1), (1.7e9, 0)):
        table.clock.now_s = moment_s
        table.session.command({"kind": "throw", "cubes": {"red": 3}}, "anna", table.expected)
        table.session.settle({Colour("red"): out}, "anna", table.expected)
    table.store.close()
    rows = rows_of(tmp_path).rows
    assert [row["retained_red"] for row in rows] == [3, 5, 9]
    assert [row["time_utc"][:4] for row in rows] == ["1970", "1970", "2023"]


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "**", "*", "../../other", "", "frid?", "Friday", "friday\n", "a\0"]
)
def test_what_is_no_name_opens_nothing(name: str, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It was a pattern: tables of other folders were read, or it ended in a traceback."""
    assert export(data, "--table", name) == 2
    output = capsys.readouterr()
    assert (output.out, output.err.split(".")[0]) == ("", "tenshu: That is not a name for a table")


def test_a_table_that_is_not_there_is_one_sentence(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(data, "--table", "other") == 2
    assert "There is no table 'other'" in capsys.readouterr().err


def test_a_data_folder_that_is_none_is_one_sentence(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A slip of the pen, and a file: both gave an empty table and status 0."""
    typo, file = data / "typo", data / "tables" / "friday.sqlite3"
    for wrong, sentence in ((typo, f"There is no folder {typo}."), (file, f"{file} is a file,")):
        assert export(wrong) == 2
        output = capsys.readouterr()
        assert (output.out, output.err.startswith(f"tenshu: {sentence}")) == ("", True)
