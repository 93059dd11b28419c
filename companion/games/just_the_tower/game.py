"""Throw, count, carry on: the table says what goes in and takes any cubes it likes out of the tray."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.games.codec import from_json, from_kind, kinds_of, to_kind
from companion.games.just_the_tower.commands import (
    Accident,
    CallOff,
    Command,
    CorrectBox,
    CountTower,
    Settle,
    TakeOut,
    Throw,
)
from companion.games.just_the_tower.events import (
    BoxCorrected,
    BoxOpened,
    CalledOff,
    Counted,
    Event,
    FellOut,
    MoreInside,
    Settled,
    Staged,
    TakenOut,
)
from companion.games.protocol import (
    Colour,
    Json,
    Overrulable,
    Refused,
    Seat,
    Step,
    ThrowPlan,
    TowerShown,
)
from companion.tower import ledger as cubes
from companion.tower.ledger import Ledger, Place
from companion.tower.piles import Pile, in_words, plus, shortfall, total, without_zeros


@dataclass(frozen=True, slots=True)
class State:
    """The ledger, whether a throw is awaited, and the number of throws settled so far."""

    ledger: Ledger
    awaited: bool = False
    throws: int = 0


MOST = 999
"""Maximum number of cubes in a box: computing odds for millions would block the table."""
SHOGUNS = ("red", "blue", "yellow", "black", "purple", "green")
COMMANDS, EVENTS = kinds_of(Command), kinds_of(Event)
_UNKNOWN = "This game does not know that."


@dataclass(frozen=True, slots=True)
class Options:
    """Number of cubes of each colour in the box, and how many of them are already in the tower."""

    box: Pile
    tower: Pile | None = None


class JustTheTower:
    """The smallest game: it only keeps the ledger and the log."""

    name = "just_the_tower"
    colours = tuple(map(Colour, (*SHOGUNS, "white", "orange", "brown", "grey", "pink", "wood")))

    def new(self, options: Json) -> Sequence[Event]:
        """Open a table from `box` (cubes per colour) and `tower` (those already inside). Raise `Refused`."""
        try:
            given = from_json(Options, options)
        except ValueError as error:
            raise Refused("TOWER", "bad_options", str(error)) from None
        inside = given.tower or {}
        if min(inside.values(), default=0) < 0 or shortfall(inside, given.box):
            raise _bad_box()
        return [BoxOpened(self._checked_box(given.box), inside)]

    def _checked_box(self, box: Pile) -> Pile:
        if (
            not without_zeros(box)
            or min(box.values()) < 0
            or not set(box) <= set(self.colours)
            or total(box) > MOST
        ):
            raise _bad_box()
        return box

    def decide(self, state: State, command: Command) -> Sequence[Event]:  # noqa: PLR0911 - one line a kind
        """Return the events that follow from a command. Raise `Refused`."""
        needs_throw = isinstance(command, Settle | CallOff)
        if needs_throw != state.awaited:
            sentence = "No throw is awaited." if needs_throw else "A throw is awaited; settle it first."
            raise Refused("TOWER", "not_now", sentence)
        match command:
            case Throw(pile):
                minimum = 0 if state.ledger.tray else 1  # the cubes in the tray can be thrown alone
                return [Staged(_require_available(pile, state.ledger.supply, "supply", minimum))]
            case CallOff():
                return [CalledOff()]
            case Settle():
                return _decide_settle(state.ledger, command)
            case TakeOut(pile):
                return [TakenOut(_require_available(pile, state.ledger.tray, "tray"))]
            case Accident():
                return _decide_accident(state.ledger, command)
            case CountTower(pile):
                both = plus(state.ledger.tower, state.ledger.supply)
                return [Counted(_require_available(pile, both, "tower and supply", minimum=0))]
            case CorrectBox(box):
                if shortfall(plus(state.ledger.tower, state.ledger.tray), self._checked_box(box)):
                    raise Refused("TOWER", "box_in_use", _IN_USE)
                return [BoxCorrected(without_zeros(box))]

    def evolve(self, state: State | None, event: Event) -> State:  # noqa: PLR0911 - one line a kind
        """Return the state after an event."""
        if isinstance(event, BoxOpened):
            return State(cubes.move(cubes.new_ledger(event.box), event.tower, Place.SUPPLY, Place.TOWER))
        if state is None:
            raise ValueError("a table begins with its box being opened")
        ledger = state.ledger
        match event:
            case Staged(pile):
                return replace(
                    state, ledger=cubes.move(ledger, pile, Place.SUPPLY, Place.STAGED), awaited=True
                )
            case CalledOff():
                back = cubes.move(ledger, ledger.staged, Place.STAGED, Place.SUPPLY)
                return replace(state, ledger=back, awaited=False)
            case MoreInside(pile):
                return replace(state, ledger=cubes.add_inside(ledger, pile))
            case Settled():
                return State(cubes.throw(ledger, event.tray), throws=state.throws + 1)
            case TakenOut(pile):
                return replace(state, ledger=cubes.move(ledger, pile, Place.TRAY, Place.SUPPLY))
            case FellOut(pile):
                return replace(state, ledger=cubes.move_fallen(ledger, pile))
            case Counted(pile):
                return replace(state, ledger=cubes.set_counted(ledger, pile))
            case BoxCorrected(box):
                return replace(state, ledger=cubes.with_box(ledger, box))

    def legal(self, state: State, seat: Seat | None) -> Sequence[Command]:
        """Offer one cube of each colour to throw, and if the tray holds cubes, throwing or clearing it."""
        if state.awaited:
            return [CallOff()]
        throws: list[Command] = [Throw({colour: 1}) for colour in state.ledger.supply]
        return [*throws, Throw({}), TakeOut(state.ledger.tray)] if state.ledger.tray else throws

    def view(self, state: State, seat: Seat | None, tower: TowerShown = TowerShown.ALL) -> Json:
        """Return the state; tower and supply (which gives the tower away) only as far as `tower` allows."""
        hidden = () if tower is TowerShown.ALL else (Place.SUPPLY, Place.TOWER)
        return {
            "game": self.name,
            "seat": seat,
            "colours": list(state.ledger.box),
            "box": dict(state.ledger.box),
            "throws": state.throws,
            "awaited": state.awaited,
            "shown": tower.value,
            "inside": None if tower is TowerShown.HIDDEN else sum(state.ledger.tower.values()),
        } | {place.value: None if place in hidden else dict(state.ledger.at(place)) for place in Place}

    def secret_of(self, state: State, command: Command) -> Seat | None:
        """Return None: nobody plans anything here."""
        return None

    def throw_plan(self, state: State) -> ThrowPlan | None:
        """Return what goes into the tower now, or None if no throw is awaited."""
        if not state.awaited:
            return None
        ledger = state.ledger
        return ThrowPlan(ledger.staged, ledger.tray, plus(ledger.staged, ledger.tray, ledger.tower))

    def title(self, event: Event) -> str:  # noqa: PLR0911 - one line a kind
        """Return one line for the history."""
        match event:
            case BoxOpened(box):
                return f"The box: {in_words(box)}"
            case Staged(pile):
                return f"To throw: {in_words(pile)}"
            case CalledOff():
                return "Not thrown"
            case MoreInside(pile):
                return f"There was more inside than believed: {in_words(pile)}"
            case Settled():
                return f"Thrown {in_words(event.thrown)}; in the tray {in_words(event.tray)}"
            case TakenOut(pile):
                return f"Out of the tray: {in_words(pile)}"
            case FellOut(pile):
                return f"Fell out: {in_words(pile)}"
            case Counted(pile):
                return f"The tower holds {in_words(pile)}"
            case BoxCorrected(box):
                return f"The box holds {in_words(box)}"

    def told(self, event: Event) -> Json:
        """Return the whole event: nothing in this game is secret."""
        return {**self.encode_event(event), "shown": isinstance(event, Settled)}

    def chapters(self, past: Sequence[Step[State, Event]]) -> Json:
        """Return no chapters."""
        return {}

    def encode_event(self, event: Event) -> Json:
        """Return JSON with `kind`."""
        return to_kind(event)

    def encode_command(self, command: Command) -> Json:
        """Return JSON with `kind`."""
        return to_kind(command)

    def decode_event(self, body: Json) -> Event:
        """Return the event. Raise ValueError."""
        event: Event = from_kind(EVENTS, body, _UNKNOWN)
        return event

    def decode_command(self, body: Json) -> Command:
        """Return a command sent by a device. Raise ValueError."""
        command: Command = from_kind(COMMANDS, body, _UNKNOWN)
        return command


_IN_USE = (
    "There are more cubes of a colour in the tower and the tray than that. Enter a larger number, or "
    "count the tower first."
)


def _bad_box() -> Refused:
    sentence = f"The box holds up to {MOST} cubes of known colours, and the tower some of them."
    return Refused("TOWER", "bad_box", sentence)


def _decide_settle(ledger: Ledger, command: Settle) -> list[Event]:
    _require_known_cubes(ledger, command.tray)
    found = _unexpected_cubes(ledger, cubes.missing_for(ledger, command.tray), command.insist)
    return [*found, Settled(cubes.pile_to_throw(ledger), without_zeros(command.tray))]


def _decide_accident(ledger: Ledger, command: Accident) -> list[Event]:
    _require_known_cubes(ledger, command.fell)
    if not without_zeros(command.fell):
        raise Refused("TOWER", "no_such_cubes", "At least one cube fell out.")
    found = _unexpected_cubes(ledger, shortfall(command.fell, ledger.tower), command.insist)
    return [*found, FellOut(without_zeros(command.fell))]


def _require_known_cubes(ledger: Ledger, pile: Pile) -> None:
    if not set(without_zeros(pile)) <= set(ledger.box) or any(number < 0 for number in pile.values()):
        raise Refused("TOWER", "no_such_cubes", "There are no such cubes in this box.")


def _unexpected_cubes(ledger: Ledger, more: Pile, insist: str) -> list[Event]:
    """Return events for cubes that came out unexpectedly; accepted only if the table insists."""
    if more and not insist:
        sentence = f"More came out than can be inside: {in_words(more)}."
        raise Overrulable("TOWER", "not_in_tower", sentence, more=dict(more))
    box = plus(ledger.box, shortfall(more, ledger.supply))  # the box holds more cubes than were entered
    if total(box) > MOST:
        raise Refused("TOWER", "not_in_box", "There are not so many cubes in the box.", more=dict(more))
    corrections: list[Event] = [BoxCorrected(box)] if box != without_zeros(ledger.box) else []
    return [*corrections, MoreInside(more)] if more else []


def _require_available(pile: Pile, available: Pile, place: str, minimum: int = 1) -> dict[Colour, int]:
    if sum(pile.values()) < minimum or min(pile.values(), default=0) < 0 or shortfall(pile, available):
        raise Refused(
            "TOWER", "not_there", f"The {place} holds {in_words(available)}.", there=dict(available)
        )
    return without_zeros(pile)


GAME = JustTheTower()
