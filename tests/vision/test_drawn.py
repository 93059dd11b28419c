"""A tray's floor as a person draws it: converting there and back, and what is not a floor."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.synth import Options
from calibration.synth.staged import StagedTable
from vision.scene.drawn import DrawnOutline, Handles, Shape
from vision.scene.plane import project
from vision.scene.rectify import KnownTable, outline_px, rectify
from vision.scene.tray import Tray, drawn_of, tray_drawn

SIZE_PX = (1280, 960)
SQUARE: Handles = ((0.3, 0.25), (0.7, 0.25), (0.75, 0.75), (0.25, 0.75))
shares = st.floats(-0.08, 0.08)


@given(st.sampled_from(["square", "oval"]), st.lists(shares, min_size=8, max_size=8))
def test_a_floor_that_is_drawn_over_itself_stays_where_it_is(shape: Shape, moved: list[float]) -> None:
    """The handles of a floor, wherever a camera sees it, reproduce that floor's outline."""
    x0, y0, x1, y1, x2, y2, x3, y3 = (a + b for a, b in zip(np.ravel(SQUARE), moved, strict=True))
    first = tray_drawn(DrawnOutline("square", ((x0, y0), (x1, y1), (x2, y2), (x3, y3))), SIZE_PX)
    assert first is not None
    tray = Tray(first.to_px, first.inner_mm, shape, 1.0)
    again = tray_drawn(drawn_of(tray, SIZE_PX), SIZE_PX, tray.inner_mm)
    assert again is not None
    assert np.abs(np.array(outline_px(again)) - outline_px(tray)).max() < 0.1


def test_the_size_that_was_told_is_kept_and_the_usual_width_assumed() -> None:
    """Given a rectangle half as deep as wide, from straight above."""
    flat: Handles = ((0.2, 0.3), (0.8, 0.3), (0.8, 0.7), (0.2, 0.7))
    tray = tray_drawn(DrawnOutline("square", flat), SIZE_PX, (150.0, 120.0))
    assumed = tray_drawn(DrawnOutline("square", flat), SIZE_PX)
    assert tray is not None
    assert assumed is not None
    assert tray.inner_mm == (150.0, 120.0)
    assert assumed.inner_mm == pytest.approx((170.0, 85.0), abs=1.0)
    corners = project([(-75, -60), (75, 60)], tray.to_px)
    assert corners == pytest.approx(np.array([(0.2, 0.3), (0.8, 0.7)]) * SIZE_PX - 0.5, abs=0.1)


@pytest.mark.parametrize(
    "handles",
    [
        ((0.3, 0.25), (0.7, 0.75), (0.75, 0.25), (0.25, 0.75)),
        ((0.7, 0.25), (0.3, 0.25), (0.25, 0.75), (0.75, 0.75)),
        ((0.3, 0.25), (0.4, 0.6), (0.75, 0.75), (0.25, 0.75)),
        ((0.30, 0.25), (0.35, 0.25), (0.35, 0.30), (0.30, 0.30)),
        ((0.3, 0.3), (0.3, 0.3), (0.3, 0.3), (0.3, 0.3)),
        ((0.1, 0.4), (0.9, 0.4), (0.9, 0.6), (0.1, 0.6)),
        ((-0.9, -0.9), (-0.5, -0.9), (-0.5, -0.5), (-0.9, -0.5)),
        ((0.3, 0.9), (0.7, 0.9), (0.7, 1.4), (0.3, 1.4)),
    ],
    ids=["crossed", "mirrored", "bent in", "tiny", "one point", "a strip", "elsewhere", "mostly below it"],
)
def test_what_is_no_floor_is_refused(handles: Handles) -> None:
    assert tray_drawn(DrawnOutline("square", handles), SIZE_PX) is None
    assert tray_drawn(DrawnOutline("square", SQUARE), SIZE_PX) is not None


def test_a_floor_that_the_network_sees_elsewhere_does_not_seem_to_move() -> None:
    """Drawn 30 mm beside what the network finds: the offset was already there when the tray was empty."""
    size_px = (640, 480)
    empty = StagedTable(12, Options(size_px=size_px, mat=False, light="daylight", plain=True)).render_empty()
    found = rectify(empty)
    assert found is not None
    beside = tuple((x + 0.1, y) for x, y in drawn_of(found.tray, size_px).handles)
    tray = tray_drawn(DrawnOutline(found.tray.shape, (beside[0], beside[1], beside[2], beside[3])), size_px)
    assert tray is not None
    known = KnownTable(tray, found.light, size_px, empty)
    seen, blind = rectify(empty, known=known), rectify(empty, known=replace(known, empty=None))
    assert seen is not None
    assert blind is not None
    assert blind.tray.off_mm > 15.0
    assert seen.tray.off_mm < 0.5
