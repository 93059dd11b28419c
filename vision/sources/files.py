"""Videos and folders of pictures, played at their own pace as if they came from a camera."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import cv2

from vision.errors import CameraError, PictureError
from vision.hush import silence_opencv
from vision.pictures import Picture, as_bgr8, is_looked_at, load_picture
from vision.sources.frame import Frame
from vision.sources.lightlock import LockState

FPS = 15.0
_SLOWEST_FPS = 0.05
"""A film of one picture in 20 s; below that, or above 240, is what files say that do not know."""
_GONE = "folder_gone"


class _Pace:
    """When the next frame is due. A late reader gets the next frame at once; none is skipped."""

    def __init__(self, fps: float, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._step_s = 1 / fps
        self._clock = clock
        self._sleep = sleep
        self._due_s = clock()

    def wait(self, timeout_s: float) -> bool:
        """Sleep until the next frame is due; return False if that is later than the timeout."""
        left_s = self._due_s - self._clock()
        self._sleep(max(0.0, min(left_s, timeout_s)))
        if left_s > timeout_s:
            return False
        self._due_s = max(self._due_s, self._clock() - self._step_s) + self._step_s
        return True

    def now_ms(self) -> float:
        return self._clock() * 1000


class FolderSource:
    """Pictures of a folder in name order, one per frame or each held for a while; then the last one stays.

    While it stays the folder is checked again: what a phone puts there, or a script rewrites under the same
    name, is shown next. A file still being copied is tried again when it has changed.
    """

    def __init__(
        self,
        folder: Path,
        fps: float = FPS,
        hold_s: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._folder = folder
        self._pace = _Pace(fps, clock, sleep)
        self._hold_frames = max(1, round(hold_s * fps))
        self._shown_mtimes: dict[Path, int] = {}
        """Modification times of the files shown or tried."""
        self._waiting: list[Path] = []
        self._bad_file: Path | None = None
        """The file that `trouble` is about."""
        self._last_picture: Picture | None = None
        self._frames_held = 0
        self._index = 0
        self.live = False
        self.light: LockState | None = None
        self.trouble: CameraError | None = None
        self.ended = False

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        """Return the next picture when it is due; a file that is not one is skipped and named in
        `trouble`."""
        if self.ended or not self._pace.wait(timeout_s):
            return None
        if self._last_picture is None or self._frames_held >= self._hold_frames:
            self._next_picture()
        if self._last_picture is None:
            return None
        self._frames_held += 1
        frame = Frame(self._last_picture, self._pace.now_ms(), self._index)
        self._index += 1
        return frame

    def describe(self) -> str:
        """Name the folder."""
        return f"pictures of {self._folder}"

    def close(self) -> None:
        """Stop giving frames."""
        self.ended = True

    def _next_picture(self) -> None:
        self._look_for_more()
        while self._waiting:
            path = self._waiting.pop(0)
            try:
                self._shown_mtimes[path] = path.stat().st_mtime_ns
                self._last_picture = load_picture(path)
            except OSError:  # gone again, or its folder is gone
                continue
            except PictureError as error:
                self.trouble, self._bad_file = CameraError(error.sentence, error.remedy, error.key), path
                self.trouble.file = path.name
                continue
            self._frames_held = 0
            self.trouble = self._bad_file = None
            return
        if self._last_picture is None and self.trouble is None:
            self.trouble = CameraError(
                f"There is no picture in {self._folder}.",
                "Put one there: it is shown at once.",
                "folder_empty",
            )

    def _look_for_more(self) -> None:
        if self._waiting:
            return
        try:
            paths = [path for path in self._folder.iterdir() if is_looked_at(path)]
        except OSError:
            self.trouble = CameraError(f"The folder {self._folder} is gone.", "Create it again.", _GONE)
            return
        if self.trouble is not None and self.trouble.key == _GONE:
            self.trouble = None  # it is back, even if nothing in it is new
        found: dict[Path, int] = {}
        for path in paths:
            with suppress(OSError):  # a dangling link, as editors leave them, is no picture
                found[path] = path.stat().st_mtime_ns
        if self._bad_file is not None and self._bad_file not in found:
            self.trouble = self._bad_file = None
        self._waiting = sorted(
            path for path, changed in found.items() if self._shown_mtimes.get(path) != changed
        )


class PictureSource(FolderSource):
    """One picture, like a camera looking at a tray that nobody touches."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(path.parent, clock=clock)
        self._path = path
        self._last_picture = load_picture(path)

    def describe(self) -> str:
        """Name the picture."""
        return f"the picture {self._path}"

    def _look_for_more(self) -> None:
        """Do nothing: there is only this one."""


class FilmSource:
    """A video at its own pace, played once. Raises `CameraError` if it cannot be opened."""

    def __init__(
        self,
        path: Path,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._path = path
        silence_opencv()
        self._film = cv2.VideoCapture(str(path.absolute()))  # FFmpeg takes 19:05.mp4 for a protocol
        if not self._film.isOpened():
            raise CameraError(
                f"{path} is not a video that can be read.", "MP4, MKV, AVI and MOV will do.", "no_film"
            )
        fps = self._film.get(cv2.CAP_PROP_FPS)
        self._sleep = sleep
        self._pace = _Pace(fps if _SLOWEST_FPS <= fps <= 240 else FPS, clock, sleep)
        self._index = 0
        self.live = False
        self.light: LockState | None = None
        self.trouble: CameraError | None = None
        self.ended = False

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        """Return the next frame when it is due; after the last, always None, each time after `timeout_s`."""
        if self.ended:
            self._sleep(timeout_s)
            return None
        if not self._pace.wait(timeout_s):
            return None
        done, pixels = self._film.read()
        if not done:
            self.trouble = CameraError(
                f"The video {self._path} is over.", "Start again to see it once more.", "film_over"
            )
            self.close()
            return None
        frame = Frame(as_bgr8(pixels, str(self._path)), self._pace.now_ms(), self._index)
        self._index += 1
        return frame

    def describe(self) -> str:
        """Name the video."""
        return f"the video {self._path}"

    def close(self) -> None:
        """Release the file."""
        self.ended = True
        self._film.release()
