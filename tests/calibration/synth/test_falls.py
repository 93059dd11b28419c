"""Falls: the file, when motion ends, and what a camera sees of them."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.measuring.labels import load_labels, truth_of_entry
from calibration.measuring.settle import SettleOutcome, evaluate_settle
from calibration.synth import Options
from calibration.synth.falls import FALLS, FALLS_FPS, Fall, draw_fall, read_falls, write_falls
from calibration.synth.film import FPS, Film, render_film
from calibration.synth.folder import write_folder
from calibration.synth.layout import Pose
from calibration.synth.throws import THROWS, Throw, ThrowsError
from calibration.written import WriteError
from vision.pictures import Picture


def _fall(heights_mm: list[float]) -> Fall:
    """A fall of one cube over the middle of a tray, at these heights frame by frame."""
    tray = read_falls(FALLS)[0].frames[0].tray
    axes = np.eye(3, dtype=np.float32)
    places = (np.array([*tray.centre_mm, height], np.float32) for height in heights_mm)
    return Fall(tuple(Throw(tray, 8.0, (Pose(place, axes),)) for place in places))


@given(
    st.lists(st.floats(5, 80), min_size=0, max_size=12),
    st.lists(st.floats(3.9, 4.1), min_size=1, max_size=12),
)
def test_motion_ends_when_every_corner_stays_where_it_is(falling: list[float], lying: list[float]) -> None:
    """A tremor of a tenth of a millimetre is no motion."""
    assert _fall([*falling, *lying]).motion_ends == len(falling)


@pytest.mark.parametrize(
    ("heights_mm", "pause"), [([9, 9, 9, 4, 4], 0), ([9, 7, 7, 7, 7, 4], 3), ([9, 8, 8, 7, 4, 4, 4], 1)]
)
def test_a_pause_is_between_two_motions(heights_mm: list[float], pause: int) -> None:
    """Neither before the first cube appears nor after the last lies still."""
    assert _fall(heights_mm).longest_pause() == pause


def test_shipped_falls_end_in_the_tray_and_pause_for_less_than_a_watch_waits() -> None:
    falls = read_falls(FALLS)
    assert len(falls) > 40
    assert {fall.frames[0].tray.shape for fall in falls} == {"square", "oval"}
    for fall in falls:
        assert 0 < fall.motion_ends < len(fall.frames)
        assert fall.longest_pause() / FALLS_FPS < 0.19
        for pose in fall.frames[-1].poses:
            assert np.abs(pose.centre_mm[:2] - fall.frames[0].tray.centre_mm).max() < 95
            assert pose.centre_mm[2] - np.abs(pose.axes[:, 2]).sum() * fall.frames[0].edge_mm / 2 > -0.5


def test_a_file_tells_what_was_written(tmp_path: Path) -> None:
    falls = [_fall([60, 20, 4]), _fall([30, 4, 4, 4])]
    write_falls(tmp_path / "some.npz", falls)
    read = read_falls(tmp_path / "some.npz")
    assert [len(fall.frames) for fall in read] == [3, 4]
    assert [fall.motion_ends for fall in read] == [2, 1]
    assert read[0].frames[1].poses[0].centre_mm[2] == pytest.approx(20, abs=0.02)


def test_throws_are_no_falls() -> None:
    """Throws record only where cubes lie, not how they got there."""
    with pytest.raises(ThrowsError, match="does not hold how cubes fell"):
        read_falls(THROWS)


def test_a_mirrored_fall_is_mirrored_in_all_frames() -> None:
    """Draws are mirrored or not as a whole; a cube never jumps from one side to the other."""
    fall = replace(_fall([60, 20, 4]))
    drawn = [draw_fall(np.random.default_rng(seed), [fall], None) for seed in range(20)]
    yaws = {tuple(round(frame.tray.yaw_rad, 6) for frame in drawn_fall.frames) for drawn_fall in drawn}
    assert len(yaws) == 2
    assert all(len(set(fall_yaws)) == 1 for fall_yaws in yaws)


@pytest.fixture(scope="module")
def seen() -> Film:
    return render_film(4, Options(size_px=(320, 240), plain=True))


def test_a_film_shows_an_empty_tray_then_motion_then_rest(seen: Film) -> None:
    """By the frames themselves: they differ from the last by more than grain until motion ends."""
    changes = [_changed_per_mille(frame, seen.frames[-1]) for frame in seen.frames]
    assert min(changes[: seen.motion_ends]) > 2
    assert max(changes[seen.motion_ends :]) < 1
    assert _changed_per_mille(seen.frames[0], seen.frames[1]) < 1
    assert truth_of_entry(seen.label).total > 0


def _changed_per_mille(first: Picture, second: Picture) -> float:
    """Pixels per thousand that differ by more than grain."""
    difference = cv2.absdiff(cv2.blur(first, (3, 3)), cv2.blur(second, (3, 3))).max(axis=2)
    return float((difference > 20).mean()) * 1000


def test_what_is_still_in_the_tower_is_not_in_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cube is at twenty centimetres, and then on the floor."""
    monkeypatch.setattr("calibration.synth.film.read_falls", lambda _: (_fall([200.0] * 6 + [4.0] * 4),))
    shown = render_film(4, Options(size_px=(320, 240), plain=True))
    assert shown.motion_ends >= 4
    assert all(
        _changed_per_mille(frame, shown.frames[0]) < 0.3 for frame in shown.frames[: shown.motion_ends]
    )
    assert _changed_per_mille(shown.frames[shown.motion_ends], shown.frames[0]) > 0.6


def test_a_seed_gives_the_same_frames_again(seen: Film) -> None:
    again = render_film(4, Options(size_px=(320, 240), plain=True))
    assert again.motion_ends == seen.motion_ends
    assert all(np.array_equal(a, b) for a, b in zip(again.frames, seen.frames, strict=True))


def test_rendered_falls_are_found_to_end_where_they_do(tmp_path: Path) -> None:
    """With any light and tray, of three seeds, from the files: within two frames, never falsely before."""
    names = list(write_folder(tmp_path, range(40, 43), Options(size_px=(320, 240)), falls=True))
    labels = load_labels(tmp_path)
    assert [sequence.frames[0] for sequence in labels.sequences] == names
    assert {sequence.fps for sequence in labels.sequences} == {FPS}
    assert all((tmp_path / name).exists() for sequence in labels.sequences for name in sequence.frames)
    outcomes = [o for o in evaluate_settle(tmp_path, labels.sequences) if isinstance(o, SettleOutcome)]
    assert len(outcomes) == 3
    assert all(outcome.close and not outcome.false_settled for outcome in outcomes), outcomes


def test_a_full_disk_leaves_no_film_by_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for 30 frames there is one film, and no beginning of the next."""
    write = Path.write_bytes
    written: list[Path] = []

    def write_until_full(self: Path, data: bytes) -> int:
        if len(written) == 30:
            raise OSError(28, "No space left on device")
        written.append(self)
        return write(self, data)

    monkeypatch.setattr(Path, "write_bytes", write_until_full)
    with pytest.raises(WriteError, match="Free some space"):
        list(write_folder(tmp_path, range(3), Options(size_px=(320, 240), plain=True), falls=True))
    [sequence] = load_labels(tmp_path).sequences
    assert sorted(path.name for path in tmp_path.iterdir()) == [*sequence.frames, "labels.json"]
