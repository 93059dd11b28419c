"""The events of one command, with the state after each so that later steps can look at it."""

from companion.games.protocol import Overrulable, Refused
from companion.games.shogun.events import Event, Overruled, Warned
from companion.games.shogun.evolve import evolve
from companion.games.shogun.state import State


class Story:
    """What one command leads to; `insist` is the table's reason for overruling a rule, or empty."""

    def __init__(self, state: State, insist: str = "") -> None:
        self.state = state
        self.insist = insist
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        """Append an event and apply it to the state."""
        self.events.append(event)
        self.state = evolve(self.state, event)

    def demand(self, is_kept: bool, rule: str, key: str, sentence: str, **params: object) -> None:
        """If the rule is broken, refuse the command, or record that the table overrules it by insisting."""
        if is_kept:
            return
        if not self.insist:
            raise Overrulable(rule, key, sentence, **params)
        self.add(Overruled(rule, self.insist))

    def must(self, is_kept: bool, rule: str, key: str, sentence: str, **params: object) -> None:
        """Refuse the command if the rule is broken; there is nothing the table could insist on."""
        if not is_kept:
            raise Refused(rule, key, sentence, **params)

    def warn(self, rule: str, sentence: str) -> None:
        """Record a notice; the command is carried out."""
        self.add(Warned(rule, sentence))
