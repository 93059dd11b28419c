"""Every scenario of the data file, played through the rules; a failure names its fields and rules."""

import json
from pathlib import Path

import pytest

from companion.games.protocol import Json
from companion.games.shogun.scenarios.__main__ import main
from companion.games.shogun.scenarios.compare import differences
from companion.games.shogun.scenarios.running import run

FILE = Path(__file__).parents[3] / "data" / "shogun" / "scenarios.json"
SCENARIOS: list[Json] = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[f"{s['id']}-{'-'.join(s['rules'])}" for s in SCENARIOS])
def test_scenario(scenario: Json) -> None:
    assert run(scenario).faults == ()


@pytest.mark.parametrize("scenario", [s for s in SCENARIOS if s["kind"] in ("battle", "revolt")])
def test_a_wrong_number_in_a_battle_is_noticed(scenario: Json) -> None:
    """The runner is no rubber stamp: one more cube thrown than is, and it says so."""
    thrown = {**scenario["then"]["thrown"], "purple": 9}
    wrong = {**scenario, "then": {**scenario["then"], "thrown": thrown}}
    assert any(fault.startswith("thrown") for fault in run(wrong).faults)


def test_an_unknown_field_is_a_fault_and_not_passed_over() -> None:
    assert list(differences({"moon_phase": 3}, {})) == ["moon_phase: wanted 3, found 'not answered'"]
    assert run({"id": "x", "given": {}, "when": {"dance": 1}, "then": {}}).faults


def test_the_command_reports_and_answers_with_its_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(FILE)]) == 0
    assert "161 of 161" in capsys.readouterr().out
    bad = tmp_path / "bad.json"
    bad.write_text("{", encoding="utf-8")
    assert main([str(bad)]) == 2
    assert main([]) == 2
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps([{**SCENARIOS[0], "then": {"green": 11}}]), encoding="utf-8")
    assert main([str(broken)]) == 1
