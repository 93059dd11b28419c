"""The game object that tables, stores and pages carry (see `companion.games.protocol`)."""

from collections.abc import Sequence

from companion.games.codec import from_kind, kinds_of, to_kind
from companion.games.protocol import Colour, Json, Seat, Step, ThrowPlan, TowerShown
from companion.games.shogun import setup
from companion.games.shogun.battle import table_cubes
from companion.games.shogun.commands import Command
from companion.games.shogun.decide import decide
from companion.games.shogun.events import Event
from companion.games.shogun.evolve import evolve
from companion.games.shogun.legal import legal
from companion.games.shogun.records import battles, points_by_source
from companion.games.shogun.state import State
from companion.games.shogun.titles import title
from companion.games.shogun.told import told
from companion.games.shogun.view import view
from companion.games.shogun.winters import winters
from companion.games.shogun.words import FARMERS, PLAYERS, Fight
from companion.tower.piles import plus

COMMANDS, EVENTS = kinds_of(Command), kinds_of(Event)


class Shogun:
    """The whole game of Shogun, beside the physical table."""

    name = "shogun"
    colours: tuple[Colour, ...] = (*PLAYERS, FARMERS)

    def new(self, options: Json) -> Sequence[Event]:
        """First events of a table; `setup.Options` names what can be asked for."""
        return setup.new(options)

    def decide(self, state: State, command: Command) -> Sequence[Event]:
        """Events that follow from a command, or `Refused`."""
        return decide(state, command)

    def evolve(self, state: State | None, event: Event) -> State:
        """The state after an event."""
        return evolve(state, event)

    def legal(self, state: State, seat: Seat | None) -> Sequence[Command]:
        """Commands a seat, or the table, may give now."""
        return legal(state, Colour(seat) if seat else None)

    def view(self, state: State, seat: Seat | None, tower: TowerShown = TowerShown.ALL) -> Json:
        """What a seat may know."""
        return view(state, Colour(seat) if seat else None, tower)

    def throw_plan(self, state: State) -> ThrowPlan | None:
        """What has to go into the tower now."""
        throw = state.throw
        if throw is None or throw.ask_defence:
            return None
        ledger = state.ledger
        bring = ledger.staged if throw.fight is Fight.FILL else table_cubes(throw)
        inside = ledger.inside()
        most = plus(ledger.staged, ledger.tray, inside)
        return ThrowPlan(dict(bring), dict(ledger.tray), {c: min(n, ledger.box[c]) for c, n in most.items()})

    def title(self, event: Event) -> str:
        """One line for the history."""
        return title(event)

    def told(self, event: Event) -> Json:
        """What of an event is open to all."""
        return told(event)

    def chapters(self, past: Sequence[Step[State, Event]]) -> Json:
        """`winters` step by step, `points` by source, `battles` worth remembering."""
        told_winters = winters(past)
        return {
            "winters": told_winters,
            "points": points_by_source(told_winters),
            "battles": battles(past),
        }

    def encode_event(self, event: Event) -> Json:
        """As JSON, with `kind`."""
        return to_kind(event)

    def decode_event(self, body: Json) -> Event:
        """The event again; raises ValueError."""
        event: Event = from_kind(EVENTS, body, "Shogun knows no such event.")
        return event

    def encode_command(self, command: Command) -> Json:
        """As JSON, with `kind`: what a device would send."""
        return to_kind(command)

    def decode_command(self, body: Json) -> Command:
        """A command from a device; raises ValueError with a sentence."""
        command: Command = from_kind(COMMANDS, body, "Shogun knows no such command.")
        return command


GAME = Shogun()
