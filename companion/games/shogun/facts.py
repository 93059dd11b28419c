"""Constants of cards, board and box, read once from the data files beside this module."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from companion.games.protocol import Json
from companion.games.shogun.words import Building, Effect, Season, Side, Space, Special


def _load(name: str) -> Json:
    text = files("companion.games.shogun").joinpath(f"data/{name}.json").read_text(encoding="utf-8")
    loaded: Json = json.loads(text)
    return loaded


@dataclass(frozen=True, slots=True)
class Card:
    """A province card: income, building spaces, and per side its region and whether 3 players exclude it."""

    id: str
    name: str
    taxes: int
    rice: int
    slots: int
    region: dict[Side, str]
    excluded: dict[Side, bool]
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class EventCard:
    """An event card: the effect of its upper half and the rice that its lower half takes (W-1)."""

    id: int
    effect: Effect
    rice_loss: int


_cards = _load("cards")
_provinces = _load("provinces")

REGIONS: tuple[str, ...] = tuple(_provinces["regions"])
CARDS: dict[str, Card] = {
    p["id"]: Card(
        p["id"],
        p["name"],
        p["taxes"],
        p["rice"],
        p["slots"],
        {side: p[side]["region"] for side in Side},
        {side: p[side]["excluded_with_3"] for side in Side},
        p["x"],
        p["y"],
    )
    for p in _provinces["provinces"]
}
EVENTS: dict[int, EventCard] = {
    e["id"]: EventCard(e["id"], Effect(e["effect"]), e["winter_rice_loss"]) for e in _cards["events"]
}
COST: dict[Space, int] = {Space(a["id"]): a["cost"] for a in _cards["actions"]}
DEPLOYS: dict[Space, int] = {Space(a["id"]): a["armies"] for a in _cards["actions"] if "armies" in a}
CHEST_CARDS: dict[str, int] = {f"chest_{n}": n for n in _cards["chest_cards"]}
SPECIALS: tuple[Special, ...] = tuple(Special(s["id"]) for s in _cards["specials"])
START_CHESTS: dict[int, int] = {int(n): c for n, c in _cards["start"]["chests"].items()}
START_GROUPS: dict[int, tuple[int, ...]] = {int(n): tuple(g) for n, g in _cards["start"]["groups"].items()}
FILL_EACH: int = _cards["start"]["tower"]["per_player"]
FILL_FARMERS: int = _cards["start"]["tower"]["farmers"]
CUBES: int = _cards["box"]["cubes_per_player"]
FARMER_CUBES: int = _cards["box"]["farmers"]
CHESTS: int = _cards["box"]["chests_1"] + 5 * _cards["box"]["chests_5"]
MARKERS: int = _cards["box"]["revolt_markers"]
OPEN_PROVINCES = 2
"""Open province cards beside the draft pile (S-4)."""
CAMPS: int = max(_cards["start"]["provinces"].values())
TILES: dict[Building, int] = {b: _cards["box"][f"{b}s"] for b in Building}
MOST_RICE: int = _cards["tracks"]["rice"]
MAJORITY: dict[Building, int] = {b: _cards["scoring"][f"most_{b}s"] for b in Building}
SIX_UNDER_EVENT = (3, 4, 6)
"""The values that the house rule R-5 allows."""
YEAR_EVENTS = 4
MOST_OF_ANYTHING = 999
"""More than any box holds; `legal` lists a command per army, so millions would block the table."""
YEARS = 2
ACTION_ROUNDS = (Season.SPRING, Season.SUMMER, Season.AUTUMN)
OPEN_ACTIONS = 5
BORDERS: frozenset[tuple[str, str]] = frozenset((e["a"], e["b"]) for e in _load("adjacency")["edges"])
SEA_ROUTES: frozenset[tuple[str, str]] = frozenset(
    (e["a"], e["b"]) for e in _load("adjacency")["edges"] if e["kind"] == "sea"
)
COLUMNS: dict[int, dict[str, dict[str, int]]] = {
    int(n): {col: {row["province"]: row["armies"] for row in rows} for col, rows in columns.items()}
    for n, columns in _load("setups")["setups"].items()
}


def in_play(side: Side, players: int) -> tuple[str, ...]:
    """Return the provinces in play: 45, or 37 with three players (C-3)."""
    return tuple(p for p, card in CARDS.items() if players > 3 or not card.excluded[side])


def excluded(side: Side) -> tuple[str, ...]:
    """Return the eight provinces out of play with three players (C-3, R-15)."""
    return tuple(p for p, card in CARDS.items() if card.excluded[side])


@cache
def neighbours(borders: frozenset[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return the adjacent provinces of each province (A-13)."""
    near: dict[str, set[str]] = {p: set() for p in CARDS}
    for a, b in borders:
        near[a].add(b)
        near[b].add(a)
    return {p: tuple(sorted(n)) for p, n in near.items()}


def provision(missing: int) -> tuple[int, int]:
    """Return the number of revolts, and of extra farmers in each, for this much missing rice (W-2)."""
    for row in _cards["provision_table"]:
        low, high = row["missing"]
        if missing >= low and (high is None or missing <= high):
            return row["revolts"], row["extra_farmers"]
    return 0, 0
