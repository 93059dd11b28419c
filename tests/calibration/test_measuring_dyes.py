"""What cubes usually look like is measured from trays and written to the reader's file."""

import json
from pathlib import Path

import numpy as np
import pytest

from calibration.measuring.dyes import DyesError, ReadTray, as_text, fit_dyes, main, read_trays
from calibration.synth import Options
from calibration.synth.folder import write_folder
from tests.vision.test_dyes import COLOURED, lit, tray
from vision.doubting import dyes
from vision.palette import SHOGUN_SRGB

EVERY = tuple(SHOGUN_SRGB)


def render_folder(path: Path, pictures: int, *, mat: bool, counts: dict[str, int] | None = None) -> Path:
    options = Options(
        size_px=(640, 480), mat=mat, plastic="clear", light="daylight", plain=True, counts=counts
    )
    assert len(list(write_folder(path, range(77, 77 + pictures), options))) == pictures
    return path


def test_means_are_the_cubes_own_and_the_trays_light_is_left_out() -> None:
    """Eight trays at eight exposures: the common factor does not count as variation."""
    trays = [tray(EVERY, (level, level, level)) for level in np.linspace(0.5, 1.2, 8)]
    fit = fit_dyes(trays)
    assert set(fit) == set(EVERY)
    for colour in COLOURED:
        mean, covariance = fit[colour]
        look = dyes.looks_of(lit(colour))[0]
        assert mean[1:] == pytest.approx(look[1:], abs=0.01)
        assert covariance[0, 0] < 0.0015
    brighter = {c: fit[c][0][0] - fit["blue"][0][0] for c in ("yellow", "red")}
    assert brighter["yellow"] > brighter["red"] > 0


def test_every_tray_shows_how_a_dye_varies() -> None:
    """Five in daylight, three in warmer light than the assumed white."""
    trays = [tray(EVERY)] * 5 + [tray(EVERY, (0.8, 1.0, 1.2))] * 3
    alike, varied = fit_dyes([tray(EVERY)] * 8), fit_dyes(trays)
    for colour in EVERY:
        tints = [np.trace(fit[colour][1][1:, 1:]) for fit in (alike, varied)]
        assert tints[1] > 1.3 * tints[0]


def test_a_colour_that_hardly_shows_has_no_look() -> None:
    with pytest.raises(DyesError, match="Too few trays hold yellow"):
        fit_dyes([tray(tuple(c for c in EVERY if c != "yellow"))] * 5)


def test_what_the_reader_would_ask_is_counted_of_trays_without_a_mat() -> None:
    odd = tray(COLOURED, (1.0, 0.2, 1.0))
    trays = [ReadTray(tray(EVERY), True, False)] * 3 + [
        ReadTray(odd, False, False),
        ReadTray(odd, False, True),
    ]
    report = as_text(trays)
    assert "5 trays, 4 without a mat" in report
    assert "asked about: 1, of which 1 were read wrongly" in report
    assert as_text(trays[-1:]) == "1 trays, none without a mat\n"


def test_a_folder_is_measured_and_what_the_reader_goes_by_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rendered pictures, read by the real reader; the file is what `vision.doubting.dyes` loads."""
    pictures = render_folder(tmp_path / "p", 5, mat=False, counts=dict.fromkeys(EVERY, 2))
    assert main([str(pictures), "-o", str(tmp_path / "dyes.json")]) == 0
    assert "5 trays, 5 without a mat" in capsys.readouterr().out
    kept = json.loads((tmp_path / "dyes.json").read_text(encoding="utf-8"))
    assert set(kept) == set(dyes.usual_dyes())
    for colour, entry in kept.items():
        assert np.array(entry["mean"]) == pytest.approx(dyes.usual_dyes()[colour].mean, abs=0.2)
        assert np.linalg.eigvalsh(np.array(entry["covariance"])).min() > 0


def test_trays_that_were_read_wrongly_teach_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pictures = render_folder(tmp_path / "p", 5, mat=False, counts=dict.fromkeys(EVERY, 1))
    labels = pictures / "labels.json"
    body = json.loads(labels.read_text(encoding="utf-8"))
    for entry in body["pictures"][:2]:
        entry["counts"]["red"] = entry["visible_counts"]["red"] = 5
    labels.write_text(json.dumps(body), encoding="utf-8")
    assert main([str(pictures), "-o", str(tmp_path / "dyes.json")]) == 2
    assert "Too few trays" in capsys.readouterr().err


def test_trays_with_a_mat_are_told_apart(tmp_path: Path) -> None:
    [seen] = read_trays(render_folder(tmp_path / "m", 1, mat=True, counts={"red": 2, "blue": 1}))
    assert (seen.mat, seen.right) == (True, True)
    assert {colour: len(cubes) for colour, cubes in seen.faces.items()} == {"red": 2, "blue": 1}


def test_nothing_is_written_where_it_cannot_be_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence and exit status 2."""
    pictures = render_folder(tmp_path / "p", 1, mat=False, counts={"red": 2})
    assert main([str(pictures), "-o", str(tmp_path / "dyes.json")]) == 2
    assert "Give more folders" in capsys.readouterr().err
    assert not (tmp_path / "dyes.json").exists()
    assert main([str(tmp_path / "nowhere")]) == 2
