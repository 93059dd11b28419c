"""Events of one command as they come, with the state after each, so that what follows can look at it."""

from companion.games.protocol import Overrulable, Refused
from companion.games.shogun.events import Event, Overruled, Warned
from companion.games.shogun.evolve import evolve
from companion.games.shogun.state import State


class Story:
    """What one command leads to; `insist` is the table's reason to overrule a rule, or empty."""

    def __init__(self, state: State, insist: str = "") -> None:
        self.state = state
        self.insist = insist
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        """One more fact."""
        self.events.append(event)
        self.state = evolve(self.state, event)

    def demand(self, kept: bool, rule: str, key: str, sentence: str, **params: object) -> None:
        """The rule is kept, or the command is refused, or the table insists and that is noted."""
        if kept:
            return
        if not self.insist:
            raise Overrulable(rule, key, sentence, **params)
        self.add(Overruled(rule, self.insist))

    def must(self, kept: bool, rule: str, key: str, sentence: str, **params: object) -> None:
        """Like `demand`, where insisting makes no sense: there would be nothing to do."""
        if not kept:
            raise Refused(rule, key, sentence, **params)

    def warn(self, rule: str, sentence: str) -> None:
        """Done, with a notice."""
        self.add(Warned(rule, sentence))
