"""The load cell over HTTP, and its troubles in the pages' languages."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from calibration.scale import load
from companion.demo.table import FIRST, OPTIONS
from companion.games.shogun.game import GAME
from companion.table.desks.scaledesk import ENDED, NO_ZERO, NOT_KEPT, OFF, Word
from companion.table.messages import Order, SensorSays, SensorSpec, TellBoard
from companion.table.runtime import Runtime, TableSpec
from companion.web.phrases import LANGUAGES
from firmware.link.events import Answered, Drop, LinkUp, Motion, Sample
from firmware.link.troubles import FAULTS, LINK, REFUSALS
from firmware.link.wire import Command
from tests.companion.web.catalogue import messages


def test_the_trace_comes_piece_by_piece(runtime: Runtime, client: FlaskClient) -> None:
    for event in (LinkUp("/dev/ttyACM0", "1.0"), Sample(50, 1), Motion(60), Drop(60, 360), Sample(100, 360)):
        runtime.session.hear(SensorSays(event))
    first = client.get("/api/v1/sensor").get_json()
    assert first["points"] == [[50, 1], [100, 360]]
    assert first["marks"][-1] == {"kind": "drop", "ms": 60, "mass_mg": 360}
    assert client.get(f"/api/v1/sensor?after={first['newest']}").get_json()["points"] == []


def test_a_page_that_asks_nonsense_gets_everything(client: FlaskClient) -> None:
    assert client.get("/api/v1/sensor?after=nonsense").status_code == 200


def test_zero_is_the_hosts_to_set_and_the_answer_is_in_the_trace(
    runtime: Runtime, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders: list[Order] = []

    def take_order(order: Order) -> bool:
        orders.append(order)
        return True

    monkeypatch.setattr(runtime.scale, "_order", take_order)
    phone = {"REMOTE_ADDR": "192.168.1.20"}
    client.post("/api/v1/join", json={"code": runtime.access.code()}, environ_base=phone)
    assert client.post("/api/v1/sensor/tare", json={}, environ_base=phone).status_code == 403
    assert client.get("/api/v1/sensor", environ_base=phone).get_json()["host"] is False
    assert client.post("/api/v1/sensor/tare", json={}).get_json()["state"] == "asked"
    assert client.post("/api/v1/sensor/tare", json={}).status_code == 409
    runtime._hear(SensorSays(Answered(Command.TARE, (), 0, "moving")))
    state = client.get("/api/v1/sensor").get_json()
    assert (state["host"], state["told"]["state"], state["told"]["reason"]) == (True, "refused", "moving")
    assert orders == [TellBoard(Command.TARE)]


@pytest.mark.parametrize("cubes", [0, 1000, 2.5, "62", None])
def test_a_number_that_is_none_is_not_weighed(client: FlaskClient, cubes: object) -> None:
    assert client.post("/api/v1/sensor/calibrate", json={"cubes": cubes}).status_code == 422


def test_cubes_weighed_on_the_page_are_kept_for_the_next_evening(tmp_path: Path) -> None:
    spec = TableSpec("demo", tmp_path, SensorSpec("none", "none"), OPTIONS, FIRST, scale_folder=tmp_path)
    runtime = Runtime(spec, GAME)
    try:
        runtime.scale.ask(Word.TARE)
        for command in (Command.TARE, Command.SAVE):
            runtime._hear(SensorSays(Answered(command, (), 0, None)))
        runtime.scale.ask(Word.CALIBRATE, 62)
        for command, arguments in ((Command.CALIBRATE, ("cubes", 62)), (Command.SAVE, ())):
            runtime._hear(SensorSays(Answered(command, arguments, 0, None)))
        assert (load(tmp_path).unit_mg, load(tmp_path).cubes) == (360, 62)
        assert runtime.session.trace(0)["cube"] == {"unit_mg": 360.0, "spread_mg": 18.0, "cubes": 62}
    finally:
        runtime.stop()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_trouble_has_its_words(language: str) -> None:
    words = messages(language)
    known = {key.removeprefix("cell.trouble.") for key in words if key.startswith("cell.trouble.")}
    assert known == {*FAULTS, *LINK, OFF}
    for name, (sentence, _) in LINK.items():
        assert ("{port}" in words[f"cell.trouble.{name}"]) == ("{port}" in sentence), name
    for name in FAULTS:
        message = words[f"cell.trouble.{name}"]
        assert "firmware calibrate" not in message, "the open table holds the port: at a terminal it is busy"
    refused = {key.removeprefix("cell.refused.") for key in words if key.startswith("cell.refused.")}
    assert refused == {*REFUSALS, NOT_KEPT, NO_ZERO, OFF, ENDED, "other"}
