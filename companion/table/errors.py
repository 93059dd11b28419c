"""Why the table refuses what a device asked: a key for the page, a sentence for everyone else."""


class TableRefusal(Exception):
    """A refusal; `key` and `params` let a page say it in its own language."""

    status = 422

    def __init__(
        self, key: str, sentence: str, rule: str = "", *, overrulable: bool = False, **params: object
    ) -> None:
        super().__init__(sentence)
        self.key = key
        self.sentence = sentence
        self.rule = rule
        self.overrulable = overrulable
        self.params = params

    @property
    def body(self) -> dict[str, object]:
        """The refusal as JSON, as `companion.web.openapi.answers.Refusal` describes it."""
        return {
            "key": self.key,
            "sentence": self.sentence,
            "rule": self.rule,
            "overrulable": self.overrulable,
            "params": self.params,
        }


class Outdated(TableRefusal):
    """The device referred to a table that has changed since; the answer carries the present one."""

    status = 409

    def __init__(self) -> None:
        super().__init__("outdated", "Someone else was faster. Here is the table as it is now.")


class LookedAnew(TableRefusal):
    """The device referred to a look that is no longer on the page: nobody was faster, the tray changed."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            "looked_anew",
            "The tray has changed or was read again. Here is the table as it is now.",
        )
