"""What the calibration's walk tells the page beside its questions."""

from pathlib import Path

from companion.calibration_lines import line
from companion.table.messages import Calibrate, CalibrationSays, Report
from companion.table.sensing.walk import Place, Walk, wish_of


def test_what_is_told_again_stands_there_once(tmp_path: Path) -> None:
    """For a table that never rests, the same sentence was added below the last every 15 seconds."""
    reports: list[Report] = []
    walk = Walk(wish_of(Calibrate("kitchen", ""), tmp_path), Place(tmp_path), reports.append)
    for key in ("keep_still", "turned", "keep_still"):
        walk.say(line(key))
    assert isinstance(reports[-1], CalibrationSays)
    assert [message["key"] for message in reports[-1].state["said"]] == [
        "calibrate.turned",
        "calibrate.keep_still",
    ]
