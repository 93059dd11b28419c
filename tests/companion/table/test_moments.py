import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.table.past.undoing import Wish
from companion.table.runtime import Runtime
from companion.table.session import TableSession
from companion.web.app import create_app
from tests.companion.table.tables import running, tell

OPTIONS = {
    "players": ["blue", "red", "yellow"],
    "start": "board",
    "season": "summer",
    "year": 1,
    "provinces": {"omi": {"owner": "yellow", "armies": 3}, "mino": {"owner": "blue", "armies": 5}},
    "standing": {"blue": {"chests": 9, "rice": 4, "points": 0}},
    "tower": {},
    "year_events": [3, 7, 9],
    "seed": 5,
}


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    with running(tmp_path, "past", OPTIONS) as made:
        yield made


def correct_armies(session: TableSession, number: int) -> None:
    command = {"kind": "correct", "fact": "armies", "where": "mino", "value": number, "reason": "seen"}
    tell(session, command)


def test_each_moment_tells_what_was_then(runtime: Runtime) -> None:
    session = runtime.session
    for number in (4, 7):
        correct_armies(session, number)
    moments = session.past.moments()
    assert [moment["seats"]["blue"]["armies"] for moment in moments] == [5, 4, 7]
    assert {(moment["year"], moment["season"]) for moment in moments} == {(1, "summer")}
    second_moment = session.past.moment(moments[1]["batch"])
    assert second_moment is not None
    assert next(p["armies"] for p in second_moment["provinces"] if p["id"] == "mino") == 4
    assert session.past.moment(moments[-1]["batch"]) == session.view()["game"]


def test_what_was_taken_back_is_no_moment(runtime: Runtime) -> None:
    session = runtime.session
    correct_armies(session, 4)
    gone = session.past.moments()[-1]["batch"]
    session.undo(Wish(gone, "anna"), session.view()["expected"])
    assert len(session.past.moments()) == 1
    assert session.past.moment(gone) is None


def test_the_past_keeps_the_secrets_of_plans(runtime: Runtime) -> None:
    session = runtime.session
    plan = {"kind": "place", "seat": "blue", "space": "taxes", "card": "chest_3"}
    session.seat_command("blue", plan, "anna", 0)
    client = create_app(runtime).test_client()
    batch = session.past.moments()[-1]["batch"]
    for address in ("moments", f"moments/{batch}"):
        assert "chest_3" not in json.dumps(client.get(f"/api/v1/{address}").get_json())
    assert client.get("/api/v1/moments/999999").status_code == 404
