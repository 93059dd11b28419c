"""The drawings in docs/load-cell.md are the ones the program draws; their pins are the firmware's."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from firmware.drawings import DRAWINGS, PINS_H, pins, wiring

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", DRAWINGS)
def test_the_drawing_in_the_docs_is_of_today(name: str) -> None:
    """After a change: make docs."""
    assert (DOCS / "drawings" / name).read_text(encoding="utf-8") == DRAWINGS[name]()
    assert f"(drawings/{name})" in (DOCS / "load-cell.md").read_text(encoding="utf-8")


def test_the_wires_lead_where_the_program_looks(tmp_path: Path) -> None:
    header = tmp_path / "pins.h"
    header.write_text(PINS_H.read_text(encoding="utf-8").replace("DOUT_BIT PD4", "DOUT_BIT PD7"))
    assert pins() == {"DOUT": "D4", "SCK": "D5", "RATE": "D6"}
    assert pins(header)["DOUT"] == "D7"
    assert all(f">{pin}</text>" in wiring() for pin in pins().values())


@pytest.mark.parametrize("name", DRAWINGS)
def test_no_word_stands_outside_of_the_drawing(name: str) -> None:
    """A letter at 14 px is about 7 px wide."""
    root = ET.fromstring(DRAWINGS[name]())
    width = float(root.attrib["viewBox"].split()[2])
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        words, kind = text.text or "", text.attrib["class"]
        size = 6.3 if "small" in kind else 7.5
        left = float(text.attrib["x"]) - len(words) * size * (0.5 if "mid" in kind else "end" in kind)
        assert left >= 0, words
        assert left + len(words) * size <= width, words
