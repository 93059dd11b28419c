"""The tower's statistics over HTTP: correct figures, nothing that the table hides, rows to download."""

import csv
import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from openpyxl import load_workbook

from companion.demo.table import FIRST, OPTIONS
from companion.games.protocol import Colour, TowerShown
from companion.games.registry import find
from companion.store.events import StoredEvent
from companion.table.files.backups import keep_under_free_name
from companion.table.log.throwlog import rows_of
from companion.table.log.towerstats import statistics_json, table_throws
from companion.table.messages import SensorSpec
from companion.table.past.undoing import Wish
from companion.table.runtime import Runtime, TableSpec
from companion.web.app import create_app
from tests.companion.web.conftest import expected_at

HOST = {"REMOTE_ADDR": "127.0.0.1"}
STRANGER = {"REMOTE_ADDR": "192.168.1.9"}


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    """The demo's board at a table with its own name, as throws of the demo are not a real tower's."""
    sensors = SensorSpec("none", "none", profiles=str(tmp_path / "profiles"))
    opened = Runtime(TableSpec("friday", tmp_path, sensors, OPTIONS, FIRST), find("shogun"))
    yield opened
    opened.stop()


def throw(runtime: Runtime, **tray: int) -> int:
    """Throw one battle of the demo and count it by hand; return the number of its command."""
    session = runtime.session
    if session.view()["phase"] == "idle":
        foe = next(
            province["id"] for province in session.view()["game"]["provinces"] if province["owner"] != "red"
        )
        command = {"kind": "declare", "attacker": "red", "province": foe, "armies": 3, "origin": None}
        session.command(command, "anna", expected_at(runtime))
    counts = {Colour(colour): number for colour, number in tray.items()}
    session.settle(counts, "anna", expected_at(runtime), insist=True)
    return int(session.throws()[0]["batch"])


def read_figures(client: FlaskClient, of: str = "game") -> Any:
    return client.get(f"/api/v1/statistics?of={of}", environ_base=HOST).get_json()


@pytest.mark.parametrize("of", ["game", "all"])
def test_figures_are_reckoned_once_for_all_devices_that_show_them(
    of: str, client: FlaskClient, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every device showing them requests them after each command: eight had a year computed eight times."""
    computed: list[str] = []

    def compute_and_count(*arguments: Any) -> Any:
        computed.append(of)
        return statistics_json(*arguments)

    monkeypatch.setattr("companion.table.log.towerstats.statistics_json", compute_and_count)
    throw(runtime, red=3, blue=1)
    with ThreadPoolExecutor(4) as devices:
        figures = list(devices.map(lambda _: read_figures(client.application.test_client(), of), range(8)))
    assert [figure["throws"] for figure in figures] == [1] * 8
    throw(runtime, red=2)
    assert (read_figures(client, of)["throws"], len(computed)) == (2, 2)


def test_a_throw_is_told_as_it_was(client: FlaskClient, runtime: Runtime) -> None:
    throws = runtime.session.throws()
    assert throws == []
    throw(runtime, red=3, blue=1)
    figures = read_figures(client)
    record = runtime.session.throws()[0]
    went_in = sum(record["from_table"].values()) + sum(record["from_tray"].values())
    assert (figures["throws"], figures["coloured"], figures["tables"]) == (1, 1, 1)
    assert sum(row["went_in"] for row in figures["colours"]) == went_in
    red = next(row for row in figures["colours"] if row["colour"] == "red")
    assert red["came_out"] == 3
    [kept] = [row["cubes"] for row in figures["kept"] if row["throws"]]
    assert kept == went_in - 4
    assert figures["inside"] == [
        {"batch": record["batch"], "cubes": sum(record["possible"].values()) - 4},
    ]
    assert figures["fit"] is None
    assert figures["battles"]["number"] == 1
    assert 0 < figures["upsets"][0]["chance"] <= 1


def test_what_was_taken_back_is_not_counted(client: FlaskClient, runtime: Runtime) -> None:
    batch = throw(runtime, red=3, blue=1)
    runtime.session.undo(Wish(batch, "anna"), expected_at(runtime), agreed=["anna"])
    assert (read_figures(client)["throws"], read_figures(client)["undone"]) == (0, 1)


@pytest.mark.parametrize("level", [TowerShown.HIDDEN, TowerShown.TOTALS])
def test_what_the_table_hides_is_not_reckoned_for_anybody(
    client: FlaskClient, runtime: Runtime, level: TowerShown
) -> None:
    """In minus out is what is inside: figures per colour are given only if the tower is shown in full."""
    runtime.session.show_tower(level, "host", expected_at(runtime))
    throw(runtime, red=3, blue=1)
    for of in ("game", "all"):
        figures = read_figures(client, of)
        assert (figures["throws"], figures["coloured"]) == (1, 0)
        assert figures["colours"] == figures["upsets"] == []
        assert figures["battles"]["number"] == 0
        assert bool(figures["kept"]) == bool(figures["numbered"]) == (level is TowerShown.TOTALS)
    [row] = client.get("/api/v1/throwlog.json", environ_base=HOST).get_json()["throws"]
    assert row["retained_red"] is None
    assert row["out_red"] == 3


def test_nothing_is_held_against_the_odds_while_nobody_knows_what_is_inside(
    client: FlaskClient, runtime: Runtime
) -> None:
    throw(runtime, red=3, blue=1)
    runtime.session.command({"kind": "knock"}, "anna", expected_at(runtime))
    throw(runtime, red=2)
    figures = read_figures(client)
    assert (figures["throws"], figures["battles"]["number"]) == (2, 1)
    runtime.session.command({"kind": "count_tower", "inside": {"red": 2}}, "anna", expected_at(runtime))
    throw(runtime, red=2)
    figures = read_figures(client)
    assert (figures["battles"]["number"], figures["coloured"], figures["known"]) == (2, 3, 2)


def test_every_throw_can_be_taken_away(client: FlaskClient, runtime: Runtime) -> None:
    throw(runtime, red=3, blue=1)
    throw(runtime, red=2)
    answer = client.get("/api/v1/throwlog.csv", environ_base=HOST)
    assert answer.mimetype == "text/csv"
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="tenshu-throws-')
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["out_red"] for row in rows] == ["3", "2"]
    as_json = client.get("/api/v1/throwlog.json", environ_base=HOST).get_json()["throws"]
    assert [row["out_red"] for row in as_json] == [3, 2]
    workbook = client.get("/api/v1/throwlog.xlsx", environ_base=HOST)
    assert ".xlsx" in workbook.headers["Content-Disposition"]
    head, *sheet_rows = load_workbook(io.BytesIO(workbook.data)).active.values
    assert [row[head.index("out_red")] for row in sheet_rows] == [3, 2]


def test_rows_of_all_tables_are_the_host_s_alone(runtime: Runtime) -> None:
    """The rows name who counted and who fought on other evenings; the figures name nobody."""
    throw(runtime, red=3, blue=1)
    app = create_app(runtime)
    client = app.test_client()
    assert client.get("/api/v1/throwlog.csv?of=all", environ_base=STRANGER).status_code == 403
    assert client.get("/api/v1/throwlog.xlsx?of=all", environ_base=STRANGER).status_code == 403
    assert client.get("/api/v1/throwlog.csv", environ_base=STRANGER).status_code == 200
    assert client.get("/api/v1/statistics?of=all", environ_base=STRANGER).status_code == 200
    assert len(client.get("/api/v1/throwlog.csv?of=all", environ_base=HOST).text.splitlines()) == 2


def test_all_tables_are_added_up_and_a_damaged_one_takes_no_other_along(
    client: FlaskClient, runtime: Runtime
) -> None:
    throw(runtime, red=3, blue=1)
    first = read_figures(client)
    runtime.begin_table("second", runtime.session.game, dict(_open_board_options()), "host")
    throw(runtime, red=1)
    (runtime.tables.folder / "broken.sqlite3").write_bytes(b"no table")
    both = read_figures(client, "all")
    assert (both["throws"], both["tables"]) == (2, 2)
    assert read_figures(client)["throws"] == 1
    red = {row["colour"]: row["came_out"] for row in both["colours"]}["red"]
    assert red == 1 + {row["colour"]: row["came_out"] for row in first["colours"]}["red"]


def test_a_table_taken_up_from_a_backup_has_no_throw_twice(client: FlaskClient, runtime: Runtime) -> None:
    """After trying out a backup every throw was known twice, and the log had each row twice."""
    undone = throw(runtime, red=1)
    runtime.session.undo(Wish(undone, "anna"), expected_at(runtime), agreed=["anna"])
    throw(runtime, red=3, blue=1)
    keep_under_free_name(runtime.tables, "zz-again", runtime.session.events())
    runtime.open_table("zz-again")
    throw(runtime, red=2)
    both = read_figures(client, "all")
    assert (both["throws"], both["undone"], both["tables"]) == (2, 1, 1)
    assert read_figures(client)["throws"] == 2
    rows = client.get("/api/v1/throwlog.json?of=all", environ_base=HOST).get_json()["throws"]
    assert [row["out_red"] for row in rows] == [1, 3, 2]
    assert len(rows_of(runtime.tables.folder).rows) == 3
    assert len(rows_of(runtime.tables.folder, "zz-again").rows) == 3


def test_a_throw_put_right_in_the_copy_of_a_table_counts_once(client: FlaskClient, runtime: Runtime) -> None:
    """It counted twice: uncorrected in one table, and corrected in the other."""
    thrown = throw(runtime, red=3, blue=1)
    runtime.open_table(keep_under_free_name(runtime.tables, "friday", runtime.session.events()))
    runtime.session.correct(thrown, {Colour("red"): 4}, "one lay under", "anna", expected_at(runtime))
    both = read_figures(client, "all")
    assert (both["throws"], both["undone"], both["read"]["corrected"]) == (1, 0, 1)
    for rows in (rows_of(runtime.tables.folder).rows, _rows_of_all(client)):
        assert [row["out_red"] for row in rows if not row["undone"]] == [4]


@pytest.mark.parametrize("copy_first", [True, False])
def test_a_throw_put_right_otherwise_in_two_copies_counts_as_it_was_put_right_last(
    copy_first: bool, client: FlaskClient, runtime: Runtime
) -> None:
    """It was listed twice, and counted twice in the tower's fitted rates."""
    thrown = throw(runtime, red=3, blue=1)
    copy = keep_under_free_name(runtime.tables, "friday", runtime.session.events())
    for table, red in sorted({"friday": 4, copy: 2}.items(), reverse=copy_first):
        runtime.open_table(table)
        runtime.session.correct(thrown, {Colour("red"): red}, "one lay under", "anna", expected_at(runtime))
    both = read_figures(client, "all")
    assert (both["throws"], both["undone"], both["tables"], both["read"]["corrected"]) == (1, 0, 1, 1)
    for rows in (rows_of(runtime.tables.folder).rows, _rows_of_all(client)):
        assert [(row["out_red"], row["undone"]) for row in rows] == [(3, True), (red, False)]


def test_a_throw_put_right_counts_so_though_its_copy_is_played_on(
    client: FlaskClient, runtime: Runtime
) -> None:
    thrown = throw(runtime, red=3, blue=1)
    copy = keep_under_free_name(runtime.tables, "friday", runtime.session.events())
    runtime.session.correct(thrown, {Colour("red"): 4}, "one lay under", "anna", expected_at(runtime))
    runtime.open_table(copy)
    throw(runtime, red=1)
    assert read_figures(client, "all")["throws"] == 2
    for rows in (rows_of(runtime.tables.folder).rows, _rows_of_all(client)):
        assert [row["out_red"] for row in rows if not row["undone"]] == [4, 1]


def test_a_throw_put_right_twice_is_not_two_that_were_taken_back(
    client: FlaskClient, runtime: Runtime
) -> None:
    for red in (3, 4, 2):
        if red == 3:
            thrown = throw(runtime, red=3, blue=1)
        else:
            runtime.session.correct(thrown, {Colour("red"): red}, "", "anna", expected_at(runtime))
            thrown = runtime.session.throws()[0]["batch"]
    assert (read_figures(client)["throws"], read_figures(client)["undone"]) == (1, 0)
    runtime.session.undo(Wish(thrown, "anna"), expected_at(runtime), agreed=["anna"])
    assert (read_figures(client)["throws"], read_figures(client)["undone"]) == (1, 0), (
        "the one before it counts again"
    )
    first = [record["batch"] for record in runtime.session.throws()][-1]
    runtime.session.undo(Wish(first - 1, "anna"), expected_at(runtime), agreed=["anna"])
    assert (read_figures(client)["throws"], read_figures(client)["undone"]) == (0, 1)


def test_a_long_past_is_gone_through_as_often_as_a_short_one(client: FlaskClient, runtime: Runtime) -> None:
    """It was traversed once per throw: with 2,000 of them the page waited four seconds for its figures."""

    class Past(list[StoredEvent]):
        iterations = 0

        def __iter__(self) -> Iterator[StoredEvent]:
            self.iterations += 1
            return super().__iter__()

    counts = []
    for _ in range(2):
        throw(runtime, red=1)
        throw(runtime, red=2)
        past = Past(runtime.session.events())
        assert len(table_throws("friday", past).counting) == read_figures(client)["throws"]
        counts.append(past.iterations)
    assert counts[0] == counts[1]


def test_more_than_was_inside_leaves_no_less_than_nothing_there(
    client: FlaskClient, runtime: Runtime
) -> None:
    """After a count was insisted on, the chart fell below zero and the odds met impossible contents."""
    throw(runtime, red=40)
    assert min(row["cubes"] for row in read_figures(client)["inside"]) >= 0
    assert {row["colour"]: row["known_out"] for row in read_figures(client)["colours"]}["red"] == 0
    inside = runtime.session.view()["game"]["cubes"]["tower"]
    assert read_figures(client)["inside"][-1]["cubes"] == sum(inside.values())


def test_what_fell_in_the_demo_is_no_real_tower_s(client: FlaskClient, runtime: Runtime) -> None:
    """It was included in the totals and in the tower's fitted rates."""
    throw(runtime, red=3, blue=1)
    folder = runtime.tables.folder
    keep_under_free_name(runtime.tables, "demo", runtime.session.events()[:2])
    keep_under_free_name(
        runtime.tables,
        "demo-1",
        [replace(event, ts_ms=event.ts_ms + 1) for event in runtime.session.events()],
    )
    assert (read_figures(client, "all")["throws"], len(rows_of(folder).rows), len(_rows_of_all(client))) == (
        1,
        1,
        1,
    )
    assert len(rows_of(folder, "demo-1").rows) == 1
    runtime.tables.path("friday").rename(folder / "else")
    assert len(rows_of(folder).rows) == 1, "where there is nothing else"


def _rows_of_all(client: FlaskClient) -> Any:
    return client.get("/api/v1/throwlog.json?of=all", environ_base=HOST).get_json()["throws"]


def _open_board_options() -> dict[str, Any]:
    from companion.table.setups import open_board

    return open_board()
