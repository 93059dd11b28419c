"""A tray that extends beyond the picture: cubes may lie where the camera does not look."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.profiles.glance import glance
from calibration.synth import Options
from calibration.synth.scene import Plastic
from calibration.synth.staged import StagedTable
from vision.doubting.doubts import find_spoiling_doubts
from vision.reader import TrayReader
from vision.reading import Doubt
from vision.scene.rectify import Rectified, outline_px, rectify

SEEN = Options(size_px=(960, 720), mat=True, plastic="clear", tray="square", light="daylight", plain=True)
THROWN = {"red": 3, "blue": 3, "yellow": 3, "green": 2}


@pytest.fixture(scope="module")
def known() -> Rectified:
    """A tray in the middle of its mat."""
    flat = rectify(StagedTable(12, SEEN).render_empty())
    assert flat is not None
    assert flat.mat_seen
    return flat


def _end_picture(flat: Rectified, beyond_mm: float) -> Rectified:
    """Let the picture end this far before the floor's right side, or beyond it if negative."""
    right = max(x for x, _ in outline_px(flat.tray))
    px_per_mm = np.hypot(*flat.tray.to_px[:2, 0])
    return replace(flat, size_px=(round(right - beyond_mm * px_per_mm) + 1, flat.size_px[1]))


@pytest.mark.parametrize(("beyond_mm", "asks"), [(-2.0, False), (0.3, False), (2.5, True), (20.0, True)])
def test_a_floor_that_is_known_lies_in_the_picture(known: Rectified, beyond_mm: float, *, asks: bool) -> None:
    """Known from a mat, or from a calibration that was told the place."""
    calibrated = replace(known, fiducials=None, known=True)
    for flat in (known, calibrated):
        assert (Doubt.TRAY_CUT in find_spoiling_doubts(_end_picture(flat, beyond_mm))) == asks


@pytest.mark.parametrize(
    ("beyond_mm", "certainty", "asks"),
    [
        (2.5, 0.9, False),
        (5.5, 0.9, True),
        (-9.0, 0.9, False),
        (-9.0, 0.5, True),
        (-16.0, 0.5, False),
        (-60.0, 0.2, True),
    ],
    ids=[
        "it may be off so far",
        "farther",
        "its wall shows",
        "no wall to be sure of",
        "all of it",
        "no tray",
    ],
)
def test_a_floor_that_was_found_may_be_off(
    known: Rectified, beyond_mm: float, certainty: float, *, asks: bool
) -> None:
    tray = replace(known.tray, certainty=certainty, edge_mm=8.0)
    found = replace(known, fiducials=None, tray=tray)
    assert (Doubt.TRAY_CUT in find_spoiling_doubts(_end_picture(found, beyond_mm))) == asks


@pytest.mark.parametrize(("certainty", "asks"), [(0.4, True), (0.5, False)])
def test_beside_one_or_two_markers_the_tray_must_show(
    known: Rectified, certainty: float, *, asks: bool
) -> None:
    """Fewer than three do not fix the plane; with three or more the certainty is 1."""
    held = replace(known, tray=replace(known.tray, certainty=certainty))
    assert (Doubt.TRAY_CUT in find_spoiling_doubts(held)) == asks


@pytest.mark.parametrize("plastic", ["clear", "black"])
@pytest.mark.parametrize("seed", [39, 46, 59])
def test_no_cube_beyond_the_picture_is_left_out_in_silence(seed: int, plastic: Plastic) -> None:
    """A seventh of the tray, with some of its cubes, was cut off; the other counts were as good as sure."""
    table = StagedTable(seed, replace(SEEN, mat=False, plastic=plastic))
    picture, label = table.render_thrown(THROWN, seed)
    whole = rectify(picture)
    assert whole is not None
    across = np.array(outline_px(whole.tray))[:, 0]
    reading = TrayReader().read(np.ascontiguousarray(picture[:, : int(across.max() - 0.15 * np.ptp(across))]))
    assert reading.counts != label["visible_counts"]
    assert Doubt.TRAY_CUT in reading.doubts
    assert not reading.certain


@pytest.mark.parametrize("mat", [True, False])
def test_who_calibrates_sees_at_a_glance_that_the_tray_is_cut(*, mat: bool) -> None:
    picture = StagedTable(39, replace(SEEN, mat=mat)).render_empty()
    whole = rectify(picture)
    assert whole is not None
    across = np.array(outline_px(whole.tray))[:, 0]
    cut = np.ascontiguousarray(picture[:, : int(across.max() - 0.15 * np.ptp(across))])
    assert (glance(picture).cut, glance(cut).cut) == (False, True)
    assert not glance(np.zeros_like(picture)).cut  # there is no tray at all
