"""Facts: what happened, with all that is needed to know the state afterwards."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from companion.games.protocol import Colour
from companion.games.shogun.commands import Fact
from companion.games.shogun.state import Draft, House, Player, Province, Result, Throw
from companion.games.shogun.words import Building, Phase, Season, Side, Space, Special
from companion.tower.piles import Pile


@dataclass(frozen=True, slots=True)
class TableSet:
    """A table as it stands at its first event: a fresh game, or one taken up in the middle."""

    side: Side
    seats: tuple[Colour, ...]
    house: House
    phase: Phase
    provinces: Mapping[str, Province]
    players: Mapping[Colour, Player]
    tower: Pile
    tray: Pile
    seed: int
    by_table: bool
    year: int = 1
    season: Season = Season.SPRING
    draft: Draft | None = None
    year_events: tuple[int, ...] = ()
    event_pile: tuple[int, ...] | None = ()
    order: tuple[Colour, ...] = ()
    spent_events: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ProvinceTaken:
    """Draft: a card and a group went to a province; `draft` is what lies there for the next seat."""

    seat: Colour
    province: str
    armies: int
    draft: Draft | None


@dataclass(frozen=True, slots=True)
class OpenSwapped:
    """Draft: two new open cards (S-5)."""

    seat: Colour
    draft: Draft


@dataclass(frozen=True, slots=True)
class OpenFilled:
    """Draft: from the real pile, in place of open cards that went another way than by the draft (S-4)."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PhaseBegun:
    """The table goes on to this."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class TowerFilled:
    """The first throw: what fell into the tray went back to its supply (S-9)."""

    tray: Pile


@dataclass(frozen=True, slots=True)
class YearLaid:
    """Events of the year."""

    events: tuple[int, ...]
    pile: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class RowLaid:
    """Action cards; what only the table knows is None."""

    row: tuple[Space | None, ...]


@dataclass(frozen=True, slots=True)
class ActionOpened:
    """A hidden action card was turned by the table."""

    place: int
    action: Space


@dataclass(frozen=True, slots=True)
class SpecialsLaid:
    """Special cards on places 1 to 5."""

    specials: tuple[Special, ...]


@dataclass(frozen=True, slots=True)
class CardPlaced:
    """Planning: a card on a space, or off it."""

    seat: Colour
    space: Space
    card: str | None


@dataclass(frozen=True, slots=True)
class SeatReady:
    """A seat has planned, or thinks again."""

    seat: Colour
    ready: bool
    by_cards: bool


@dataclass(frozen=True, slots=True)
class EventDrawn:
    """The event of the round (T-5)."""

    event: int


@dataclass(frozen=True, slots=True)
class BidsRevealed:
    """Auction cards face up, chests paid, the order of choosing."""

    bids: Mapping[Colour, str | None]
    paid: Mapping[Colour, int]
    choosing: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class SpecialChosen:
    """A special card taken."""

    seat: Colour
    special: Special


@dataclass(frozen=True, slots=True)
class OrderSet:
    """Turn order of the round (O-4)."""

    order: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class CardTurned:
    """The card on the space of the action is face up (P-7); None: the space was empty."""

    seat: Colour
    space: Space
    card: str | None


@dataclass(frozen=True, slots=True)
class Built:
    """A building stands (A-4); `unrest` markers went with it (A-5)."""

    seat: Colour
    province: str
    building: Building
    paid: int
    unrest: int


@dataclass(frozen=True, slots=True)
class Collected:
    """Rice or chests taken (A-6, A-7)."""

    seat: Colour
    province: str
    rice: int
    chests: int


@dataclass(frozen=True, slots=True)
class MarkerAdded:
    """A revolt marker for a collection (A-8)."""

    province: str


@dataclass(frozen=True, slots=True)
class Deployed:
    """Armies from the supply (A-9, A-10)."""

    seat: Colour
    province: str
    armies: int
    paid: int


@dataclass(frozen=True, slots=True)
class Moved:
    """Armies joined others (A-10, A-11)."""

    seat: Colour
    source: str
    target: str
    armies: int


@dataclass(frozen=True, slots=True)
class Stayed:
    """The table let a player stay (A-17, R-11)."""

    seat: Colour


@dataclass(frozen=True, slots=True)
class Skipped:
    """The action was not done, and why (A-2)."""

    seat: Colour
    space: Space
    because: str
    province: str | None = None
    key: str = ""
    """Of the reason, for pages that translate; logs of before have none."""


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The next player, the next action, or the end of the ten."""

    done: int
    turn: int


@dataclass(frozen=True, slots=True)
class ThrowDeclared:
    """Cubes stand before the tower."""

    throw: Throw


@dataclass(frozen=True, slots=True)
class DefenceAnswered:
    """The defender said whether the extra army comes."""

    bonus: int


@dataclass(frozen=True, slots=True)
class ThrowCalledOff:
    """The declared battle did not happen."""

    throw: Throw


@dataclass(frozen=True, slots=True)
class ThrowSettled:
    """What lay in the tray, and what it decided."""

    throw: Throw
    thrown: Pile
    tray: Pile
    result: Result


@dataclass(frozen=True, slots=True)
class IncomeForfeited:
    """A lost revolt took the income with it (house rule of R-21)."""

    seat: Colour
    rice: int
    chests: int


@dataclass(frozen=True, slots=True)
class FellOut:
    """An accident between two throws (B-2)."""

    fell: Pile


@dataclass(frozen=True, slots=True)
class TowerKnocked:
    """What is inside is no longer known."""


@dataclass(frozen=True, slots=True)
class TowerCounted:
    """The tower was opened and counted."""

    inside: Pile


@dataclass(frozen=True, slots=True)
class MoreInside:
    """More was in the tower than believed."""

    more: Pile


@dataclass(frozen=True, slots=True)
class ArmiesFound:
    """The table has another number of armies than the ledger thought."""

    province: str
    armies: int


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """Cards return; the next season begins (T-8)."""

    season: Season


@dataclass(frozen=True, slots=True)
class RiceLost:
    """Winter's loss, and what follows from the lack (W-1, W-2)."""

    rice: Mapping[Colour, int]
    to_draw: Mapping[Colour, int]
    extra_farmers: Mapping[Colour, int]


@dataclass(frozen=True, slots=True)
class RevoltsDrawn:
    """Provinces in which winter revolts break out (W-3)."""

    player: Colour
    provinces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """Points of a winter (V-1 to V-5)."""

    gained: Mapping[Colour, int]
    majorities: Mapping[Colour, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class YearEnded:
    """Rice to 0, markers off the board (T-9)."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """Who won (T-10)."""

    winners: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class Corrected:
    """A person overruled the app about a fact."""

    fact: Fact
    where: str
    value: int | str | tuple[str, ...] | None
    reason: str


@dataclass(frozen=True, slots=True)
class Overruled:
    """The table insisted on something that breaks a rule."""

    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class Warned:
    """Done, with a notice."""

    rule: str
    sentence: str


Event: TypeAlias = (
    TableSet | ProvinceTaken | OpenSwapped | OpenFilled | PhaseBegun | TowerFilled | YearLaid | RowLaid
    | ActionOpened | SpecialsLaid | CardPlaced | SeatReady | EventDrawn | BidsRevealed | SpecialChosen
    | OrderSet | CardTurned | Built | Collected | MarkerAdded | Deployed | Moved | Stayed | Skipped
    | TurnEnded | ThrowDeclared | DefenceAnswered | ThrowCalledOff | ThrowSettled | IncomeForfeited | FellOut
    | TowerKnocked | TowerCounted | MoreInside | ArmiesFound | RoundEnded | RiceLost | RevoltsDrawn
    | Scored | YearEnded | GameEnded | Corrected | Overruled | Warned
)  # fmt: skip
