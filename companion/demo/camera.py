"""A camera that plays pictures shipped with the program; `release` lets the cubes of one of them fall."""

import time
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, repeat
from pathlib import Path

import cv2
import numpy as np

from companion.demo.staged import render_step
from vision.errors import CameraError
from vision.pictures import Picture, load_picture, picture_files
from vision.reader import TrayReader
from vision.sources import Frame

HERE = Path(__file__).parent
FPS = 15.0
_FALL_FRAMES = 8
"""Frames over which a still is faded in, so that the settle watch sees motion as at a real table."""


class Clip:
    """One throw: the frames until everything is at rest; the last one is the settled tray."""

    def __init__(self, files: list[Path]) -> None:
        self._files = files
        self._counts: dict[str, int] | None = None

    def settled(self) -> Picture:
        """Return the settled picture, (H, W, 3) uint8 BGR."""
        return load_picture(self._files[-1])

    def seen(self, reader: TrayReader) -> Mapping[str, int]:
        """Return the reader's counts for the settled picture; cached."""
        if self._counts is None:
            self._counts = dict(reader.read(self.settled()).counts)
        return self._counts

    def frames(self, before: Picture) -> Iterator[Picture]:
        """Yield the frames from the previous tray to the settled tray."""
        if len(self._files) > 1:
            yield from (load_picture(path) for path in self._files)
            return
        after = self.settled()
        start = np.asarray(cv2.resize(before, (after.shape[1], after.shape[0])), np.uint8)
        for step in range(1, _FALL_FRAMES):
            share = step / _FALL_FRAMES
            yield np.asarray(cv2.addWeighted(after, share, start, 1 - share, 0.0), np.uint8)
        yield after


class DemoCamera:
    """Implements `vision.sources.FrameSource`; shows an empty tray until something falls."""

    def __init__(
        self,
        folder: Path = HERE,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._clips = clips(folder)
        self._reader = TrayReader()
        self._shown = load_picture(folder / "pictures" / "empty.jpg")
        self._playing: Iterator[Picture] = iter(())
        self._lying_clip: Clip | None = None
        self._laid: Picture | None = None
        self._clock = clock
        self._sleep = sleep
        self._due_s = clock()
        self._index = 0
        self.live = False
        self.light = None
        self.trouble: CameraError | None = None
        self.ended = False

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        """Return the next frame when it is due, or None if that takes longer than `timeout_s`."""
        left_s = self._due_s - self._clock()
        self._sleep(max(0.0, min(left_s, timeout_s)))
        if self.ended or left_s > timeout_s:
            return None
        self._due_s = max(self._due_s, self._clock() - 1 / FPS) + 1 / FPS
        self._shown = next(self._playing, self._shown)
        self._index += 1
        return Frame(self._shown if self._laid is None else self._laid, self._clock() * 1000, self._index - 1)

    def release(self, possible: Mapping[str, int], sides: tuple[str, ...], after_s: float = 0.0) -> int:
        """Play the throw that best fits `possible` and shows both sides; return its number of cubes."""
        clip = self._choose(possible, sides)
        self._clips.remove(clip)
        self._clips.append(clip)
        self._lying_clip = clip
        self._playing = chain(repeat(self._shown, round(after_s * FPS)), clip.frames(self._shown))
        return sum(clip.seen(self._reader).values())

    def lay(self, step: str) -> None:
        """Show what a person would lay in the tray at a calibration step; an empty step ends it."""
        self._laid = render_step(step) if step else None

    def describe(self) -> str:
        """Return a description for people."""
        return "embedded pictures"

    def close(self) -> None:
        """Stop delivering frames."""
        self.ended = True

    def _choose(self, possible: Mapping[str, int], sides: tuple[str, ...]) -> Clip:
        def misfit(clip: Clip) -> tuple[int, int, bool]:
            seen = clip.seen(self._reader)
            foreign = sum(number for c, number in seen.items() if not possible.get(c))
            excess = sum(max(0, number - possible.get(c, 0)) for c, number in seen.items())
            return foreign, excess, not all(seen.get(side) for side in sides)

        # Playing the current tray again would show no motion, so it would go unnoticed.
        others = [clip for clip in self._clips if clip is not self._lying_clip]
        # Reading them all takes seconds, so take the first with no objection at all.
        return next((clip for clip in others if not any(misfit(clip))), None) or min(others, key=misfit)


def clips(folder: Path = HERE) -> list[Clip]:
    """Return all throws in playing order: four stills, the sequences, then the other stills."""
    stills = [[path] for path in sorted((folder / "pictures").glob("throw-*.jpg"))]
    films = [picture_files([path]) for path in sorted((folder / "sequences").iterdir()) if path.is_dir()]
    return [Clip(files) for files in (*stills[:4], *films, *stills[4:])]
