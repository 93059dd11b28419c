"""The evaluation itself: known outcomes give known figures."""

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from threading import Timer

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.measuring.evaluate import (
    Outcome,
    SideBySideError,
    Unreadable,
    by_group,
    colour_errors,
    evaluate,
    evaluate_side_by_side,
    figures,
    risk_coverage,
    worst,
)
from calibration.measuring.labels import LabelsError, Truth, load_labels
from calibration.measuring.report import as_json, as_table, worst_as_text
from calibration.synth import Options
from calibration.synth.folder import write_folder
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.reading import Doubt, TrayReading

TRUTH = Truth(
    counts={"red": 2, "black": 0},
    hidden=0,
    mat=True,
    light="led",
    plastic="black",
    tray="square",
    cube_mm=8.0,
)


def reading(red: int, black: int = 0, certain: bool = True, confidence: float = 0.9) -> TrayReading:
    return TrayReading(
        counts={"red": red, "black": black},
        cubes=(),
        confidence={"red": confidence, "black": 1.0},
        certain=certain,
        doubts=() if certain else (Doubt.CROWDED,),
        mat_seen=True,
        tray_outline_px=(),
        cube_mm=8.0,
        size_px=(320, 240),
    )


def outcome(
    red: int, ms: float = 10.0, truth: Truth = TRUTH, certain: bool = True, confidence: float = 0.9
) -> Outcome:
    return Outcome(f"{red}.jpg", truth, reading(red, certain=certain, confidence=confidence), ms)


def test_exact_asked_and_silent_are_told_apart() -> None:
    """Right and sure, wrong and sure (silent), wrong but asked, right but asked."""
    four = [outcome(2), outcome(3), outcome(0, certain=False), outcome(2, certain=False)]
    seen = figures(four)
    assert (seen.pictures, seen.exact, seen.answered, seen.silent_errors) == (4, 2, 2, 1)
    assert seen.cube_error == pytest.approx((0 + 1 + 2 + 0) / 4)


def test_a_colour_swapped_for_another_counts_for_both() -> None:
    """One red read as black: the total is right, the tray is wrong by two."""
    swapped = Outcome("a.jpg", TRUTH, reading(1, black=1), 1.0)
    assert not swapped.exact
    assert swapped.cubes_wrong == 2
    assert colour_errors([swapped]) == {"black": 1.0, "red": 1.0}


def test_of_few_pictures_no_share_of_the_surest_is_told_twice() -> None:
    """A single picture is half, four fifths and all of them: its line used to be printed six times."""
    told = as_table([outcome(2)])
    shares = told.partition("accepting only the surest")[2].partition("\n\n")[0].splitlines()[1:]
    assert len(shares) == len(set(shares)) == 1


def test_colour_that_the_reader_does_not_know_is_an_error_not_a_crash() -> None:
    """A palette without yellow misses yellow cubes."""
    truth = replace(TRUTH, counts={"red": 2, "yellow": 3})
    assert outcome(2, truth=truth).cubes_wrong == 3


@given(times=st.lists(st.floats(0.1, 1e4), min_size=1, max_size=60))
def test_median_and_p95_agree_with_numpy(times: list[float]) -> None:
    """The percentile interpolates as numpy's does."""
    seen = figures([outcome(2, ms=ms) for ms in times])
    assert seen.ms_median == pytest.approx(np.median(times))
    assert seen.ms_p95 == pytest.approx(np.percentile(times, 95))


@given(
    totals=st.lists(st.integers(0, 70), max_size=40),
    black=st.booleans(),
    mat=st.booleans(),
    hidden=st.integers(0, 2),
)
def test_every_grouping_holds_every_picture_once(
    totals: list[int], black: bool, mat: bool, hidden: int
) -> None:
    """Groups are a partition."""
    truths = [replace(TRUTH, counts={"red": n, "black": int(black)}, mat=mat, hidden=hidden) for n in totals]
    body = as_json([outcome(2, truth=t) for t in truths])
    for grouping in ("by_mat", "by_light", "by_plastic", "by_tray", "by_cube_mm", "by_cubes", "by_hidden"):
        assert sum(group["pictures"] for group in body[grouping].values()) == len(totals)  # type: ignore[attr-defined] # JSON


@pytest.mark.parametrize(
    ("total", "group"),
    [(0, "0-5"), (5, "0-5"), (6, "6-15"), (15, "6-15"), (16, "16-30"), (30, "16-30"), (31, "31+")],
)
def test_cube_number_goes_into_its_bin(total: int, group: str) -> None:
    """The edges belong to the lower bin."""
    groups = by_group([outcome(2, truth=replace(TRUTH, counts={"red": total}))], "by_cubes")
    assert [name for name, f in groups.items() if f.pictures] == [group]


def test_edges_of_cubes_are_told_from_the_smallest_on() -> None:
    """10 used to come before 8; unknown sizes come last."""
    truths = [replace(TRUTH, cube_mm=edge_mm) for edge_mm in (None, 10.2, 8.0, 12.0)]
    assert list(by_group([outcome(2, truth=t) for t in truths], "by_cube_mm")) == ["8", "10", "12", "unknown"]


@pytest.mark.parametrize(
    ("plastic", "black", "group"), [("black", 1, "yes"), ("black", 0, "no"), ("clear", 4, "no")]
)
def test_black_on_black_needs_black_cubes_and_a_black_tray(plastic: str, black: int, group: str) -> None:
    """A black tray without black cubes is not the hard case."""
    truth = replace(TRUTH, counts={"red": 2, "black": black}, plastic=plastic)
    groups = by_group([outcome(2, truth=truth)], "by_black_on_black")
    assert groups[group].pictures == 1


def test_report_has_every_key_of_the_contract() -> None:
    """Others script against these names."""
    body = json.loads(json.dumps(as_json([outcome(2), outcome(3)])))
    plain = {"pictures", "answered", "exact", "silent_errors", "cube_error", "ms_median", "ms_p95"}
    tags = ("mat", "light", "plastic", "tray", "cube_mm", "cubes", "hidden", "black_on_black")
    grouped = {f"by_{tag}" for tag in tags}
    assert plain | grouped <= set(body)
    assert all(set(group) == plain for key in grouped for group in body[key].values())
    assert set(body["by_mat"]) == {"with_mat", "without_mat"}
    assert list(body["by_cubes"]) == ["0-5", "6-15", "16-30", "31+"]
    assert body["by_cube_mm"]["8"]["exact"] == 1
    assert body["by_mat"]["without_mat"]["ms_median"] is None


def test_table_names_the_groups_and_survives_no_picture() -> None:
    """No pictures at all must not crash it."""
    assert "without_mat" in as_table([outcome(2), outcome(1)])
    assert "all pictures" in as_table([])


def test_worst_shows_silent_errors_before_asked_ones() -> None:
    """A silent error of one cube is worse than an asked one of two."""
    right, asked, silent = outcome(2), outcome(0, certain=False), outcome(3)
    assert worst([right, asked, silent], 2) == [silent, asked]
    assert "red +1" in worst_as_text([right, asked, silent], 1)


def test_risk_coverage_accepts_the_surest_first() -> None:
    """Two sure and right ones, then one unsure and wrong."""
    points = risk_coverage(
        [outcome(3, confidence=0.5), outcome(2, confidence=0.9), outcome(2, confidence=0.8)]
    )
    assert [(round(p.coverage, 2), round(p.risk, 2)) for p in points] == [
        (0.33, 0.0),
        (0.67, 0.0),
        (1.0, 0.33),
    ]


def labelled_folder(folder: Path, names: list[str]) -> Path:
    entry = {
        "visible_counts": {"red": 2}, "hidden": 0, "mat": True, "light": "led", "plastic": "black",
        "tray": "square", "cube_mm": 8.0,
    }  # fmt: skip
    pictures = [{"file": name, **entry} for name in names]
    (folder / "labels.json").write_text(json.dumps({"pictures": pictures, "sequences": []}))
    for name in names:
        cv2.imwrite(str(folder / name), np.full((240, 320, 3), (20, 40, 60), np.uint8))
    return folder


def test_reader_gets_the_pixels_and_nothing_else(tmp_path: Path) -> None:
    """It gets one positional argument, an array. A truncated picture does not stop the rest."""
    folder = labelled_folder(tmp_path, ["a.png", "b.png", "c.png"])
    whole = (folder / "b.png").read_bytes()
    (folder / "b.png").write_bytes(whole[:60])
    handed: list[tuple[int, ...]] = []

    def read(picture: Picture) -> TrayReading:
        handed.append(picture.shape)
        return reading(2)

    results = list(evaluate(folder, load_labels(folder).pictures, read))
    assert [type(r) for r in results] == [Outcome, Unreadable, Outcome]
    assert handed == [(240, 320, 3)] * 3  # the first one twice, since the warm-up is not timed


def test_side_by_side_each_picture_is_read_as_by_one(tmp_path: Path) -> None:
    """The order is kept, and a truncated file is reported."""
    list(write_folder(tmp_path, range(88_100, 88_104), Options(size_px=(640, 480))))
    pictures = load_labels(tmp_path).pictures
    broken = tmp_path / pictures[1].file
    broken.write_bytes(broken.read_bytes()[:60])
    read = TrayReader().read
    alone = list(evaluate(tmp_path, pictures, read))
    together = list(evaluate_side_by_side(tmp_path, pictures, read, 2))
    assert [type(result) for result in together] == [Outcome, Unreadable, Outcome, Outcome]
    assert [result.file for result in together] == [picture.file for picture in pictures]
    for result, parallel in zip(alone, together, strict=True):
        if isinstance(result, Outcome) and isinstance(parallel, Outcome):
            assert (parallel.reading.counts, parallel.truth) == (result.reading.counts, result.truth)
            assert parallel.reading.confidence == pytest.approx(result.reading.confidence, abs=1e-4)


def _exit_process(picture: Picture) -> TrayReading:
    os._exit(9)


def test_a_process_that_is_ended_is_told_with_what_to_do(tmp_path: Path) -> None:
    folder = labelled_folder(tmp_path, ["a.png"])
    with pytest.raises(SideBySideError, match="smaller `--jobs`"):
        list(evaluate_side_by_side(folder, load_labels(folder).pictures, _exit_process, 2))


def _note_reading(folder: Path, picture: Picture) -> TrayReading:
    (folder / f"read-{os.getpid()}-{time.monotonic_ns()}").touch()
    return reading(2)


def test_ctrl_c_as_processes_start_reads_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is handled once they have started; all pictures used to be read before the command ended."""

    @contextmanager
    def interrupt() -> Iterator[None]:
        yield
        raise KeyboardInterrupt

    monkeypatch.setattr("calibration.measuring.evaluate.ctrl_c_waits", interrupt)
    folder = labelled_folder(tmp_path, [f"{number}.png" for number in range(60)])
    with pytest.raises(KeyboardInterrupt):
        list(evaluate_side_by_side(folder, load_labels(folder).pictures, partial(_note_reading, folder), 2))
    assert len(list(folder.glob("read-*"))) < 60


def _read_slowly(picture: Picture) -> TrayReading:
    time.sleep(1)
    return reading(2)


def test_a_second_ctrl_c_waits_for_the_processes_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They end after the picture they are at; the command went on without them and hung now and then."""
    monkeypatch.setattr("calibration.measuring.evaluate._AT_ONCE", 1)
    handler_before = signal.signal(signal.SIGINT, signal.default_int_handler)
    folder = labelled_folder(tmp_path, [f"{number}.png" for number in range(60)])
    results = evaluate_side_by_side(folder, load_labels(folder).pictures, _read_slowly, 2)
    next(results)
    second = Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    second.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            results.close()  # as the first does
    finally:
        signal.signal(signal.SIGINT, handler_before)
    assert active_children() == []


def test_folders_are_told_in_pictures_too() -> None:
    """Sets are compared by the number of exact pictures and by log loss."""
    all_ = [outcome(2), outcome(2), outcome(3)]
    rows = as_table(all_, {"one": all_, "none": []}).splitlines()
    table_rows = rows[next(n for n, row in enumerate(rows) if row.startswith("in pictures")) + 1 :]
    assert [row.split() for row in table_rows] == [
        ["one", "3", "2", "3", "1", "–"],
        ["none", "0", "0", "0", "0", "–"],
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "cannot be read"),
        ("[]", "not an object"),
        ('{"pictures": 3}', "not a list"),
        ('{"pictures": [{"file": "a.jpg"}]}', "lacks the key 'visible_counts'"),
        (
            '{"pictures": [{"file": "a.jpg", "counts": {"red": 2}, "hidden": 1}]}',
            "lacks the key 'visible_counts'",
        ),
        ('{"pictures": [{"file": "a.jpg", "visible_counts": {"red": "many"}}]}', "wrong value"),
    ],
)
def test_broken_labels_are_named(tmp_path: Path, text: str, words: str) -> None:
    """The error says what is wrong."""
    (tmp_path / "labels.json").write_text(text)
    with pytest.raises(LabelsError, match=words):
        load_labels(tmp_path)


def test_missing_labels_are_named(tmp_path: Path) -> None:
    """In an empty folder, and without a folder."""
    with pytest.raises(LabelsError, match=r"no labels\.json"):
        load_labels(tmp_path)
    with pytest.raises(LabelsError, match="no folder"):
        load_labels(tmp_path / "gone")
