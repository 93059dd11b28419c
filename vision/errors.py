"""What can go wrong between a camera and a reading: one sentence each, with a remedy."""

import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def one_line(text: str) -> str:
    """Names of files may hold a new line, or what makes a terminal do things: shown, not done."""
    return _CONTROL.sub(lambda found: repr(found[0])[1:-1], text)


def reason(error: Exception) -> str:
    """Why a file could not be read, in brackets: without the number and the name that Python says too."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not text in UTF-8"
    return getattr(error, "strerror", None) or str(error)


class VisionError(Exception):
    """Base of the room's errors; `sentence` says what happened, `remedy` what to do about it."""

    def __init__(self, sentence: str, remedy: str, key: str = "") -> None:
        """`key`: of what is said of it in other languages; none where only a command line says it."""
        super().__init__(sentence, remedy, key)  # as they came: an error crosses to another process whole
        self.key = key
        self.sentence = sentence
        self.remedy = remedy

    def __str__(self) -> str:
        return one_line(f"{self.sentence} {self.remedy}")


class CameraError(VisionError):
    """A camera is missing, busy, unplugged or frozen; the source retries with back-off."""

    file = ""
    """Which of a folder's pictures it is about."""
    patient = False
    """Whether to ask again soon does harm: cameras lock out who is wrong time and again."""


class PictureError(VisionError):
    """A file is no picture, is cut short, or has a form that cannot be read."""


class PictureMissingError(PictureError):
    """There is no such file: who may do without it goes on."""
