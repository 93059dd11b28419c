"""What a seat or the table may ask for; with a reason in `insist` the table overrules a rule."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from companion.games.protocol import Colour
from companion.games.shogun.words import Space, Special
from companion.tower.piles import Pile


@dataclass(frozen=True, slots=True)
class Take:
    """Draft: a seat takes an open card, or `pile`, and puts one group there (S-4)."""

    seat: Colour
    take: str
    group: int
    drawn: str | None = None
    """Real cards: what the pile showed, as the province taken or as the new open card."""


@dataclass(frozen=True, slots=True)
class Swap:
    """Draft: the two open cards go under the pile (S-5)."""

    seat: Colour
    drawn: tuple[str, ...] | None = None
    """Real cards: the two that were turned up."""


@dataclass(frozen=True, slots=True)
class Lay:
    """The next cards are laid out: events of the year, actions, specials, the event of the round.

    In a draft with real cards also those that fill a gap among the open ones (S-4).
    """

    cards: tuple[str, ...] | None = None
    """As the table laid them; None: the app shuffles. Hidden action cards are left out."""


@dataclass(frozen=True, slots=True)
class Place:
    """Planning on the phone: a card on a space, face down; None takes it back (P-1 to P-4)."""

    seat: Colour
    space: Space
    card: str | None
    insist: str = ""


@dataclass(frozen=True, slots=True)
class Ready:
    """Planning is done for a seat (P-8); `by_cards`: the plan lies on the table, on the real board."""

    seat: Colour
    ready: bool = True
    by_cards: bool = False
    insist: str = ""


@dataclass(frozen=True, slots=True)
class Reveal:
    """Bids are turned up and paid (O-1); ties are drawn by the app unless `drawn` tells (O-3)."""

    bids: Mapping[Colour, str | None] = field(default_factory=dict)
    """Auction cards of the seats that plan with real cards."""
    drawn: tuple[Colour, ...] | None = None


@dataclass(frozen=True, slots=True)
class Choose:
    """A seat takes a special card (O-4)."""

    seat: Colour
    special: Special
    insist: str = ""


@dataclass(frozen=True, slots=True)
class TurnUp:
    """Real cards: what lay on the space of the action; None: nothing did (P-7)."""

    seat: Colour
    card: str | None
    insist: str = ""


@dataclass(frozen=True, slots=True)
class OpenAction:
    """Real cards: a hidden action card was turned (T-7)."""

    place: int
    action: Space


@dataclass(frozen=True, slots=True)
class Act:
    """A seat does the action on its card (A-1 to A-17); `to` and `armies` where armies move."""

    seat: Colour
    to: str | None = None
    armies: int = 0
    bonus_attack: bool = False
    insist: str = ""


@dataclass(frozen=True, slots=True)
class Defend:
    """The defender answers whether `plus_defence` is used (B-4, R-23)."""

    seat: Colour
    bonus: bool


@dataclass(frozen=True, slots=True)
class Declare:
    """A battle beside the course of play: on a free table, or because the table fights one now."""

    attacker: Colour
    province: str
    armies: int
    origin: str | None = None
    """None: the armies come from the supply."""
    defenders: int | None = None
    """None: as many as the province has; otherwise the ledger follows the table."""
    bonus_attack: int = 0
    bonus_defence: int = 0
    insist: str = ""


@dataclass(frozen=True, slots=True)
class DeclareRevolt:
    """A revolt beside the course of play: farmers are the province's markers and these."""

    province: str
    extra_farmers: int = 0
    defenders: int | None = None
    """None: as many as the province has; otherwise the ledger follows the table."""


@dataclass(frozen=True, slots=True)
class CallOff:
    """Nothing was thrown: the cubes go back to where they came from."""


@dataclass(frozen=True, slots=True)
class Settle:
    """What lies in the tray when all is at rest; `insist` accepts what the ledger thought impossible."""

    tray: Pile
    insist: str = ""


@dataclass(frozen=True, slots=True)
class Accident:
    """Cubes fell out between two throws; they stay in the tray (B-2)."""

    fell: Pile
    insist: str = ""


@dataclass(frozen=True, slots=True)
class EmptyTower:
    """Somebody wants the tower empty: only after the game (B-2)."""

    insist: str = ""


@dataclass(frozen=True, slots=True)
class Knock:
    """The tower was knocked over: what is inside is unknown now."""


@dataclass(frozen=True, slots=True)
class CountTower:
    """The tower was opened and counted."""

    inside: Pile


@dataclass(frozen=True, slots=True)
class LoseRice:
    """Winter begins: rice is lost and provisions are looked up (W-1, W-2)."""


@dataclass(frozen=True, slots=True)
class DrawRevolts:
    """The left neighbour drew these of a player's province cards; None: the app draws (W-3)."""

    player: Colour
    provinces: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class FightRevolt:
    """A player settles one of the own winter revolts next (W-4)."""

    seat: Colour
    province: str


@dataclass(frozen=True, slots=True)
class Score:
    """Points are counted (W-5)."""


class Fact(StrEnum):
    """What can be corrected; where it stands, and its value."""

    ARMIES = "armies"
    OWNER = "owner"
    MARKERS = "markers"
    BUILDINGS = "buildings"
    CHESTS = "chests"
    RICE = "rice"
    POINTS = "points"
    BANK = "bank"
    TOWER = "tower"
    TRAY = "tray"
    TILES = "tiles"
    CARD = "card"
    """On a space: `where` is `seat.space`."""
    SPECIAL = "special"
    EVENT = "event"
    YEAR_EVENTS = "year_events"
    ROW = "row"
    ORDER = "order"
    BORDER = "border"
    """`where` is `province.province`, the value 1 or 0 (R-37)."""
    HOUSE = "house"
    """A house rule: `where` its name."""


@dataclass(frozen=True, slots=True)
class Correct:
    """The physical table is right: a fact is another than the app thought."""

    fact: Fact
    where: str
    value: int | str | tuple[str, ...] | None
    reason: str = "seen on the table"


Command: TypeAlias = (
    Take | Swap | Lay | Place | Ready | Reveal | Choose | TurnUp | OpenAction | Act | Defend | Declare
    | DeclareRevolt | CallOff | Settle | Accident | EmptyTower | Knock | CountTower | LoseRice
    | DrawRevolts | FightRevolt | Score | Correct
)  # fmt: skip
