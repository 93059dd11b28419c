"""The drawing in docs/camera.md is up to date, and its sheet is the one that is printed."""

from pathlib import Path

import pytest

from calibration.sheets.drawing import Paper
from calibration.sheets.drawings import DRAWINGS, mat
from calibration.sheets.mat_svg import mat_svg

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", DRAWINGS)
def test_the_drawing_in_the_docs_is_of_today(name: str) -> None:
    """After a change, run `make docs`."""
    assert (DOCS / "drawings" / name).read_text(encoding="utf-8") == DRAWINGS[name]()
    assert f"(drawings/{name})" in (DOCS / "camera.md").read_text(encoding="utf-8")


def test_the_sheet_in_the_drawing_is_what_the_printer_gets() -> None:
    """With its own style: CSS rules for the labels beside it once applied to its text too."""
    _, on_the_sheet = mat_svg(Paper.A4).split(">", 1)
    drawn = mat()
    assert on_the_sheet in drawn
    rules = drawn.partition("<style>")[2].partition("</style>")[0]
    assert all(rule.startswith(".") for rule in rules.split("\n") if rule)
