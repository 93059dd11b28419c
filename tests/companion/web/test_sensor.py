"""The load cell over HTTP, and its troubles in the languages of the pages."""

import json
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import companion.web
from companion.table.messages import SensorSays
from companion.table.runtime import OFF, Runtime
from firmware.link.events import Drop, LinkUp, Motion, Sample
from firmware.link.troubles import FAULTS, LINK

I18N = Path(companion.web.__file__).parent / "static" / "i18n"


def test_the_trace_comes_piece_by_piece(runtime: Runtime, client: FlaskClient) -> None:
    for event in (LinkUp("/dev/ttyACM0", "1.0"), Sample(50, 1), Motion(60), Drop(60, 360), Sample(100, 360)):
        runtime.session.hear(SensorSays(event))
    first = client.get("/api/v1/sensor").get_json()
    assert first["points"] == [[50, 1], [100, 360]]
    assert first["marks"][-1] == {"kind": "drop", "ms": 60, "mass_mg": 360}
    assert client.get(f"/api/v1/sensor?after={first['newest']}").get_json()["points"] == []


def test_a_page_that_asks_nonsense_gets_everything(client: FlaskClient) -> None:
    assert client.get("/api/v1/sensor?after=nonsense").status_code == 200


@pytest.mark.parametrize("language", ["en", "ru", "ro", "fr", "de"])
def test_every_trouble_has_its_words(language: str) -> None:
    words = json.loads((I18N / f"{language}.json").read_text(encoding="utf-8"))
    told = {key.removeprefix("cell.trouble.") for key in words if key.startswith("cell.trouble.")}
    assert told == {*FAULTS, *LINK, OFF}
    for name, (sentence, _) in LINK.items():
        assert ("{port}" in words[f"cell.trouble.{name}"]) == ("{port}" in sentence), name
