"""Errors: one sentence each, with a remedy."""


class TenshuError(Exception):
    """Base of the package's errors; `sentence` says what happened, `remedy` what to do about it."""

    def __init__(self, sentence: str, remedy: str) -> None:
        super().__init__(f"{sentence} {remedy}")
        self.sentence = sentence
        self.remedy = remedy
