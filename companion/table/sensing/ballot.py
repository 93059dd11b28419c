"""A vote among the frames of one stillness: nothing is certain that only one frame says.

The first frame of a stillness is read while the settle watch still waits for the others. Then the mean of all
is read as one picture: it shows what the grain of a dim room hides in each. Agreement costs nobody time. If
the two disagree, the newer half is read too: it differs if a hand left or a cube was still creeping.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from vision.counting.odds import AtMost
from vision.pictures import Picture
from vision.reader import TrayReader
from vision.reading import TrayReading
from vision.settling.settle import Motion, Watched
from vision.settling.voting import mean_of, vote

_EARLY_AFTER_FRAMES = 1
"""Still frames before the early reading: a teetering cube rests for one, seldom for two."""
_MOST_FRAMES = 6
"""Frames that are kept: the grain of their mean is 0.4 of one frame's."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the frames of one stillness say together."""

    reading: TrayReading
    shown: Picture
    """The picture that shows this reading."""
    read_ms: float
    """Time spent on reading, over all frames, including those that were read ahead."""
    at_most: AtMost | None = None
    """What the ledger allowed when they were read."""


class Ballot:
    """Feed it what the settle watch says of each frame; `cast` when the tray is to be read."""

    def __init__(self, reader: TrayReader, clock: Callable[[], float] = time.monotonic) -> None:
        self._reader = reader
        self._clock = clock
        self._spent_s = 0.0
        self._frames: list[Picture] = []
        self._votes: list[tuple[Picture, TrayReading]] = []
        self._is_early_due = False
        self._rest_index = -1
        self._at_most: AtMost | None = None

    def expect(self, at_most: AtMost | None) -> None:
        """Set what the ledger allows; None if nobody knows. Readings made with another limit become void."""
        self._at_most = at_most
        self._votes = []

    def watch(self, picture: Picture, watched: Watched) -> None:
        """Begin anew with the first frame of a stillness; read one ahead once the tray has come to rest."""
        if watched.rest_index != self._rest_index:  # even without motion: a drop may be felt and not seen
            self._rest_index = watched.rest_index
            self._begin_anew()
        if watched.motion is Motion.MOVING:
            self._is_early_due = True
            return
        still_frames = watched.index - watched.rest_index
        if still_frames >= _EARLY_AFTER_FRAMES:
            self._frames = [*self._frames[1 - _MOST_FRAMES :], picture]
        if self._is_early_due and watched.motion is Motion.QUIET and still_frames == _EARLY_AFTER_FRAMES:
            self._is_early_due = False
            self._add_vote(picture)

    def cast(self, picture: Picture) -> Verdict:
        """Return the vote on a settled tray."""
        frames = _distinct([*self._frames, picture])
        self._add_vote(self._mean(frames))
        if not self._all_agree() and len(frames) > 1:
            self._votes = self._votes[-1:]  # without the early frame, whose grain may be the doubt
            self._add_vote(self._mean(frames[len(frames) // 2 :]))
        voted = vote([reading for _, reading in self._votes])
        shown = next((frame for frame, reading in self._votes if reading.cubes == voted.cubes), picture)
        verdict = Verdict(voted, shown, 1000 * self._spent_s, self._at_most)
        self._begin_anew()
        self._is_early_due = False
        return verdict

    def _begin_anew(self) -> None:
        self._frames, self._votes, self._spent_s = [], [], 0.0

    def _mean(self, frames: list[Picture]) -> Picture:
        begin = self._clock()
        mean = mean_of(frames)
        self._spent_s += self._clock() - begin
        return mean

    def _add_vote(self, picture: Picture) -> None:
        # A film or folder hands out the same picture again and again: that is one vote.
        if not any(picture is read for read, _ in self._votes):
            begin = self._clock()
            self._votes.append((picture, self._reader.read(picture, self._at_most)))
            self._spent_s += self._clock() - begin

    def _all_agree(self) -> bool:
        first = self._votes[0][1]
        return len(self._votes) > 1 and all(
            reading.certain and reading.counts == first.counts for _, reading in self._votes
        )


def _distinct(frames: list[Picture]) -> list[Picture]:
    """Return the frames without repeats of a picture and without any of another size than the newest."""
    newest = frames[-1]
    return [
        frame
        for number, frame in enumerate(frames)
        if frame.shape == newest.shape and not any(frame is later for later in frames[number + 1 :])
    ]
