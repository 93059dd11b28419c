"""Settling is found where it is, never while a cube moves, whatever light and noise do."""

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.synth.layout import Pose, upright_axes
from calibration.synth.render import frames_of, render_light, render_scene
from calibration.synth.sample import sample_scene
from calibration.synth.scene import COLOURS, Options, Plastic, Scene, floats
from calibration.synth.sensor import expose
from calibration.synth.staged import StagedTable
from tests.vision.thrown import FRAME_MS, Throw, frames, noisy
from vision.pictures import Picture
from vision.settling.settle import Motion, SettleWatch, Watched


def watch(pictures: Iterable[Picture], watcher: SettleWatch | None = None) -> list[Watched]:
    watcher = watcher or SettleWatch()
    return [watcher.feed(picture, index * FRAME_MS) for index, picture in enumerate(pictures)]


def settled_at(seen: list[Watched]) -> list[tuple[int, int]]:
    """Return (frame that announced it, frame where motion ended) for each settling."""
    return [(w.index, w.rest_index) for w in seen if w.just_settled]


throws = st.builds(
    Throw,
    ends=st.integers(2, 9),
    cubes=st.integers(1, 12),
    noise=st.floats(0, 5),
    contrast=st.floats(60, 140),
    level=st.floats(30, 150),
    speed_mm=st.floats(2.0, 12.0),
    seed=st.integers(0, 10_000),
)


@settings(max_examples=20)
@given(throw=throws)
def test_motion_end_is_found_within_one_frame_and_once(throw: Throw) -> None:
    """Any throw, any light: one settling, where the last cube stopped, announced within four frames."""
    found = settled_at(watch(frames(throw, throw.ends + 7)))
    assert len(found) == 1
    announced, rest = found[0]
    assert abs(rest - throw.ends) <= 1
    assert announced - throw.ends <= 4


@settings(max_examples=8)
@given(
    speed_mm=st.floats(0.3, 0.6),
    noise=st.floats(0, 2),
    cubes=st.integers(1, 4),
    seed=st.integers(0, 10_000),
)
def test_a_creeping_cube_never_counts_as_settled(
    speed_mm: float, noise: float, cubes: int, seed: int
) -> None:
    """A third of a millimetre per frame is less than two neighbouring frames show, but it adds up."""
    throw = Throw(ends=100, cubes=cubes, noise=noise, speed_mm=speed_mm, seed=seed)
    assert all(w.motion is not Motion.SETTLED for w in watch(frames(throw, 30))[4:])


@pytest.mark.parametrize("noise", [0.0, 4.0, 12.0])
def test_a_still_tray_is_settled_but_never_announced(noise: float) -> None:
    """Nothing was thrown, so there is nothing to read, however noisy a dim picture is."""
    seen = watch(frames(Throw(ends=0, noise=noise, level=50), 25))
    assert seen[-1].motion is Motion.SETTLED
    assert not seen[-1].moved
    assert settled_at(seen) == []


@pytest.mark.parametrize("quality", [25, 50, 80])
def test_blocks_of_jpeg_are_not_motion(quality: int) -> None:
    """A cheap webcam packs its noise into jumping blocks: the throw is still found, and only once."""
    found = settled_at(watch(as_webcam_jpeg(p, quality) for p in frames(Throw(ends=5, noise=5), 16)))
    assert len(found) == 1
    assert abs(found[0][1] - 5) <= 2


_BLOCKY = (50_011, 50_016, 50_029, 50_046)


@pytest.mark.parametrize(
    ("quality", "size", "seeds"),
    [(45, (640, 480), _BLOCKY), (70, (640, 480), _BLOCKY), (50, (1280, 960), _BLOCKY[:1])],
)
def test_blocks_that_jump_in_a_still_tray_are_not_motion(
    quality: int, size: tuple[int, int], seeds: tuple[int, ...]
) -> None:
    """Two seconds of a tray at rest: in each frame other JPEG blocks are a level higher or lower."""
    for seed in seeds:
        scene = sample_scene(seed, Options(size_px=size))
        still, _ = frames_of(replace(scene, sensor=replace(scene.sensor, jpeg_quality=quality)), seed, 30)
        assert not any(w.moved for w in watch(still)), seed


@pytest.mark.parametrize("seed", [50_011, 50_016, 50_046])
def test_a_table_that_trembles_is_not_motion(seed: int) -> None:
    """Somebody leans on it: the whole picture shifts by a quarter of a pixel and back."""
    rng = np.random.default_rng(seed)
    still = render_scene(sample_scene(seed, Options(size_px=(640, 480))), seed)[0]
    shaken = [noisy(shifted(still, rng.uniform(-0.25, 0.25, 2)), 1, rng) for _ in range(15)]
    assert not any(w.moved for w in watch(shaken))


def shifted(picture: Picture, by_px: npt.NDArray[np.float64]) -> Picture:
    """Shift the whole picture by a fraction of a pixel."""
    way = np.array([[1, 0, by_px[0]], [0, 1, by_px[1]]], np.float32)
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, way, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


@pytest.mark.parametrize("plastic", ["black", "clear"])
@pytest.mark.parametrize("colour", COLOURS)
def test_one_more_cube_is_seen_on_any_floor(colour: str, plastic: Plastic) -> None:
    """Even black on black, and cubes as light as the floor."""
    table = StagedTable(50_029, Options(size_px=(640, 480), plastic=plastic, light="led"))
    before = table.scene
    [x, y] = before.tray.centre_mm
    pose = Pose(np.array([x + 20, y, before.cube_mm / 2], np.float32), upright_axes(0.5))
    empty, _ = frames_of(before, 3, 6)
    lying, _ = frames_of(replace(before, cubes=(table.box(colour, pose),)), 4, 6)
    seen = watch([*empty, *lying])
    assert [rest for _, rest in settled_at(seen)] in ([6], [7])


@pytest.mark.parametrize("seed", [50_007, 50_015])
def test_a_black_cube_in_a_black_tray_is_seen_in_a_dim_rooms_grain(seed: int) -> None:
    """It drowns in the grain over 3×3 cells, but not over more."""
    table = StagedTable(seed, Options(size_px=(640, 480), plastic="black", light="dim"))
    before = table.scene
    [x, y] = before.tray.centre_mm
    pose = Pose(np.array([x + 20, y, before.cube_mm / 2], np.float32), upright_axes(0.5))
    empty, _ = frames_of(before, 3, 6)
    lying, _ = frames_of(replace(before, cubes=(table.box("black", pose),)), 4, 6)
    assert len(settled_at(watch([*empty, *lying]))) == 1


def test_a_colour_of_the_same_light_is_seen() -> None:
    """A blue cube replaces a grey one of equal luma: only Cb and Cr change."""
    grey = np.full((480, 640, 3), 110, np.uint8)
    blue = grey.copy()
    blue[200:226, 300:326] = (190, 95, 109)
    rng = np.random.default_rng(2)
    seen = watch([noisy(p, 2, rng) for p in (*[grey] * 6, *[blue] * 5)])
    assert len(settled_at(seen)) == 1


def test_what_comes_just_as_the_watch_follows_the_daylight_is_seen() -> None:
    """Every thirty frames the reference is replaced by the current frame, but not while something may have
    changed."""
    for begins in range(32, 38):
        pictures = [*frames(Throw(ends=4), begins), *frames(Throw(ends=0, seed=9), 6)]
        assert [rest for _, rest in settled_at(watch(pictures))] == [4, begins + 1], begins


def test_many_cubes_that_creep_are_not_taken_for_noise() -> None:
    """Each moves a third of a millimetre per frame; together they are more than one cell in a hundred."""
    throw = Throw(ends=100, cubes=60, noise=1, contrast=25, speed_mm=0.3, size=(320, 240))
    assert all(w.motion is not Motion.SETTLED for w in watch(frames(throw, 20))[4:])


def test_what_moves_within_the_box_of_the_tray_and_not_in_it_does_not_matter() -> None:
    """An oval leaves four corners of its bounding box in which a sleeve may move."""
    [still] = frames(Throw(ends=0, noise=0), 1)
    rng = np.random.default_rng(6)
    around = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    oval = tuple((320 + 140 * np.cos(angle), 240 + 140 * np.sin(angle)) for angle in around)
    pictures = []
    for index in range(12):
        picture = still.copy()
        picture[100 : 112 + 2 * index, 180:212] = 250
        pictures.append(noisy(picture, 2, rng))
    assert not any(w.moved for w in watch(pictures, SettleWatch(region_px=oval)))


def test_one_frame_that_differs_does_not_disturb_a_tray_at_rest() -> None:
    """Noise produces such a frame now and then; but if the change stays, something was moved."""
    still = list(frames(Throw(ends=4), 14))
    other = list(frames(Throw(ends=0, seed=9), 6))
    blip = watch([*still[:10], other[0], *still[10:]])
    assert settled_at(blip) == settled_at(watch(still[:10]))
    moved = watch([*still[:10], *other])
    assert [rest for _, rest in settled_at(moved)] == [4, 11]


def as_webcam_jpeg(picture: Picture, quality: int) -> Picture:
    """Encode and decode as a webcam's JPEG."""
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def test_a_pause_shorter_than_the_quiet_time_is_not_the_end() -> None:
    """Two still frames between two cubes: one settling, after the second cube."""
    first = list(frames(Throw(ends=4, seed=3), 7))
    second = list(frames(Throw(ends=4, seed=4), 12))
    found = settled_at(watch(first + second))
    assert [rest for _, rest in found] == [len(first) + 4]


def test_each_throw_is_announced_once() -> None:
    """Settled, thrown again, settled again."""
    found = settled_at(watch([*frames(Throw(ends=4, seed=3), 12), *frames(Throw(ends=4, seed=4), 12)]))
    assert [rest for _, rest in found] == [4, 16]


def test_frames_that_come_too_fast_do_not_shorten_the_quiet_time() -> None:
    """At 60 frames a second three frames are only 50 ms."""
    watcher = SettleWatch()
    seen = [watcher.feed(p, i * 1000 / 60) for i, p in enumerate(frames(Throw(ends=4), 30))]
    [(announced, rest)] = settled_at(seen)
    assert (announced - rest) * 1000 / 60 >= 190


def test_light_that_changes_is_not_motion() -> None:
    """Exposure drifts by a tenth, a lamp flickers in bands: the tray is still at rest."""
    rng = np.random.default_rng(5)
    [still] = frames(Throw(ends=0, noise=0), 1)
    bands = np.arange(still.shape[0])[:, None, None]
    flicker = [
        noisy((still * (1 + 0.01 * i) + 2.5 * np.sin(bands / 40 + i)).clip(0, 255).astype(np.uint8), 2, rng)
        for i in range(12)
    ]
    assert not any(w.moved for w in watch(flicker))


@pytest.mark.parametrize("share", [0.2, 0.3])
def test_a_lamp_that_flickers_hard_is_not_motion_and_hides_none(share: float) -> None:
    """A rolling shutter sees it as wandering bands, a fifth or a third brighter and darker."""
    for seed in (50_029, 50_031):
        table = StagedTable(seed, Options(size_px=(640, 480), light="led"))
        [x, y] = table.scene.tray.centre_mm
        pose = Pose(np.array([x + 20, y, table.scene.cube_mm / 2], np.float32), upright_axes(0.5))
        lying = replace(table.scene, cubes=(table.box("green", pose),))
        empty = banded(table.scene, share, range(20))
        assert not any(w.moved for w in watch(empty)), seed
        seen = watch([*empty, *banded(lying, share, range(20, 26))])
        assert [rest for _, rest in settled_at(seen)] in ([20], [21]), seed


def banded(scene: Scene, share: float, numbers: range) -> list[Picture]:
    """Frames with these numbers, under a lamp whose light varies by `share` in bands."""
    light = render_light(scene)[0]
    rows = np.arange(len(light), dtype=np.float32)[:, None, None]
    bands = [1 + np.float32(share) * np.sin(rows * np.float32(0.03) + np.float32(1.7 * n)) for n in numbers]
    return [
        expose(floats(light * band), scene.sensor, np.random.default_rng(number))
        for number, band in zip(numbers, bands, strict=True)
    ]


def test_evening_is_not_motion() -> None:
    """Blue light goes and warm light comes, a little in each frame: in the end the picture is quite
    different."""
    rng = np.random.default_rng(5)
    [still] = frames(Throw(ends=0, noise=0, size=(320, 240)), 1)
    tint = np.array([-0.0015, 0.0, 0.001])
    evening = (noisy((still * (1 + tint * i)).astype(np.uint8), 2, rng) for i in range(250))
    assert not any(w.moved for w in watch(evening))


def test_region_may_change_without_a_new_announcement() -> None:
    """The tray was read: from now on only it is watched, which does not count as motion."""
    watcher = SettleWatch()
    pictures = list(frames(Throw(ends=4), 20))
    first = watch(pictures[:10], watcher)
    assert len(settled_at(first)) == 1
    watcher.watch_only(((180.0, 100.0), (500.0, 110.0), (480.0, 420.0), (170.0, 400.0)))
    second = [watcher.feed(p, (10 + i) * FRAME_MS) for i, p in enumerate(pictures[10:])]
    assert settled_at(second) == []
    assert all(w.motion is not Motion.MOVING for w in second)


def test_region_of_another_picture_size_is_dropped() -> None:
    """The outline was for 1280×960; now 640×480 arrives: the whole picture is watched, and the change is
    motion."""
    watcher = SettleWatch()
    watch(frames(Throw(ends=0, size=(1280, 960)), 6), watcher)
    watcher.watch_only(((400.0, 200.0), (1200.0, 200.0), (1200.0, 900.0), (400.0, 900.0)))
    seen = [watcher.feed(p, (6 + i) * FRAME_MS) for i, p in enumerate(frames(Throw(ends=0), 6))]
    assert [w.index for w in seen if w.just_settled] == [9]


def test_half_paper_half_tray_is_still() -> None:
    """The median of such a picture jumps between the two with the noise; the light has not changed."""
    rng = np.random.default_rng(8)
    picture = np.full((480, 640, 3), 100, np.uint8)
    picture[:, :320] = 210
    assert not any(w.moved for w in watch(noisy(picture, 3, rng) for _ in range(12)))


def test_a_hand_that_fills_the_picture_is_motion_not_noise() -> None:
    """More than half of all cells change: the noise estimate must not absorb that."""
    pictures = [next(frames(Throw(ends=0, seed=seed), 1)) for seed in range(8)]
    assert all(w.motion is Motion.MOVING for w in watch(pictures)[1:])


def test_what_moves_beside_the_tray_does_not_matter() -> None:
    """A sleeve moves at the picture's edge; the tray in the middle is at rest."""
    [still] = frames(Throw(ends=0, noise=0), 1)
    rng = np.random.default_rng(6)
    pictures = []
    for index in range(12):
        picture = still.copy()
        picture[:, : 20 + 8 * index] = 60
        pictures.append(noisy(picture, 2, rng))
    tray = ((180.0, 100.0), (500.0, 110.0), (480.0, 420.0), (170.0, 400.0))
    assert all(w.motion is Motion.MOVING for w in watch(pictures)[1:])
    assert not any(w.moved for w in watch(pictures, SettleWatch(region_px=tray)))


@pytest.mark.parametrize("size", [(320, 240), (1280, 960), (1920, 1080)])
def test_every_picture_size_works_and_may_change(size: tuple[int, int]) -> None:
    """The camera is reopened with another size: that is motion, and one settling follows."""
    watcher = SettleWatch()
    watch(frames(Throw(ends=100), 3), watcher)
    seen = watch(frames(Throw(ends=3, size=size), 9), watcher)
    assert [w.rest_index - 3 for w in seen if w.just_settled] == [3]


def test_region_outside_the_picture_is_no_crash() -> None:
    """An outline kept from a larger picture."""
    far = SettleWatch(region_px=((2000.0, 2000.0), (2100.0, 2000.0), (2100.0, 2100.0)))
    assert not any(w.moved for w in watch(frames(Throw(ends=4), 8), far))


def test_what_changes_while_the_tray_is_read_is_motion() -> None:
    """Reading takes a while; the next frame is compared with the one that was read."""
    watcher = SettleWatch()
    still = list(frames(Throw(ends=4), 12))
    watch(still, watcher)
    watcher.watch_only(((180.0, 100.0), (500.0, 110.0), (480.0, 420.0), (170.0, 400.0)))
    late = still[-1].copy()
    cv2.rectangle(late, (300, 220), (330, 250), (250, 250, 250), -1)
    seen = [watcher.feed(late, (12 + i) * FRAME_MS) for i in range(6)]
    assert seen[0].motion is Motion.MOVING
    assert len(settled_at(seen)) == 1
