"""Events: what happened, with everything needed to derive the next state."""

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
    """The table at its first event: a new game, or one taken up in the middle."""

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
    """Draft: a seat took a province and placed a group in it; `draft` is what the next seat chooses from."""

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
    """Draft: cards from the real pile replaced open ones that were removed outside the draft (S-4)."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PhaseBegun:
    """The table went on to this phase."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class TowerFilled:
    """The first throw: what fell into the tray went back to the supplies (S-9)."""

    tray: Pile


@dataclass(frozen=True, slots=True)
class YearLaid:
    """The events of the year were laid out."""

    events: tuple[int, ...]
    pile: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class RowLaid:
    """The action cards were laid out; None for those that only the table knows."""

    row: tuple[Space | None, ...]


@dataclass(frozen=True, slots=True)
class ActionOpened:
    """A hidden action card was turned up (T-7): by the table, or by the app if the app shuffled."""

    place: int
    action: Space


@dataclass(frozen=True, slots=True)
class SpecialsLaid:
    """The special cards were laid on places 1 to 5."""

    specials: tuple[Special, ...]


@dataclass(frozen=True, slots=True)
class CardPlaced:
    """Planning: a card was put on a space, or taken off (None)."""

    seat: Colour
    space: Space
    card: str | None


@dataclass(frozen=True, slots=True)
class SeatReady:
    """A seat finished planning, or reconsiders."""

    seat: Colour
    ready: bool
    by_cards: bool


@dataclass(frozen=True, slots=True)
class EventDrawn:
    """The event of the round was drawn (T-5)."""

    event: int


@dataclass(frozen=True, slots=True)
class BidsRevealed:
    """The auction cards were turned up, chests paid, and the order of choosing decided."""

    bids: Mapping[Colour, str | None]
    paid: Mapping[Colour, int]
    choosing: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class SpecialChosen:
    """A seat took a special card."""

    seat: Colour
    special: Special


@dataclass(frozen=True, slots=True)
class OrderSet:
    """The turn order of the round was decided (O-4)."""

    order: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class CardTurned:
    """The card on the action's space was turned up (P-7); None: the space was empty."""

    seat: Colour
    space: Space
    card: str | None


@dataclass(frozen=True, slots=True)
class Built:
    """A building was built (A-4), which removed `unrest` revolt markers (A-5)."""

    seat: Colour
    province: str
    building: Building
    paid: int
    unrest: int


@dataclass(frozen=True, slots=True)
class Collected:
    """A seat took rice or chests (A-6, A-7)."""

    seat: Colour
    province: str
    rice: int
    chests: int


@dataclass(frozen=True, slots=True)
class MarkerAdded:
    """A province got a revolt marker for a collection (A-8)."""

    province: str


@dataclass(frozen=True, slots=True)
class Deployed:
    """Armies came from the supply (A-9, A-10)."""

    seat: Colour
    province: str
    armies: int
    paid: int


@dataclass(frozen=True, slots=True)
class Moved:
    """Armies moved into another province of their player (A-10, A-11)."""

    seat: Colour
    source: str
    target: str
    armies: int


@dataclass(frozen=True, slots=True)
class Stayed:
    """A player did not move in Battle/Move (A-17, R-11)."""

    seat: Colour


@dataclass(frozen=True, slots=True)
class Skipped:
    """The action was skipped, and why (A-2)."""

    seat: Colour
    space: Space
    because: str
    province: str | None = None
    key: str = ""
    """Translation key of the reason; empty in old logs."""


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """Play went on to the next player or the next action, or all ten actions are done."""

    done: int
    turn: int


@dataclass(frozen=True, slots=True)
class ThrowDeclared:
    """A throw was declared; its cubes are staged in front of the tower."""

    throw: Throw


@dataclass(frozen=True, slots=True)
class DefenceAnswered:
    """The defender said whether to add the extra army (`bonus` is 1 or 0)."""

    bonus: int


@dataclass(frozen=True, slots=True)
class ThrowCalledOff:
    """The declared battle did not happen."""

    throw: Throw


@dataclass(frozen=True, slots=True)
class ThrowSettled:
    """A throw was settled: what lay in the tray, and what it decided."""

    throw: Throw
    thrown: Pile
    tray: Pile
    result: Result


@dataclass(frozen=True, slots=True)
class IncomeForfeited:
    """A player gave the income back after losing the revolt (house rule of R-21)."""

    seat: Colour
    rice: int
    chests: int


@dataclass(frozen=True, slots=True)
class FellOut:
    """Cubes fell out between two throws (B-2)."""

    fell: Pile


@dataclass(frozen=True, slots=True)
class TowerKnocked:
    """The tower was knocked over; its contents are no longer known."""


@dataclass(frozen=True, slots=True)
class TowerCounted:
    """The tower was opened and counted."""

    inside: Pile


@dataclass(frozen=True, slots=True)
class MoreInside:
    """The tower held more cubes than the ledger believed."""

    more: Pile


@dataclass(frozen=True, slots=True)
class ArmiesFound:
    """The table has a different number of armies in a province than the ledger thought."""

    province: str
    armies: int


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The round ended: cards return and the next season begins (T-8)."""

    season: Season


@dataclass(frozen=True, slots=True)
class RiceLost:
    """Winter took rice; the revolts to draw and extra farmers follow from what is missing (W-1, W-2)."""

    rice: Mapping[Colour, int]
    to_draw: Mapping[Colour, int]
    extra_farmers: Mapping[Colour, int]


@dataclass(frozen=True, slots=True)
class RevoltsDrawn:
    """The provinces in which winter revolts break out were drawn (W-3)."""

    player: Colour
    provinces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """The points of a winter were counted (V-1 to V-5)."""

    gained: Mapping[Colour, int]
    majorities: Mapping[Colour, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class YearEnded:
    """The year ended: rice goes to 0, revolt markers leave the board (T-9)."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game ended, and who won (T-10)."""

    winners: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class Corrected:
    """A person overruled the app about a fact."""

    fact: Fact
    where: str
    value: int | str | tuple[str, ...] | None
    reason: str
    uncovers: bool = False
    """Whether it showed where a card lay face down; false in old logs."""


@dataclass(frozen=True, slots=True)
class Overruled:
    """The table insisted on something that breaks a rule."""

    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class Warned:
    """A command was carried out with a notice."""

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
