"""A reading as JSON: where to look is told while somebody is asked, and only then."""

from dataclasses import replace
from pathlib import Path

from companion.commands.count import as_json
from companion.table.throw.readings import reading_json
from tests.companion.table.tables import looked
from vision.reading import NOTHING, Doubt, OpenPlace, TrayReading

PLACE = OpenPlace((10.04, 20.0), 8.0, under=True, counted=NOTHING, answers=((NOTHING, 0.6), ("red", 0.4)))


def _reading(*doubts: Doubt) -> TrayReading:
    return replace(looked(*doubts, red=2).reading, open_places=(PLACE,))


def test_a_place_in_doubt_is_told_with_what_may_be_there() -> None:
    assert reading_json(_reading(Doubt.STACKED), (Doubt.STACKED,))["open"] == [
        {
            "centre": [10.0, 20.0],
            "edge": 8.0,
            "under": True,
            "counted": None,
            "answers": [{"colour": None, "probability": 0.6}, {"colour": "red", "probability": 0.4}],
        }
    ]


def test_frames_or_a_weight_that_made_it_sure_leave_nothing_to_look_at() -> None:
    assert reading_json(_reading(), ())["open"] == []


def test_what_only_the_ledger_doubts_is_asked_with_the_places() -> None:
    assert len(reading_json(_reading(), (Doubt.NOT_IN_TOWER,))["open"]) == 1


def test_scripts_are_told_in_pixels_of_the_picture() -> None:
    printed = as_json(Path("a.jpg"), _reading(Doubt.STACKED), None, 1.0)
    assert printed["open_places"] == [
        {
            "centre_px": [10.04, 20.0],
            "edge_px": 8.0,
            "under": True,
            "counted": None,
            "answers": {"none": 0.6, "red": 0.4},
        }
    ]
