"""Every scenario of the data file, played with the rules; a failure names its fields and rules."""

import json
import re
from pathlib import Path

import pytest

from companion.games.protocol import Json
from companion.games.shogun.scenarios.__main__ import main
from companion.games.shogun.scenarios.compare import differences
from companion.games.shogun.scenarios.running import _BY_FIELD, _WINTER, run

FILE = Path(__file__).parents[3] / "data" / "shogun" / "scenarios.json"
PAGE = (Path(__file__).parents[4] / "docs" / "rules" / "scenarios.md").read_text(encoding="utf-8")
SCENARIOS: list[Json] = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[f"{s['id']}-{'-'.join(s['rules'])}" for s in SCENARIOS])
def test_scenario(scenario: Json) -> None:
    verdict = run(scenario)
    assert (verdict.faults, verdict.unread) == ((), ())


@pytest.mark.parametrize("scenario", [s for s in SCENARIOS if s["kind"] in ("battle", "revolt")])
def test_a_wrong_number_in_a_battle_is_noticed(scenario: Json) -> None:
    """The runner is no rubber stamp: with wrong cubes in `thrown` it reports a fault."""
    thrown = {**scenario["then"]["thrown"], "purple": 9}
    wrong = {**scenario, "then": {**scenario["then"], "thrown": thrown}}
    assert any(fault.startswith("thrown") for fault in run(wrong).faults)


def test_the_example_of_the_page_is_as_it_says() -> None:
    """Whoever copies it starts with a scenario that passes."""
    [example] = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert run(json.loads(example)).faults == ()


def test_the_page_tells_all_that_can_be_done() -> None:
    """`acting`, `end_of_year` and the end of a winter were missing from its tables."""
    terms = [f"**`{field}`**" for field, _ in _BY_FIELD]
    terms += [f"**`winter`: `{term}`**" for term in _WINTER]
    assert [term for term in terms if term not in PAGE] == []


def test_an_unknown_field_is_a_fault_and_not_passed_over() -> None:
    assert list(differences({"moon_phase": 3}, {})) == ["moon_phase: wanted 3, found 'not answered'"]
    assert run({"id": "x", "given": {}, "when": {"dance": 1}, "then": {}}).faults


def test_a_field_that_decides_nothing_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A misspelt one was passed over: the scenario held, and tested nothing of what it was written for."""
    [example] = json.loads(f"[{re.findall(r'```json(.*?)```', PAGE, re.DOTALL)[0]}]")
    wrong = {**example, "given": {**example["given"], "twer": {"blue": 3}}, "then": {"outcome": "defender"}}
    path = tmp_path / "mine.json"
    path.write_text(json.dumps([wrong]), encoding="utf-8")
    assert main([str(path)]) == 0
    assert "tray-goes-in: given.twer decides nothing here" in capsys.readouterr().out


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


@pytest.mark.parametrize("text", ["5", "null", "[5]", "[[]]", "{}", '{"scenarios": 5}', "[" * 100_000, ""])
def test_a_file_of_no_scenarios_is_one_sentence(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was a traceback, or "0 of 0 scenarios are as they say"."""
    path = tmp_path / "mine.json"
    path.write_text(text, encoding="utf-8")
    for file in (path, tmp_path):
        assert main([str(file)]) == 2
        output = capsys.readouterr()
        assert (output.out, output.err.count("\n")) == ("", 1)
        assert output.err.startswith(f"{file} cannot be read as scenarios: ")
        assert output.err.endswith(". See docs/rules/scenarios.md.\n")


@pytest.mark.parametrize("part", ["given", "when", "then", "rules"])
@pytest.mark.parametrize("wrong", [5, None, "x", [], [[]]])
def test_a_scenario_of_the_wrong_make_is_a_fault_and_no_traceback(part: str, wrong: object) -> None:
    """Whoever writes one by hand learns which one is wrong."""
    verdict = run({**SCENARIOS[0], part: wrong})
    assert verdict.id == SCENARIOS[0]["id"]
    assert part == "rules" or verdict.faults or not wrong


def test_the_command_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    """It looked for a file called --help."""
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    assert end.value.code == 0
    assert "docs/rules/scenarios.md" in capsys.readouterr().out
