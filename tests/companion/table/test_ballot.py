"""The frames of one stillness vote before the tray is believed."""

from collections.abc import Iterable

import numpy as np
import pytest

from companion.table.sensing.ballot import Ballot, Verdict
from tests.companion.table.tables import Clock
from vision.counting.odds import AtMost, belief, count_odds
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.reading import Doubt, TrayReading
from vision.settling.settle import Motion, Watched


class Scripted(TrayReader):
    """Reads from each picture the probabilities of red cubes that its first pixel selects."""

    def __init__(self, chances: list[list[float]]) -> None:
        super().__init__()
        self._chances = chances
        self.read_of: list[int] = []
        self.at_mosts: list[AtMost | None] = []

    def read(self, picture: Picture, at_most: AtMost | None = None) -> TrayReading:
        number = int(picture[0, 0, 0])
        self.read_of.append(number)
        self.at_mosts.append(at_most)
        red_chances = self._chances[number]
        odds = count_odds({"red": red_chances})
        certainty = belief(odds)
        doubts = () if certainty.probability >= 0.97 else (Doubt.UNCLEAR_COUNT,)
        counts = {"red": sum(p >= 0.5 for p in red_chances)}
        return TrayReading(
            counts, (), certainty.confidence, not doubts, doubts, True, (), 8.0, (4, 4), odds=odds
        )


def frame(number: int) -> Picture:
    return np.full((4, 4, 3), number, np.uint8)


def watched_at(motion: Motion, index: int, rest: int) -> Watched:
    return Watched(motion, index, rest, 0.0, moved=True, just_settled=motion is Motion.SETTLED)


def play_and_cast(ballot: Ballot, frames: list[Picture]) -> Verdict:
    """The first frame moves, all the others are at rest."""
    ballot.watch(frames[0], watched_at(Motion.MOVING, 0, 0))
    for index, picture in enumerate(frames[1:], start=1):
        is_last = index == len(frames) - 1
        ballot.watch(picture, watched_at(Motion.SETTLED if is_last else Motion.QUIET, index, 1))
    return ballot.cast(frames[-1])


SURE, LESS, OTHER = [0.999, 0.999], [0.999, 0.7], [0.999]


def test_two_frames_that_agree_are_enough() -> None:
    """The early frame was read while the watch still waited, then the mean of all."""
    reader = Scripted([[]] + [SURE] * 4)
    reading = play_and_cast(Ballot(reader), [frame(n) for n in range(5)]).reading
    assert reader.read_of == [2, 3]
    assert reading.certain
    assert reading.counts == {"red": 2}


def test_a_doubtful_early_frame_is_outvoted_by_two_means() -> None:
    """Grain in a single frame is no reason to ask."""
    reader = Scripted([[], SURE, LESS, SURE, SURE])
    verdict = play_and_cast(Ballot(reader), [frame(n) for n in range(5)])
    assert reader.read_of == [2, 3, 4], "early, all of 2, 3, 4, and the newer half"
    assert verdict.reading.counts == {"red": 2}
    assert verdict.reading.certain
    assert verdict.shown[0, 0, 0] in (3, 4)


def test_what_crept_until_the_newer_frames_asks() -> None:
    reader = Scripted([[], SURE, SURE, LESS, OTHER])
    reading = play_and_cast(Ballot(reader), [frame(n) for n in range(5)]).reading
    assert not reading.certain


class ShownPictures(TrayReader):
    """Keeps the pictures that it is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[Picture] = []

    def read(self, picture: Picture, at_most: AtMost | None = None) -> TrayReading:
        self.shown.append(picture)
        return Scripted([SURE]).read(np.zeros((4, 4, 3), np.uint8))


def test_all_still_frames_are_read_as_one_without_their_grain() -> None:
    chance = np.random.default_rng(7)
    grainy = [np.clip(chance.normal(40, 6, (60, 80, 3)), 0, 255).astype(np.uint8) for _ in range(12)]
    reader = ShownPictures()
    play_and_cast(Ballot(reader), grainy)
    early, whole = (float(picture.std()) for picture in reader.shown)
    assert early == pytest.approx(6, rel=0.1)
    assert whole == pytest.approx(6 / np.sqrt(6), rel=0.1)


def test_a_drop_that_was_felt_and_not_seen_begins_anew() -> None:
    """The watch begins a new stillness without motion; a cube must not be in only half of the frames."""
    reader = ShownPictures()
    ballot = Ballot(reader)
    for index in range(2, 8):
        ballot.watch(np.zeros((60, 80, 3), np.uint8), watched_at(Motion.SETTLED, index, 1))
    for index in range(8, 12):
        ballot.watch(np.full((60, 80, 3), 200, np.uint8), watched_at(Motion.QUIET, index, 8))
    ballot.cast(np.full((60, 80, 3), 200, np.uint8))
    assert {int(picture[0, 0, 0]) for picture in reader.shown} == {200}


def test_a_frame_of_another_size_is_left_out() -> None:
    """The camera's resolution may change between two frames."""
    reader = ShownPictures()
    ballot = Ballot(reader)
    ballot.watch(np.zeros((60, 80, 3), np.uint8), watched_at(Motion.QUIET, 3, 1))
    newest = np.full((30, 40, 3), 9, np.uint8)
    ballot.cast(newest)
    assert [picture.shape for picture in reader.shown] == [newest.shape]


def test_frames_that_count_differently_ask() -> None:
    reader = Scripted([[], SURE, SURE, [0.999, 0.999, 0.999], OTHER])
    reading = play_and_cast(Ballot(reader), [frame(n) for n in range(5)]).reading
    assert not reading.certain
    assert reading.doubts[0] is Doubt.FRAMES_DIFFER


def test_what_lay_there_before_the_motion_has_no_vote() -> None:
    reader = Scripted([[], OTHER, OTHER, SURE, SURE])
    ballot = Ballot(reader)
    play_and_cast(ballot, [frame(0), frame(1), frame(2)])
    ballot.watch(frame(0), watched_at(Motion.MOVING, 3, 3))
    reading = play_and_cast(ballot, [frame(0), frame(3), frame(4)]).reading
    assert reading.counts == {"red": 2}
    assert reading.certain


@pytest.mark.parametrize("moved_again", [True, False])
def test_a_film_that_stands_still_is_one_vote(moved_again: bool) -> None:
    """The very same picture says nothing new."""
    reader = Scripted([[], SURE])
    ballot, still_frame = Ballot(reader), frame(1)
    play_and_cast(ballot, [frame(0), still_frame, still_frame, still_frame])
    reader.read_of.clear()
    if moved_again:
        play_and_cast(ballot, [frame(0), still_frame, still_frame, still_frame])
    else:
        ballot.cast(still_frame)
    assert reader.read_of == [1]


class Slow(Scripted):
    """Takes 30 ms for each picture."""

    def __init__(self, chances: list[list[float]], clock: Clock) -> None:
        super().__init__(chances)
        self._clock = clock

    def read(self, picture: Picture, at_most: AtMost | None = None) -> TrayReading:
        self._clock.now_s += 0.030
        return super().read(picture, at_most)


@pytest.mark.parametrize(
    ("film", "spent_ms"), [(range(5), 60), ((0, 1, 1, 1), 30)], ids=["two frames", "read ahead alone"]
)
def test_the_time_of_a_reading_is_that_of_all_its_frames(film: Iterable[int], spent_ms: float) -> None:
    """The page said "Read in 0 ms" if the last frame left nothing to do."""
    clock = Clock()
    pictures = {number: frame(number) for number in film}
    ballot = Ballot(Slow([[]] + [SURE] * 4, clock), clock)
    assert play_and_cast(ballot, [pictures[n] for n in film]).read_ms == pytest.approx(spent_ms)
    clock.now_s += 10
    assert play_and_cast(ballot, [frame(n) for n in range(5)]).read_ms == pytest.approx(60), (
        "each throw for itself"
    )


def test_what_was_read_beside_another_ledger_has_no_vote() -> None:
    """A throw was announced while the tray already lay still."""
    reader = Scripted([[]] + [SURE] * 4)
    ballot = Ballot(reader)
    ballot.watch(frame(0), watched_at(Motion.MOVING, 0, 0))
    for index in (1, 2):
        ballot.watch(frame(index), watched_at(Motion.QUIET, index, 1))
    assert reader.read_of == [2]
    ballot.expect({"red": 2})
    ballot.watch(frame(3), watched_at(Motion.SETTLED, 3, 1))
    verdict = ballot.cast(frame(3))
    assert verdict.at_most == {"red": 2}
    assert reader.at_mosts[0] is None
    assert set(map(str, reader.at_mosts[1:])) == {str({"red": 2})}
