"""The settle watch measured against sequences of frames in which motion ends at a known frame."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from calibration.columns import pad_right, width
from calibration.measuring.evaluate import Unreadable
from calibration.measuring.labels import LabelledSequence
from vision.errors import PictureError
from vision.pictures import load_picture
from vision.settling.settle import SettleWatch

CLOSE_ENOUGH_FRAMES = 2


@dataclass(frozen=True, slots=True)
class SettleOutcome:
    """The result of watching one sequence; frames are counted from 0."""

    first_frame: str
    motion_ends: int
    found: int | None
    """Frame at which motion ended according to the watch's last announcement; None if it made none."""
    announced: int | None
    """Frame at which it announced that."""
    false_settled: int
    """Number of announcements while cubes still moved."""
    ms_median: float

    @property
    def close(self) -> bool:
        """Whether the frame found is within two frames of the truth."""
        return self.found is not None and abs(self.found - self.motion_ends) <= CLOSE_ENOUGH_FRAMES


def evaluate_settle(
    folder: Path, sequences: Iterable[LabelledSequence]
) -> Iterator[SettleOutcome | Unreadable]:
    """Feed each sequence to a fresh watch at its own frame rate; the first unreadable frame ends it."""
    for sequence in sequences:
        yield _watch_sequence(folder, sequence)


def _watch_sequence(folder: Path, sequence: LabelledSequence) -> SettleOutcome | Unreadable:
    watch = SettleWatch()
    times: list[float] = []
    settlings: list[tuple[int, int]] = []
    for index, name in enumerate(sequence.frames):
        try:
            picture = load_picture(folder / name)
        except PictureError as error:
            return Unreadable(name, error)
        start = perf_counter()
        state = watch.feed(picture, index * 1000 / sequence.fps)
        times.append((perf_counter() - start) * 1000)
        if state.just_settled:
            settlings.append((state.index, state.rest_index))
    announced, found = settlings[-1] if settlings else (None, None)
    return SettleOutcome(
        first_frame=sequence.frames[0] if sequence.frames else "",
        motion_ends=sequence.motion_ends,
        found=found,
        announced=announced,
        false_settled=sum(at < sequence.motion_ends for at, _ in settlings),
        ms_median=median(times) if times else 0.0,
    )


def settle_as_json(outcomes: Sequence[SettleOutcome]) -> dict[str, object]:
    """Return the totals, then each sequence."""
    return {
        "sequences": len(outcomes),
        "within_2_frames": sum(o.close for o in outcomes),
        "false_settled": sum(o.false_settled for o in outcomes),
        "ms_median": round(median(o.ms_median for o in outcomes), 2) if outcomes else None,
        "each": [
            {
                "first_frame": o.first_frame,
                "motion_ends": o.motion_ends,
                "found": o.found,
                "announced": o.announced,
                "false_settled": o.false_settled,
                "ms_median": round(o.ms_median, 2),
            }
            for o in outcomes
        ],
    }


def settle_as_table(outcomes: Sequence[SettleOutcome]) -> str:
    """Return the same as a human-readable table."""
    names = max([23, *(width(o.first_frame) for o in outcomes)]) + 1
    lines = [
        f"{pad_right('sequence', names)}{'motion ends':>12}{'found':>8}{'said at':>9}{'false':>7}{'ms':>7}"
    ]
    for o in outcomes:
        found, said = ("-" if value is None else str(value) for value in (o.found, o.announced))
        shown = pad_right(o.first_frame, names)
        lines.append(f"{shown}{o.motion_ends:>12}{found:>8}{said:>9}{o.false_settled:>7}{o.ms_median:>7.1f}")
    close = sum(o.close for o in outcomes)
    lines.append(f"{close} of {len(outcomes)} within {CLOSE_ENOUGH_FRAMES} frames")
    return "\n".join(lines)
