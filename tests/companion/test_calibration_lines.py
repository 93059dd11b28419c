"""What the calibration says is the same at the terminal and on the page."""

import re

from calibration.profiles.drift import Change
from companion.calibration_lines import AT_TERMINAL, LINES, line
from tests.companion.web.catalogue import messages
from vision.scene.trouble import Trouble

ENGLISH = messages("en")


def test_page_and_terminal_say_the_same() -> None:
    assert {key: ENGLISH.get(f"calibrate.{key}") for key in LINES} == dict(LINES)


def test_only_the_terminal_is_told_what_is_typed_there() -> None:
    """A host with a phone in hand read `tenshu mat --inlay`; a page has fields and links for it."""
    assert [key for key in LINES if re.search(r"tenshu|--\w|terminal", str(LINES[key]))] == []
    assert line("lay_mat").startswith("Lay the mat under the tray. `tenshu mat` prints it.")
    assert set(AT_TERMINAL) <= set(LINES)


def test_each_trouble_and_each_change_is_translated() -> None:
    """By its name; sentence and remedy together. A terminal may know no printed apostrophe."""
    printed_apostrophe = str.maketrans("'", "’")
    words = {
        trouble.name: f"{trouble.sentence} {trouble.remedy}".translate(printed_apostrophe)
        for trouble in (*Trouble, *Change)
    }
    assert {name: ENGLISH.get(f"trouble.{name.lower()}") for name in words} == words


def test_a_line_is_a_sentence_and_keeps_what_it_was_made_of() -> None:
    sentence = line("is_right", counts={"red": 2, "blue": 0, "green": 1})
    assert sentence == "Seen: 2 red, 1 green. Is that right?"
    assert (sentence.key, sentence.params["counts"]) == ("is_right", {"red": 2, "blue": 0, "green": 1})
    assert line("fewer", n=1, colour="red").startswith("1 separate red cube is seen.")
    assert line("fewer", n=4, colour="red").startswith("4 separate red cubes are seen.")
    assert line("is_right", counts={"red": 0}) == "Seen: no cube. Is that right?"
