"""The game object that tables, stores and pages use (see `companion.games.protocol`)."""

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
from companion.games.shogun.view import secret_of, view
from companion.games.shogun.winters import winters
from companion.games.shogun.words import FARMERS, PLAYERS, Fight
from companion.tower.piles import plus

COMMANDS, EVENTS = kinds_of(Command), kinds_of(Event)


class Shogun:
    """The whole game of Shogun, alongside the physical table."""

    name = "shogun"
    colours: tuple[Colour, ...] = (*PLAYERS, FARMERS)

    def new(self, options: Json) -> Sequence[Event]:
        """Return the first events of a table; `setup.Options` defines the options."""
        return setup.new(options)

    def decide(self, state: State, command: Command) -> Sequence[Event]:
        """Return the events that follow from a command. Raise `Refused`."""
        return decide(state, command)

    def evolve(self, state: State | None, event: Event) -> State:
        """Return the state after an event."""
        return evolve(state, event)

    def legal(self, state: State, seat: Seat | None) -> Sequence[Command]:
        """Return the commands a seat, or the table, may give now."""
        return legal(state, Colour(seat) if seat else None)

    def view(self, state: State, seat: Seat | None, tower: TowerShown = TowerShown.ALL) -> Json:
        """Return what a seat may know."""
        return view(state, Colour(seat) if seat else None, tower)

    def secret_of(self, state: State, command: Command) -> Seat | None:
        """Return the seat whose plan the answer to a command would reveal; None if it reveals none."""
        seat = secret_of(state, command)
        return Seat(seat) if seat else None

    def throw_plan(self, state: State) -> ThrowPlan | None:
        """Return what must go into the tower now, or None."""
        throw = state.throw
        if throw is None or throw.ask_defence:
            return None
        ledger = state.ledger
        from_table = ledger.staged if throw.fight is Fight.FILL else table_cubes(throw)
        inside = ledger.most_inside()
        possible = plus(ledger.staged, ledger.tray, inside)
        return ThrowPlan(
            dict(from_table), dict(ledger.tray), {c: min(n, ledger.box[c]) for c, n in possible.items()}
        )

    def title(self, event: Event) -> str:
        """Return one line for the history."""
        return title(event)

    def told(self, event: Event) -> Json:
        """Return the public part of an event."""
        return told(event)

    def chapters(self, past: Sequence[Step[State, Event]]) -> Json:
        """Return `winters` step by step, `points` by source, and the `battles` worth remembering."""
        winters_so_far = winters(past)
        return {
            "winters": winters_so_far,
            "points": points_by_source(winters_so_far),
            "battles": battles(past),
        }

    def encode_event(self, event: Event) -> Json:
        """Return JSON with `kind`."""
        return to_kind(event)

    def decode_event(self, body: Json) -> Event:
        """Return the event. Raise ValueError."""
        event: Event = from_kind(EVENTS, body, "Shogun knows no such event.")
        return event

    def encode_command(self, command: Command) -> Json:
        """Return JSON with `kind`, as a device would send it."""
        return to_kind(command)

    def decode_command(self, body: Json) -> Command:
        """Return a command sent by a device. Raise ValueError with a readable sentence."""
        command: Command = from_kind(COMMANDS, body, "Shogun knows no such command.")
        return command


GAME = Shogun()
