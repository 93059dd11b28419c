"""What can go wrong between host and board: one sentence each, with a remedy."""


class BoardError(Exception):
    """Base class of this package's errors; `name` is the key of the page's own sentence."""

    def __init__(self, name: str, sentence: str, remedy: str) -> None:
        super().__init__(f"{sentence} {remedy}")
        self.name = name
        self.sentence = sentence
        self.remedy = remedy


class PortError(BoardError):
    """The port is missing, busy, not permitted, or died."""


class Refused(BoardError):
    """The board answered a command with NAK."""
