"""From a command to the events that follow from it, or to a refusal that names the rule."""

from companion.games.battles.moves import (
    ArmiesSet,
    Attack,
    CalledOff,
    CallOff,
    Command,
    Decided,
    Declared,
    Event,
    Fell,
    FellOut,
    SettleThrow,
    TowerCorrected,
)
from companion.games.battles.settling import settle
from companion.games.battles.state import FARMERS, Battle, Province, State, plus, some
from companion.games.protocol import Colour, Counts, Refused


def decide(state: State, command: Command) -> list[Event]:
    """Events that follow. Raises `Refused`."""
    match command:
        case Attack():
            return _declare(state, command)
        case CallOff():
            return [CalledOff(_awaited(state))]
        case SettleThrow():
            return _settle(state, command)
        case Fell():
            return _fell(state, command)


def _awaited(state: State) -> Battle:
    if state.battle is None:
        raise Refused("B-1", "no_throw", "No throw is awaited.")
    return state.battle


def _declare(state: State, command: Attack) -> list[Event]:
    if state.battle is not None:
        raise Refused("B-1", "throw_awaited", "A throw is awaited; settle it or call it off first.")
    if command.attacker not in state.players:
        raise Refused("B-3", "no_such_player", "Nobody plays this colour here.", colour=command.attacker)
    province = state.provinces.get(command.province)
    if province is None:
        raise Refused("B-3", "no_such_province", "There is no such province on this table.")
    if province.owner == command.attacker:
        raise Refused(
            "A-11", "own_province", "One's own province cannot be attacked.", province=province.name
        )
    if command.attackers < 1:
        raise Refused("A-17", "no_attackers", "An attack needs at least one army.")
    defenders = province.armies if command.defenders is None else command.defenders
    if province.owner and defenders < 1:
        raise Refused("X-2", "no_defenders", "An owned province has at least one army.")
    _afford(state, command, province, defenders)
    armies = defenders if province.owner else 1
    battle = Battle(command.province, command.attacker, province.owner, command.attackers, armies)
    corrected = province.owner is not None and defenders != province.armies
    return [*([ArmiesSet(command.province, defenders)] if corrected else []), Declared(battle)]


def _afford(state: State, command: Attack, province: Province, defenders: int) -> None:
    have = state.supply.get(command.attacker, 0)
    if command.attackers > have:
        raise Refused(
            "L-1", "supply_short", "There are not so many cubes left.", colour=command.attacker, have=have
        )
    if province.owner and defenders - province.armies > state.supply.get(province.owner, 0):
        have = province.armies + state.supply.get(province.owner, 0)
        raise Refused(
            "L-1", "supply_short", "There are not so many cubes left.", colour=province.owner, have=have
        )
    if province.owner is None and state.supply.get(FARMERS, 0) < 1:
        raise Refused("L-3", "supply_short", "There are not so many cubes left.", colour=FARMERS, have=0)


def _settle(state: State, command: SettleThrow) -> list[Event]:
    battle = _awaited(state)
    lacking = _lacking(command.tray, plus(plus(state.ready, state.tray), state.tower))
    if lacking and not command.insist:
        colour, number = max(lacking.items(), key=lambda item: item[1])
        raise Refused(
            "X-1", "not_in_tower", "More of a colour came out than can be inside.", colour=colour, more=number
        )
    _in_box(state, lacking)
    thrown = plus(state.ready, state.tray)
    settled = settle(battle, state.provinces[battle.province], thrown, command.tray)
    return [*([TowerCorrected(lacking)] if lacking else []), Decided(settled)]


def _lacking(wanted: Counts, there: Counts) -> dict[Colour, int]:
    return some({colour: max(0, number - there.get(colour, 0)) for colour, number in wanted.items()})


def _fell(state: State, command: Fell) -> list[Event]:
    lacking = _lacking(command.fell, state.tower)
    _in_box(state, lacking)
    return [*([TowerCorrected(lacking)] if lacking else []), FellOut(some(command.fell))]


def _in_box(state: State, lacking: Counts) -> None:
    for colour, number in lacking.items():
        if number > state.supply.get(colour, 0):
            raise Refused("X-1", "not_in_box", "There are not so many cubes in the box.", colour=colour)
