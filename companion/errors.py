"""What keeps something from being done: one sentence, with a remedy."""


class TenshuError(Exception):
    """Base of the room's errors; `sentence` says what happened, `remedy` what to do about it."""

    def __init__(self, sentence: str, remedy: str) -> None:
        super().__init__(f"{sentence} {remedy}")
        self.sentence = sentence
        self.remedy = remedy
