"""What a game must offer so that the table session, the store and the pages need not know which game it is.

A game is a plug-in: one object that implements this protocol, found by `companion.games.registry`.
Everything is an immutable value: `decide` returns events or raises `Refused`, `evolve` applies one event.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, NewType, Protocol, TypeVar

from companion.tower.piles import Colour

__all__ = [
    "Colour",
    "Counts",
    "Game",
    "Json",
    "Overrulable",
    "Refused",
    "Seat",
    "Step",
    "ThrowPlan",
    "TowerShown",
]

Seat = NewType("Seat", str)
Counts = Mapping[Colour, int]
Json = dict[str, Any]


class TowerShown(StrEnum):
    """How much of the tower's content a view tells: it moves an even battle from 19 % to 61 %."""

    HIDDEN = "hidden"
    """Nothing, nor anything from which it could be computed, such as the supplies."""
    TOTALS = "totals"
    """The number of cubes, but not their colours."""
    ALL = "all"
    """The number of each colour, as the ledger believes it."""


State = TypeVar("State")
Command = TypeVar("Command")
Event = TypeVar("Event")


class Refused(Exception):
    """A command breaks a rule; carries the rule's id, the key of its sentence and the sentence in English."""

    def __init__(self, rule: str, key: str, sentence: str, **params: object) -> None:
        super().__init__(f"{sentence} ({rule})")
        self.rule = rule
        self.key = key
        self.sentence = sentence
        self.params = params


class Overrulable(Refused):
    """Refused for now: the same command succeeds if it is repeated with a reason in `insist`."""


@dataclass(frozen=True, slots=True)
class ThrowPlan:
    """What must go into the tower now, and what may come out."""

    from_table: Counts
    """Cubes that people bring: both armies, farmers, extra armies."""
    from_tray: Counts
    """Cubes that lay in the tray and go in as well (B-1)."""
    possible: Counts
    """Upper bound of what can lie in the tray afterwards: thrown plus what is believed to be inside."""


@dataclass(frozen=True, slots=True)
class Step(Generic[State, Event]):
    """A past command that has not been undone: the state before it and the events it led to."""

    batch: int
    """The command's number in the log."""
    before: State | None
    events: Sequence[Event]


class Game(Protocol[State, Command, Event]):
    """The rules of one game."""

    name: str
    colours: tuple[Colour, ...]

    def new(self, options: Json) -> Sequence[Event]:
        """Return the first events of a table with these options. Raise `Refused` if they cannot be played."""

    def decide(self, state: State, command: Command) -> Sequence[Event]:
        """Return the events that follow from a command. Raise `Refused` with the rule it breaks."""

    def evolve(self, state: State | None, event: Event) -> State:
        """Return the state after an event; `state` is None for the first event."""

    def legal(self, state: State, seat: Seat | None) -> Sequence[Command]:
        """Return the commands a seat (None: the table) may give now; pages offer them and bots play them."""

    def view(self, state: State, seat: Seat | None, tower: TowerShown = TowerShown.ALL) -> Json:
        """Return what a seat may know, built up from nothing, never by removing keys from the whole."""

    def secret_of(self, state: State, command: Command) -> Seat | None:
        """Return the seat whose secret the answer to a command would reveal, so that no other device may give
        it; None if it reveals none."""

    def throw_plan(self, state: State) -> ThrowPlan | None:
        """Return what the table should throw now, or None if no throw is awaited."""

    def title(self, event: Event) -> str:
        """Return one line for the history in English; pages translate by the event's kind and fields."""

    def told(self, event: Event) -> Json:
        """Return the public part of an event, with `kind`, for a history in any language.

        `shown` is true if a secret was revealed or the tower was used: undoing that deserves a warning.
        """

    def chapters(self, past: Sequence[Step[State, Event]]) -> Json:
        """Return what a game publishes about its past besides views and events; may be empty."""

    def encode_event(self, event: Event) -> Json:
        """Return JSON for the store, with `kind`."""

    def decode_event(self, body: Json) -> Event:
        """Return the event that `body` encodes. Raise ValueError on anything else."""

    def encode_command(self, command: Command) -> Json:
        """Return JSON as a device would send it."""

    def decode_command(self, body: Json) -> Command:
        """Return a command sent by a device. Raise ValueError with a readable sentence on anything else."""
