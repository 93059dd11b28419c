"""Commands and events of a table of battles, and both as JSON."""

from dataclasses import dataclass
from typing import TypeAlias

from companion.games.battles.state import COLOURS, Battle, Outcome, Province, Settled
from companion.games.protocol import Colour, Counts, Json


@dataclass(frozen=True, slots=True)
class Attack:
    """Declare a battle; `defenders` None: all armies of the province, else the ledger follows the table."""

    attacker: Colour
    province: str
    attackers: int
    defenders: int | None = None


@dataclass(frozen=True, slots=True)
class CallOff:
    """Nothing was thrown: the cubes go back to where they were."""


@dataclass(frozen=True, slots=True)
class SettleThrow:
    """What lies in the tray; with `insist` also what the ledger thought impossible (the table is right)."""

    tray: Counts
    insist: bool = False


@dataclass(frozen=True, slots=True)
class Fell:
    """Cubes fell out of the tower between two battles (B-2); they stay in the tray."""

    fell: Counts


Command: TypeAlias = Attack | CallOff | SettleThrow | Fell


@dataclass(frozen=True, slots=True)
class TableSet:
    """The table as it stands at the beginning."""

    players: tuple[Colour, ...]
    provinces: tuple[tuple[str, Province], ...]
    tower: Counts
    tray: Counts


@dataclass(frozen=True, slots=True)
class ArmiesSet:
    """The table has another number of armies than the ledger thought; the supply makes up the difference."""

    province: str
    armies: int


@dataclass(frozen=True, slots=True)
class Declared:
    """A battle begins; its cubes stand before the tower."""

    battle: Battle


@dataclass(frozen=True, slots=True)
class CalledOff:
    """The declared battle did not happen."""

    battle: Battle


@dataclass(frozen=True, slots=True)
class TowerCorrected:
    """More was inside than believed: these cubes come out of the supply's account into the tower's."""

    more: Counts


@dataclass(frozen=True, slots=True)
class Decided:
    """A throw was settled."""

    settled: Settled


@dataclass(frozen=True, slots=True)
class FellOut:
    """Cubes moved from the tower to the tray by accident."""

    fell: Counts


Event: TypeAlias = TableSet | ArmiesSet | Declared | CalledOff | TowerCorrected | Decided | FellOut

_KINDS: dict[str, type] = {
    "table_set": TableSet,
    "armies_set": ArmiesSet,
    "declared": Declared,
    "called_off": CalledOff,
    "tower_corrected": TowerCorrected,
    "decided": Decided,
    "fell_out": FellOut,
}
KIND_OF = {made: kind for kind, made in _KINDS.items()}


def encode(event: Event) -> Json:
    """As JSON for the store, with `kind`."""
    kind = KIND_OF[type(event)]
    match event:
        case TableSet(players, provinces, tower, tray):
            body: Json = {
                "players": list(players),
                "provinces": [{"id": key, **_province(value)} for key, value in provinces],
                "tower": dict(tower),
                "tray": dict(tray),
            }
        case ArmiesSet(province, armies):
            body = {"province": province, "armies": armies}
        case Declared(battle) | CalledOff(battle):
            body = {"battle": battle_json(battle)}
        case TowerCorrected(more):
            body = {"more": dict(more)}
        case Decided(settled):
            body = settled_json(settled)
        case FellOut(fell):
            body = {"fell": dict(fell)}
    return {"kind": kind, **body}


def decode(body: Json) -> Event:
    """The event again. Raises ValueError on anything else."""
    try:
        return _decode(body)
    except (KeyError, TypeError) as error:
        raise ValueError(f"no event of a table of battles: {error}") from None


def _decode(body: Json) -> Event:  # noqa: PLR0911 - one line a kind
    match body["kind"]:
        case "table_set":
            provinces = tuple((str(p["id"]), _as_province(p)) for p in body["provinces"])
            players = tuple(Colour(c) for c in body["players"])
            return TableSet(players, provinces, counts(body["tower"]), counts(body["tray"]))
        case "armies_set":
            return ArmiesSet(str(body["province"]), int(body["armies"]))
        case "declared":
            return Declared(_as_battle(body["battle"]))
        case "called_off":
            return CalledOff(_as_battle(body["battle"]))
        case "tower_corrected":
            return TowerCorrected(counts(body["more"]))
        case "decided":
            return Decided(_as_settled(body))
        case "fell_out":
            return FellOut(counts(body["fell"]))
    raise ValueError(f"no event of a table of battles: {body['kind']!r}")


def counts(raw: object) -> dict[Colour, int]:
    """A pile of cubes. Raises ValueError with a sentence on an unknown colour or a negative number."""
    if not isinstance(raw, dict):
        raise ValueError("Counts are given as colour and number.")
    pile: dict[Colour, int] = {}
    for colour, number in raw.items():
        if colour not in COLOURS:
            raise ValueError(f"There are no {str(colour)[:20]} cubes in this game.")
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= 999:
            raise ValueError("A number of cubes is a whole number from 0 up.")
        pile[Colour(colour)] = number
    return pile


def battle_json(battle: Battle) -> Json:
    """A battle as JSON."""
    return {
        "province": battle.province,
        "attacker": battle.attacker,
        "defender": battle.defender,
        "attackers": battle.attackers,
        "defenders": battle.defenders,
    }


def settled_json(settled: Settled) -> Json:
    """What a throw decided as JSON."""
    return {
        "battle": battle_json(settled.battle),
        "thrown": dict(settled.thrown),
        "tray": dict(settled.tray),
        "outcome": str(settled.outcome),
        "farmers_helped": settled.farmers_helped,
        "owner": settled.owner,
        "armies": settled.armies,
        "returned": dict(settled.returned),
        "stays": dict(settled.stays),
    }


def _province(province: Province) -> Json:
    return {
        "name": province.name,
        "owner": province.owner,
        "armies": province.armies,
        "markers": province.markers,
    }


def _as_province(body: Json) -> Province:
    return Province(str(body["name"]), _colour(body["owner"]), int(body["armies"]), int(body["markers"]))


def _as_battle(body: Json) -> Battle:
    return Battle(
        str(body["province"]),
        Colour(body["attacker"]),
        _colour(body["defender"]),
        int(body["attackers"]),
        int(body["defenders"]),
    )


def _as_settled(body: Json) -> Settled:
    return Settled(
        battle=_as_battle(body["battle"]),
        thrown=counts(body["thrown"]),
        tray=counts(body["tray"]),
        outcome=Outcome(body["outcome"]),
        farmers_helped=bool(body["farmers_helped"]),
        owner=_colour(body["owner"]),
        armies=int(body["armies"]),
        returned=counts(body["returned"]),
        stays=counts(body["stays"]),
    )


def _colour(raw: object) -> Colour | None:
    return Colour(str(raw)) if raw else None
