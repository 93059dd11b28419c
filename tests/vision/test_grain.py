"""Black cubes that a dark floor's grain may hide are asked about; averaging frames reduces the grain."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.drawn_tray import drawn_tray
from vision.doubting.doubts import find_doubts
from vision.doubting.grain import grain, lost_in_grain
from vision.doubting.unseen import Scene, unseen_odds
from vision.finding.candidates import Candidate
from vision.palette import SHOGUN, Palette
from vision.pictures import Picture
from vision.reading import Doubt
from vision.scene.change import Change
from vision.scene.rectify import Rectified, rectify
from vision.settling.voting import mean_of

REDS = [Candidate((200.0 + 20 * n, 220.0), 20.0, 0.99, (0.99, 0.01, 0, 0, 0, 0)) for n in range(6)]

BLACK = [Candidate((300.0, 200.0 + 30 * n), 20.0, 0.99, (0, 0, 1.0, 0, 0, 0)) for n in range(3)]


def tray(grain_levels: float, grey: int = 40) -> Rectified:
    """A tray drawn without grain, which is then added to the whitened floor."""
    flat = rectify(drawn_tray([], tray_grey=grey))
    assert flat is not None
    return replace(flat, image=grainy(flat.image, grain_levels, 3))


def grainy(picture: Picture, levels: float, seed: int) -> Picture:
    noise = np.random.default_rng(seed).normal(0, levels, picture.shape[:2])
    return np.clip(np.rint(picture + noise[:, :, None]), 0, 255).astype(np.uint8)


def test_grain_is_measured_in_levels() -> None:
    quiet, loud = grain(tray(0.0)), grain(tray(6.0))
    assert quiet < 1.5, "what is drawn is not quite even"
    assert loud == pytest.approx(6.0, rel=0.15)


def test_only_dark_floors_lose_black_cubes() -> None:
    assert lost_in_grain(tray(0.0), REDS, SHOGUN) == 0
    assert lost_in_grain(tray(15.0, grey=170), REDS, SHOGUN) == 0
    assert lost_in_grain(tray(15.0), REDS, SHOGUN) > lost_in_grain(tray(12.0), REDS, SHOGUN) > 0


def test_no_camera_alone_has_so_much_grain() -> None:
    """Of 120 dark trays with 4 to 9 levels, without a black cube in sight, none held one."""
    assert lost_in_grain(tray(8.0), REDS, SHOGUN) == 0


def test_nothing_is_lost_where_there_is_nothing_to_lose() -> None:
    """Given an empty tray, and a game without black cubes."""
    without = Palette({name: SHOGUN.samples[name] for name in SHOGUN.colours if name != "black"})
    assert lost_in_grain(tray(15.0), [], SHOGUN) == 0
    assert lost_in_grain(tray(15.0), REDS, without) == 0


def test_black_cubes_that_are_seen_vouch_for_others_in_heavy_grain() -> None:
    hidden = [lost_in_grain(tray(15.0), [*REDS, *BLACK[:n]], SHOGUN) for n in range(4)]
    assert hidden == sorted(hidden, reverse=True)
    assert hidden[0] > 0.05
    assert hidden[3] < 0.02


def test_where_black_cubes_are_seen_another_may_lie_in_a_little_grain() -> None:
    """Given hardly any grain, a few levels as cameras make, and a known empty tray."""
    none, fine, some = (lost_in_grain(tray(g), [*REDS, *BLACK], SHOGUN) for g in (0.0, 0.5, 3.0))
    assert 0 < none <= fine < some < 0.03
    dark = tray(3.0)
    known = replace(dark, change=Change(dark.image, dark.image, np.zeros(3, np.float32)))
    assert lost_in_grain(known, [*REDS, *BLACK], SHOGUN) == 0
    assert lost_in_grain(tray(3.0, grey=170), [*REDS, *BLACK], SHOGUN) == 0


def test_it_makes_only_black_less_sure_and_is_named() -> None:
    dark = tray(15.0)
    hidden = lost_in_grain(dark, REDS, SHOGUN)
    clear, veiled = (unseen_odds(REDS, SHOGUN, Scene(black=lost)) for lost in (0.0, hidden))
    assert veiled["black"] == pytest.approx(np.exp(-hidden))
    assert {c for c in SHOGUN.colours if veiled[c] != clear[c]} == {"black"}
    assert Doubt.BLACK_ON_BLACK in find_doubts(dark, REDS, veiled, SHOGUN)


def test_the_mean_of_frames_has_less_grain() -> None:
    flat = tray(0.0)
    frames = [grainy(flat.image, 14.0, seed) for seed in range(6)]
    assert mean_of(frames[:1]) is frames[0]
    together = replace(flat, image=mean_of(frames))
    assert lost_in_grain(replace(flat, image=frames[0]), REDS, SHOGUN) > 0.05
    assert lost_in_grain(together, REDS, SHOGUN) == 0
