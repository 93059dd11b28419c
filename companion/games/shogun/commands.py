"""The commands a seat or the table may give; a reason in `insist` overrules a rule."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from companion.games.protocol import Colour
from companion.games.shogun.words import Space, Special
from companion.tower.piles import Pile


@dataclass(frozen=True, slots=True)
class Take:
    """Draft: a seat takes an open card, or the top of the pile (`pile`), and places one group there (S-4)."""

    seat: Colour
    take: str
    group: int
    drawn: str | None = None
    """Real cards: the card drawn from the pile, either the province taken or the new open card."""


@dataclass(frozen=True, slots=True)
class Swap:
    """Draft: replace the two open cards, which go under the pile (S-5)."""

    seat: Colour
    drawn: tuple[str, ...] | None = None
    """Real cards: the two cards that were turned up."""


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay out the next cards: events of the year, actions, specials, or the event of the round.

    In a draft with real cards, also the cards that replace missing open ones (S-4).
    """

    cards: tuple[str, ...] | None = None
    """The cards as the table laid them, without hidden action cards; None: the app shuffles."""


@dataclass(frozen=True, slots=True)
class Place:
    """Planning on the phone: put a card face down on a space; None takes it back (P-1 to P-4)."""

    seat: Colour
    space: Space
    card: str | None
    insist: str = ""


@dataclass(frozen=True, slots=True)
class Ready:
    """A seat has finished planning (P-8); `by_cards`: its plan lies on the real board."""

    seat: Colour
    ready: bool = True
    by_cards: bool = False
    insist: str = ""


@dataclass(frozen=True, slots=True)
class Reveal:
    """Turn up and pay the bids (O-1); the app draws ties unless `drawn` gives the order (O-3)."""

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
    """Real cards: the card on the current action's space; None: the space was empty (P-7)."""

    seat: Colour
    card: str | None
    insist: str = ""


@dataclass(frozen=True, slots=True)
class OpenAction:
    """Real cards: a hidden action card was turned up (T-7)."""

    place: int
    action: Space


@dataclass(frozen=True, slots=True)
class Act:
    """A seat performs the action on its card (A-1 to A-17); `to` and `armies` are given if armies move."""

    seat: Colour
    to: str | None = None
    armies: int = 0
    bonus_attack: bool = False
    insist: str = ""


@dataclass(frozen=True, slots=True)
class Defend:
    """The defender says whether `plus_defence` is used (B-4, R-23)."""

    seat: Colour
    bonus: bool


@dataclass(frozen=True, slots=True)
class Declare:
    """A battle outside the normal sequence: on a free table, or because the table fights one anyway."""

    attacker: Colour
    province: str
    armies: int
    origin: str | None = None
    """None: the armies come from the supply."""
    defenders: int | None = None
    """None: as many as the ledger has in the province; any other number corrects the ledger."""
    bonus_attack: int = 0
    bonus_defence: int = 0
    insist: str = ""


@dataclass(frozen=True, slots=True)
class DeclareRevolt:
    """A revolt outside the normal sequence; `extra_farmers` are added to one farmer per revolt marker."""

    province: str
    extra_farmers: int = 0
    defenders: int | None = None
    """None: as many as the ledger has in the province; any other number corrects the ledger."""


@dataclass(frozen=True, slots=True)
class CallOff:
    """Cancel the awaited throw: nothing was thrown, and the cubes return to where they came from."""


@dataclass(frozen=True, slots=True)
class Settle:
    """Report what lies in the tray at rest; `insist` accepts what the ledger thought impossible."""

    tray: Pile
    insist: str = ""


@dataclass(frozen=True, slots=True)
class Accident:
    """Cubes fell out between two throws; they stay in the tray (B-2)."""

    fell: Pile
    insist: str = ""


@dataclass(frozen=True, slots=True)
class EmptyTower:
    """Empty the tower, which is allowed only after the game (B-2)."""

    insist: str = ""


@dataclass(frozen=True, slots=True)
class Knock:
    """The tower was knocked over: its contents are now unknown."""


@dataclass(frozen=True, slots=True)
class CountTower:
    """The tower was opened and counted."""

    inside: Pile


@dataclass(frozen=True, slots=True)
class LoseRice:
    """Begin winter: take the rice loss and look up the provisions (W-1, W-2)."""


@dataclass(frozen=True, slots=True)
class DrawRevolts:
    """The province cards that the left neighbour drew from a player; None: the app draws (W-3)."""

    player: Colour
    provinces: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class FightRevolt:
    """A player chooses which of their own winter revolts to settle next (W-4)."""

    seat: Colour
    province: str


@dataclass(frozen=True, slots=True)
class Score:
    """Count the points (W-5)."""


class Fact(StrEnum):
    """The facts that can be corrected, with the meaning of `where` and `value` if it is not obvious."""

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
    """The card on a space: `where` is `seat.space`."""
    SPECIAL = "special"
    EVENT = "event"
    YEAR_EVENTS = "year_events"
    ROW = "row"
    ORDER = "order"
    BORDER = "border"
    """`where` is `province.province`, `value` is 1 or 0 (R-37)."""
    HOUSE = "house"
    """A house rule: `where` is its name."""


@dataclass(frozen=True, slots=True)
class Correct:
    """Correct a fact: the physical table is right and the app was wrong."""

    fact: Fact
    where: str
    value: int | str | tuple[str, ...] | None
    reason: str = "seen on the table"


Command: TypeAlias = (
    Take | Swap | Lay | Place | Ready | Reveal | Choose | TurnUp | OpenAction | Act | Defend | Declare
    | DeclareRevolt | CallOff | Settle | Accident | EmptyTower | Knock | CountTower | LoseRice
    | DrawRevolts | FightRevolt | Score | Correct
)  # fmt: skip
