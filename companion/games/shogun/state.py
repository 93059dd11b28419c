"""The state of a game as frozen values. `evolve` makes the next state; nothing changes in place."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.games.protocol import Colour
from companion.games.shogun import facts
from companion.games.shogun.words import (
    FARMERS,
    Building,
    Fight,
    Outcome,
    Phase,
    Season,
    Side,
    Space,
    Special,
)
from companion.tower.ledger import Ledger
from companion.tower.piles import Pile


@dataclass(frozen=True, slots=True)
class House:
    """House rules: the starred rulings, with their defaults."""

    six_armies_under_deploy_event: int = 6
    """R-5: 6, 4 or 3."""
    farmers_pay_first: bool = True
    """R-7: farmers pay a defender's loss first."""
    must_move: bool = True
    """R-11: Battle/Move must move."""
    lost_revolt_income: bool = True
    """R-21: True keeps the income of a lost revolt, False forfeits it."""
    castle_event_in_revolts: bool = False
    """R-24: the castle event also helps in revolts."""


@dataclass(frozen=True, slots=True)
class Province:
    """One province; without an owner it is neutral and holds nothing (X-3)."""

    owner: Colour | None = None
    armies: int = 0
    markers: int = 0
    buildings: tuple[Building, ...] = ()


@dataclass(frozen=True, slots=True)
class Player:
    """What a seat has besides its provinces and cubes."""

    chests: int = 0
    rice: int = 0
    points: int = 0
    plan: Mapping[Space, str] = field(default_factory=dict)
    """Cards on the individual board, face up or down."""
    shown: tuple[Space, ...] = ()
    """Spaces whose card is face up (P-7)."""
    used: tuple[str, ...] = ()
    """Provinces whose card cannot be used any more this round although it is not on the board (B-17)."""
    ready: bool = False
    by_cards: bool = False
    """Whether the seat plans with the real cards: the app learns a card only when it is turned up."""
    special: Special | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft in progress (S-4). With real cards the pile is unknown (None)."""

    seat: Colour
    open: tuple[str, ...]
    pile: tuple[str, ...] | None
    groups: Mapping[Colour, tuple[int, ...]]
    previous: Mapping[Colour, tuple[str, ...]] = field(default_factory=dict)
    """The two cards that were open at each seat's last choice (S-5)."""
    swapped: bool = False


@dataclass(frozen=True, slots=True)
class Throw:
    """A declared and awaited throw: what goes into the tower, and where it was taken from."""

    fight: Fight
    province: str = ""
    attacker: Colour | None = None
    defender: Colour | None = None
    """None: farmers defend a neutral province (B-3)."""
    origin: str | None = None
    moved: int = 0
    defenders: int = 0
    extra_attack: int = 0
    extra_defence: int = 0
    farmers: int = 0
    income: int = 0
    """Rice or chests that the collection brought (R-21)."""
    income_is_rice: bool = False
    of_turn: bool = False
    """Whether it belongs to the acting player's turn, which ends when the throw is settled."""
    ask_defence: bool = False
    """Whether the defender still has to decide about adding an army with `plus_defence` (R-23)."""

    @property
    def can_be_called_off(self) -> bool:
        """Return whether somebody chose this throw; the others follow from the rules (A-2)."""
        return self.fight is Fight.ATTACK or (self.fight is Fight.REVOLT and not self.of_turn)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a throw by B-5 to B-16, in numbers."""

    outcome: Outcome
    owner: Colour | None
    armies: int
    returned: Pile
    stays: Pile


@dataclass(frozen=True, slots=True)
class Last:
    """The last settled throw, for the pages."""

    throw: Throw
    thrown: Pile
    tray: Pile
    result: Result
    planned: Space | None = None
    """The space where the loser had planned the lost province: its card moves at once, visibly (B-17)."""


@dataclass(frozen=True, slots=True)
class State:
    """One game at one table."""

    side: Side
    seats: tuple[Colour, ...]
    """Seats in clockwise order (S-11)."""
    house: House
    phase: Phase
    provinces: Mapping[str, Province]
    """The provinces in play only (X-7)."""
    players: Mapping[Colour, Player]
    ledger: Ledger
    bank: int
    tiles: Mapping[Building, int]
    borders: frozenset[tuple[str, str]]
    seed: int = 0
    """Seed of everything the app shuffles; never in a view."""
    draws: int = 0
    by_table: bool = False
    """Whether the table shuffles its own cards and reports what is turned up."""
    draft: Draft | None = None
    year: int = 1
    season: Season = Season.SPRING
    event_pile: tuple[int, ...] | None = ()
    """Event cards that lie face down; None: only the table knows them."""
    year_events: tuple[int, ...] = ()
    event: int | None = None
    spent_events: tuple[int, ...] = ()
    """Event cards that have left the game (T-8, T-9)."""
    row: tuple[Space | None, ...] = ()
    """Action cards on places 1 to 10; None: face down and unknown to the app."""
    done: int = 0
    """Number of finished actions."""
    specials: tuple[Special, ...] = ()
    choosing: tuple[Colour, ...] = ()
    """Order in which special cards are chosen (O-2, O-3)."""
    order: tuple[Colour, ...] = ()
    turn: int = 0
    """Index in `order` of the acting player."""
    throw: Throw | None = None
    last: Last | None = None
    extra_farmers: Mapping[Colour, int] = field(default_factory=dict)
    to_draw: Mapping[Colour, int] = field(default_factory=dict)
    """Number of winter revolts still to be drawn for each player (W-3)."""
    revolts: Mapping[Colour, tuple[str, ...]] = field(default_factory=dict)
    """Winter revolts that were drawn but not yet fought (W-4)."""
    winners: tuple[Colour, ...] = ()


def stock(state: State) -> tuple[str, ...]:
    """Return the province cards nobody holds: those of neutral provinces (X-5)."""
    return tuple(p for p, province in state.provinces.items() if province.owner is None)


def owned(state: State, seat: Colour) -> tuple[str, ...]:
    """Return the provinces of a seat."""
    return tuple(p for p, province in state.provinces.items() if province.owner == seat)


def next_seat(state: State, draft: Draft) -> Colour | None:
    """Return the next player clockwise who has a group left, or None if all are placed (S-4, S-11)."""
    at = state.seats.index(draft.seat)
    clockwise = (*state.seats[at + 1 :], *state.seats[: at + 1])
    return next((seat for seat in clockwise if draft.groups[seat]), None)


def hand(state: State, seat: Colour) -> tuple[str, ...]:
    """Return the province and chest cards that do not lie on the seat's board."""
    laid = set(state.players[seat].plan.values())
    return tuple(card for card in (*owned(state, seat), *facts.CHEST_CARDS) if card not in laid)


def supply(state: State, colour: Colour) -> int:
    """Return the number of cubes in a colour's supply; green is the farmers' supply."""
    return state.ledger.supply.get(colour, 0)


def farmers(state: State) -> int:
    """Return the number of green cubes in the farmers' supply."""
    return supply(state, FARMERS)


def effect_of(state: State) -> str | None:
    """Return the effect of this round's event (T-5); None in winter (W-1)."""
    if state.event is None or state.season is Season.WINTER:
        return None
    return facts.EVENTS[state.event].effect


def privilege(state: State, seat: Colour) -> Special | None:
    """Return the special card a seat holds this round (O-5), or None."""
    return state.players[seat].special


def near(state: State, province: str) -> tuple[str, ...]:
    """Return the adjacent provinces in play (A-13, C-3)."""
    return tuple(p for p in facts.neighbours(state.borders)[province] if p in state.provinces)


def action_now(state: State) -> Space | None:
    """Return the current action, or None if there is none or it is unknown."""
    if state.phase is not Phase.ACTIONS or state.done >= len(state.row):
        return None
    return state.row[state.done]


def acting_seat(state: State) -> Colour | None:
    """Return whose turn it is in the current action, or None."""
    if state.phase is not Phase.ACTIONS or state.turn >= len(state.order):
        return None
    return state.order[state.turn]


def open_place_count(state: State) -> int:
    """Return how many places of the action row are face up (T-7, R-18)."""
    return min(facts.OPEN_ACTIONS + state.done, len(state.row))
