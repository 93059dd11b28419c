"""What can go wrong between a camera and a reading: one sentence each, with a remedy."""

import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def one_line(text: str) -> str:
    """Escape control characters: a file name may contain a line break or a terminal escape sequence."""
    return _CONTROL.sub(lambda found: repr(found[0])[1:-1], text)


def error_reason(error: Exception) -> str:
    """Why a file could not be read, to go in brackets: without the errno and file name that Python adds."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not text in UTF-8"
    return getattr(error, "strerror", None) or str(error)


class VisionError(Exception):
    """Base class of this package's errors: `sentence` says what happened, `remedy` what to do about it."""

    def __init__(self, sentence: str, remedy: str, key: str = "") -> None:
        """`key` identifies the translated text; empty if only the command line shows the error."""
        super().__init__(sentence, remedy, key)  # unchanged, so that the error survives pickling
        self.key = key
        self.sentence = sentence
        self.remedy = remedy

    def __str__(self) -> str:
        return one_line(f"{self.sentence} {self.remedy}")


class CameraError(VisionError):
    """A camera is missing, busy, unplugged or frozen; the source retries with back-off."""

    file = ""
    """Name of the picture in a folder that caused it."""
    retry_slowly = False
    """Whether retrying soon does harm: cameras lock out a client that is wrong repeatedly."""


class PictureError(VisionError):
    """A file is not a picture, is cut short, or is in a format that cannot be read."""


class PictureMissingError(PictureError):
    """The file does not exist; a caller that can do without it carries on."""
