"""Enumerations of the game, in the words of the rule book."""

from enum import StrEnum

from companion.games.protocol import Colour

FARMERS = Colour("green")
STOCK = "stock"
BLUE, YELLOW, RED, BLACK, PURPLE = (Colour(c) for c in ("blue", "yellow", "red", "black", "purple"))
PLAYERS = (BLUE, YELLOW, RED, BLACK, PURPLE)


class Side(StrEnum):
    """Side of the board (C-2)."""

    SUN = "sun"
    MOON = "moon"


class Building(StrEnum):
    """Kinds of building."""

    CASTLE = "castle"
    TEMPLE = "temple"
    THEATRE = "theatre"


class Space(StrEnum):
    """Spaces of an individual board: the ten actions and the auction (P-1)."""

    CASTLE = "castle"
    TEMPLE = "temple"
    THEATRE = "theatre"
    RICE = "rice"
    TAXES = "taxes"
    DEPLOY_5 = "deploy_5"
    DEPLOY_3 = "deploy_3"
    DEPLOY_1_MOVE = "deploy_1_move"
    BATTLE_A = "battle_a"
    BATTLE_B = "battle_b"
    AUCTION = "auction"


ACTIONS = tuple(space for space in Space if space is not Space.AUCTION)
BUILDS = {
    Space.CASTLE: Building.CASTLE,
    Space.TEMPLE: Building.TEMPLE,
    Space.THEATRE: Building.THEATRE,
}
BATTLES = (Space.BATTLE_A, Space.BATTLE_B)


class Special(StrEnum):
    """Special cards (O-5)."""

    PLUS_CHEST = "plus_chest"
    PLUS_RICE = "plus_rice"
    SIX_ARMIES = "six_armies"
    PLUS_ATTACK = "plus_attack"
    PLUS_DEFENCE = "plus_defence"


class Effect(StrEnum):
    """Effects on the upper halves of the event cards."""

    THEATRE_REMOVES_REVOLT = "theatre_removes_revolt"
    NEUTRAL_PROVINCE_FARMERS = "neutral_province_farmers"
    CASTLE_DEFENCE_BONUS = "castle_defence_bonus"
    TEMPLE_NO_ATTACK = "temple_no_attack"
    TAX_MAX = "tax_max"
    TAX_MIN = "tax_min"
    RICE_MIN = "rice_min"
    RICE_MAX = "rice_max"
    DEPLOY_LIMITS = "deploy_limits"


class Season(StrEnum):
    """The rounds of a year (T-1)."""

    SPRING = "spring"
    SUMMER = "summer"
    AUTUMN = "autumn"
    WINTER = "winter"


SEASONS = tuple(Season)


class Phase(StrEnum):
    """What the table is doing now."""

    DRAFT = "draft"
    """Provinces are taken (S-4)."""
    FILL = "fill"
    """The tower waits for its first cubes (S-9)."""
    YEAR = "year"
    """Four events of the year are turned up (S-10, T-9)."""
    ROW = "row"
    """The action cards are laid out (T-2)."""
    SPECIALS = "specials"
    """The special cards are laid out (T-3)."""
    PLANNING = "planning"
    """Secret plans and bids (T-4)."""
    EVENT = "event"
    """The event of the round is drawn (T-5)."""
    BIDS = "bids"
    """Bids are turned up and paid, ties drawn (O-1)."""
    ORDER = "order"
    """Special cards are chosen (O-4)."""
    ACTIONS = "actions"
    """Ten actions, one after the other (T-7)."""
    WINTER = "winter"
    """Rice is lost, provisions are looked up (W-1, W-2)."""
    HUNGER = "hunger"
    """Left neighbours draw, revolts are fought (W-3, W-4)."""
    SCORING = "scoring"
    """Points are counted (W-5)."""
    OVER = "over"
    """The game has ended (T-10)."""
    FREE = "free"
    """A table without rounds: any battle at any time."""


class Fight(StrEnum):
    """What a throw is for."""

    FILL = "fill"
    ATTACK = "attack"
    REVOLT = "revolt"
    WINTER_REVOLT = "winter_revolt"


class Outcome(StrEnum):
    """Who is ahead after a throw."""

    ATTACKER = "attacker"
    DEFENDER = "defender"
    """Includes a revolt put down (B-14)."""
    FARMERS = "farmers"
    """A neutral province held out (B-16), or a revolt was lost, also at equal numbers (B-13)."""
    UNDECIDED = "undecided"
    """Equal, or the defender is ahead only by farmers (B-10, B-11)."""
