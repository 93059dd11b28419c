"""What a game must offer so that the table session, the store and the pages can carry it unseen.

A game is a plug-in: one object that keeps this protocol, found by `companion.games.registry`.
Everything is a value: `decide` answers with events or raises `Refused`, `evolve` folds an event in.
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
    """Nothing, nor anything that it could be reckoned from: supplies neither."""
    TOTALS = "totals"
    """How many cubes, not of which colour."""
    ALL = "all"
    """Each colour, as the ledger believes it."""


State = TypeVar("State")
Command = TypeVar("Command")
Event = TypeVar("Event")


class Refused(Exception):
    """A command breaks a rule: the rule's id, the key of its sentence, and the sentence in English."""

    def __init__(self, rule: str, key: str, sentence: str, **params: object) -> None:
        super().__init__(f"{sentence} ({rule})")
        self.rule = rule
        self.key = key
        self.sentence = sentence
        self.params = params


class Overrulable(Refused):
    """Refused for now: the same command with a reason in `insist` is done all the same."""


@dataclass(frozen=True, slots=True)
class ThrowPlan:
    """What has to go into the tower now, and what may come out."""

    from_table: Counts
    """Cubes people bring: both armies, farmers, extra armies."""
    from_tray: Counts
    """Cubes that lay in the tray and go in too (B-1)."""
    possible: Counts
    """The most that can lie in the tray afterwards: thrown plus what is believed to be inside."""


@dataclass(frozen=True, slots=True)
class Step(Generic[State, Event]):
    """One command of the past that still counts: the state it met, and the events it brought."""

    batch: int
    """Number of the command in the log."""
    before: State | None
    events: Sequence[Event]


class Game(Protocol[State, Command, Event]):
    """The rules of one game."""

    name: str
    colours: tuple[Colour, ...]

    def new(self, options: Json) -> Sequence[Event]:
        """First events of a table: set-up from options. Raises `Refused` on options that cannot be played."""

    def decide(self, state: State, command: Command) -> Sequence[Event]:
        """Events that follow from a command. Raises `Refused` with the rule it breaks."""

    def evolve(self, state: State | None, event: Event) -> State:
        """The state after an event; `None` stands for the empty table before the first."""

    def legal(self, state: State, seat: Seat | None) -> Sequence[Command]:
        """Commands a seat may give now (None: the table itself): what a page offers and a bot plays."""

    def view(self, state: State, seat: Seat | None, tower: TowerShown = TowerShown.ALL) -> Json:
        """What a seat may know, built from nothing; never the whole minus a key."""

    def throw_plan(self, state: State) -> ThrowPlan | None:
        """What the table should throw now, or None when no throw is awaited."""

    def title(self, event: Event) -> str:
        """One line for the history, in English; pages translate by the event's kind and fields."""

    def told(self, event: Event) -> Json:
        """What of an event is open to all, with `kind`, for a history in any language.

        `shown` is true where a secret was turned up or the tower was used: that is not taken back lightly.
        """

    def chapters(self, past: Sequence[Step[State, Event]]) -> Json:
        """What a game tells of its past beside views and events, and all may know; may be empty."""

    def encode_event(self, event: Event) -> Json:
        """As JSON for the store, with `kind`."""

    def decode_event(self, body: Json) -> Event:
        """The event again; raises ValueError on anything else."""

    def encode_command(self, command: Command) -> Json:
        """As JSON, as a device would send it."""

    def decode_command(self, body: Json) -> Command:
        """A command from a device; raises ValueError with a sentence on anything else."""
