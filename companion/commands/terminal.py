"""The calibration's terminal user interface and its image sources. Not a command of its own."""

import time
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from calibration.profiles.profile import Profile, ProfileError
from companion.calibration_lines import line
from companion.looking import keep_profile, lay_aside, open_camera, settled_picture
from companion.overlays import draw_outlines
from vision.errors import CameraError, PictureError
from vision.pictures import Picture, load_picture, picture_files
from vision.scene.drawn import DrawnOutline
from vision.scene.rectify import outline_px
from vision.scene.tray import Tray, drawn_of
from vision.scene.trouble import Trouble

_SETTLE_S = 30.0
_FIRST_PICTURE_S = 2.0
"""Time a camera gets for its first picture, or for reporting why there is none."""
_YES, _NO = ("y", "yes"), ("n", "no")


class Eyes(Protocol):
    """A source of pictures of the table."""

    asks_to_lay: bool
    """Whether somebody has to lay something in the tray before each picture."""

    def trouble(self) -> CameraError | None:
        """Return what prevents pictures now, so that it can be fixed before anything is laid."""

    def picture(self, step: str) -> Picture:
        """Return a picture of the table at a step. Raise `VisionError`."""

    def close(self) -> None:
        """Stop taking pictures."""


class CameraEyes:
    """A camera over the tray; a step's picture shows the table at rest."""

    asks_to_lay = True

    def __init__(self, spec: str) -> None:
        self._source = open_camera(spec)
        self._last: Picture | None = None
        self._first_s = _FIRST_PICTURE_S

    def trouble(self) -> CameraError | None:
        """Return the camera's trouble; the first call waits a moment, as it opens in the background."""
        if not self._source.live:  # reading would use up a folder's pictures
            return None
        end = time.monotonic() + self._first_s
        self._first_s = 0.0
        while time.monotonic() < end and not self._source.trouble and self._source.read(0.1) is None:
            pass
        return self._source.trouble

    def picture(self, step: str) -> Picture:
        """Wait until the table rests. Two identical pictures mean a frozen camera: a live one has noise."""
        picture = settled_picture(self._source, _SETTLE_S)
        if self._source.live and self._last is not None and np.array_equal(picture, self._last):
            raise CameraError(Trouble.FROZEN.sentence, Trouble.FROZEN.remedy)
        self._last = picture
        return picture

    def close(self) -> None:
        """End the camera's thread: one still running when Python exits crashes the program."""
        self._source.close()


class FolderEyes:
    """Pictures taken beforehand, one per step."""

    asks_to_lay = False

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def trouble(self) -> CameraError | None:
        """Return None: a missing file is reported at its step."""
        return None

    def picture(self, step: str) -> Picture:
        """Return the step's file, ignoring case and extension; macOS splits ü and ё into two characters."""
        files = picture_files([self._folder])
        same_step = (path for path in files if unicodedata.normalize("NFC", path.stem).lower() == step)
        return load_picture(next(same_step, self._folder / f"{step}.jpg"))

    def close(self) -> None:
        """Do nothing: no file is open."""


@contextmanager
def at_terminal(
    camera: str, pictures: Path | None, name: str, profiles: Path, *, unasked: bool
) -> Iterator["Terminal"]:
    """Open the picture source, and close it at the end. Raise `ProfileError` or `VisionError`."""
    if unasked and pictures is None:
        raise ProfileError(
            "--yes works with pictures only: at a camera, somebody has to lay out cubes.",
            "Add --pictures DIR, or leave --yes out.",
        )
    if pictures is not None and not pictures.is_dir():
        raise PictureError(
            f"There is no folder {pictures}.",
            "Name one that holds a picture of each step: empty.jpg, red.jpg and so on, test.jpg.",
        )
    eyes = CameraEyes(camera) if pictures is None else FolderEyes(pictures)
    try:
        yield Terminal(eyes, profiles, name, unasked)
    finally:
        eyes.close()


@dataclass(frozen=True, slots=True)
class Terminal:
    """Implements `companion.calibrating.Table` in a terminal."""

    eyes: Eyes
    profiles: Path
    name: str
    unasked: bool = False
    """Whether every question is answered with yes (--yes)."""

    @property
    def lays(self) -> bool:
        """Whether somebody can lay cubes: False if the pictures were taken beforehand."""
        return self.eyes.asks_to_lay

    def say(self, text: str) -> None:
        """Print a line."""
        print(f"  {text}")

    def ready(self, text: str) -> None:
        """Wait for Enter, unless the pictures were taken beforehand."""
        if self.eyes.asks_to_lay:
            if trouble := self.eyes.trouble():
                self.say(str(trouble))
            self._ask(f"{text} [Enter] ")
        else:
            self.say(text)

    def agrees(self, text: str) -> bool:
        """Ask a yes/no question."""
        if self.unasked:
            self.say(f"{text} [y]")
            return True
        try:
            return self._ask_yes_no(text)
        except ProfileError:
            if self.eyes.asks_to_lay:
                raise
            self.say("Nobody answers: accepted as right.")  # for scripts older than --yes
            return True

    def picture(self, step: str) -> Picture:
        """Return a picture of the table at rest; if the camera fails, retry as often as the person wants."""
        while True:
            try:
                return self.eyes.picture(step)
            except CameraError as error:
                if not self._wants_retry(error):
                    raise

    def show(self, step: str, picture: Picture) -> None:
        """Save the picture and print its path; a disk error does not end the calibration."""
        try:
            self.say(f"see {lay_aside(self.profiles, self.name, step, picture)}")
        except ProfileError:
            self.say(line("no_step_picture"))

    def floor(self, picture: Picture, found: Tray | None) -> DrawnOutline | None:
        """Return the outline found, or None if there is none or it is wrong; drawing is not possible here."""
        if found is None:
            return None
        self.show("empty", draw_outlines(picture, outline_px(found)))
        is_right = self.agrees(line("outline_right"))
        return drawn_of(found, (picture.shape[1], picture.shape[0])) if is_right else None

    def keep(self, profile: Profile) -> Path:
        """Save the profile, retrying as often as the person wants. Raise `ProfileError`."""
        while True:
            try:
                return keep_profile(profile, self.profiles)
            except ProfileError as error:
                if self.unasked:
                    raise
                self.say(str(error))
                wants_retry = False
                with suppress(ProfileError):  # nobody at the terminal: report the original error
                    wants_retry = self._ask_yes_no(line("keep_again"))
                if not wants_retry:
                    raise

    def _wants_retry(self, error: CameraError) -> bool:
        """Ask whether to retry, so that a loose plug loses nothing taught; False if nobody answers."""
        if not self.eyes.asks_to_lay:
            return False
        self.say(str(error))
        with suppress(ProfileError):
            return self._ask_yes_no(line("look_again"))
        return False

    def _ask_yes_no(self, text: str) -> bool:
        while True:
            answer = self._ask(f"{text} [y/n] ").strip().lower()
            if answer in _YES or answer in _NO:
                return answer in _YES
            self.say("Please answer y or n.")

    def _ask(self, text: str) -> str:
        try:
            return input(text)
        except EOFError:
            print()  # end the question's line
            raise ProfileError(
                "Nobody answers; none of this calibration is saved.",
                "Run it in a terminal, or with --pictures DIR --yes.",
            ) from None
