"""Ledger and scale as evidence beside pictures that leave a doubt."""

from pathlib import Path

import pytest

from calibration.measuring.evidence import SOURCES, Answer, Known, figures, main, table
from vision.finding.candidates import Candidate
from vision.palette import SHOGUN


def cubes(colour: str, *presences: float) -> list[Candidate]:
    shares = tuple(float(name == colour) for name in SHOGUN.colours)
    return [Candidate((50.0, 50.0), 20.0, presence, shares) for presence in presences]


RIGHT, WRONG, ASKS = Answer(exact=True, answered=True), Answer(False, True), Answer(True, False)
UNSURE = [
    Known([*cubes("red", 0.99, 0.45), *cubes("blue", 0.99, 0.4)], {"red": 2, "blue": 1}, ASKS, RIGHT),
    Known([*cubes("red", 0.99, 0.45), *cubes("blue", 0.6)], {"red": 1, "blue": 0}, ASKS, WRONG),
] * 20
SURE = [Known(cubes("red", 0.999, 0.999, 0.999), {"red": 3, "blue": 0}, RIGHT, RIGHT)] * 10


def test_each_evidence_helps_where_the_picture_is_unsure() -> None:
    found = figures(UNSURE)
    assert found["picture"].wrong == 1
    assert found["ledger"].wrong < 1
    assert found["scale"].wrong < found["ledger"].wrong
    assert found["ledger and scale"].wrong <= found["scale"].wrong
    assert found["ledger and scale"].sure > found["picture"].sure == 0


def test_sure_pictures_stay_as_they_are() -> None:
    for figure in figures(SURE).values():
        assert (figure.wrong, figure.sure, figure.sure_but_wrong) == (0, 1, 0)


def test_the_doubted_ones_are_told_apart() -> None:
    found = figures(UNSURE + SURE, doubted_only=True)
    assert {figure.trays for figure in found.values()} == {len(UNSURE)}


def test_the_table_has_every_source() -> None:
    text = table(SURE)
    assert all(source in text for source in SOURCES)


def test_what_the_reader_answers_is_counted_with_and_without_a_ledger() -> None:
    alone, beside = (line.split()[-3:] for line in table(UNSURE + SURE).splitlines()[-2:])
    assert alone == ["50", "10", "0"]
    assert beside == ["30", "50", "20"]


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No traceback, as with the other measurements."""
    assert main([str(tmp_path / "nowhere")]) == 2
    assert capsys.readouterr().err.startswith(f"There is no folder {tmp_path / 'nowhere'}.")
