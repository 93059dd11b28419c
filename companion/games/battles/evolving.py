"""From a state and an event to the state after it; nothing here can refuse: an event is a fact."""

from dataclasses import replace

from companion.games.battles.moves import (
    ArmiesSet,
    CalledOff,
    Decided,
    Declared,
    Event,
    FellOut,
    TableSet,
    TowerCorrected,
)
from companion.games.battles.state import COLOURS, FARMERS, Battle, Province, State, box, held, plus, some
from companion.games.protocol import Colour


def evolve(state: State, event: Event) -> State:
    """The state after an event."""
    match event:
        case TableSet():
            after = set_up(event)
        case ArmiesSet(province, armies):
            after = _armies_set(state, province, armies)
        case Declared(battle):
            after = _declared(state, battle)
        case CalledOff(battle):
            after = _called_off(state, battle)
        case TowerCorrected(more):
            after = replace(state, supply=plus(state.supply, more, -1), tower=plus(state.tower, more))
        case Decided():
            after = _decided(state, event)
        case FellOut(fell):
            after = replace(state, tower=plus(state.tower, fell, -1), tray=plus(state.tray, fell))
    return after


def set_up(event: TableSet) -> State:
    """The table at the beginning; what is nowhere else is in the supply."""
    state = State(event.players, dict(event.provinces), {}, plus(event.tower, {}), plus(event.tray, {}))
    return replace(state, supply={colour: box(colour) - held(state, colour) for colour in COLOURS})


def _armies_set(state: State, key: str, armies: int) -> State:
    province = state.provinces[key]
    if province.owner is None:
        return state
    change = {province.owner: armies - province.armies}
    return replace(
        state,
        supply=plus(state.supply, change, -1),
        provinces={**state.provinces, key: replace(province, armies=armies)},
    )


def _declared(state: State, battle: Battle) -> State:
    province = state.provinces[battle.province]
    from_supply: dict[Colour, int] = {battle.attacker: battle.attackers}
    if battle.defender is None:
        from_supply[FARMERS] = battle.defenders
    own = {battle.defender: battle.defenders} if battle.defender else {}
    return replace(
        state,
        battle=battle,
        last=None,
        ready=some(plus(from_supply, own)),
        supply=plus(state.supply, from_supply, -1),
        provinces={**state.provinces, battle.province: replace(province, armies=0)},
    )


def _called_off(state: State, battle: Battle) -> State:
    province = state.provinces[battle.province]
    back = dict(state.ready)
    armies = back.pop(battle.defender, 0) if battle.defender else 0
    return replace(
        state,
        battle=None,
        ready={},
        supply=plus(state.supply, back),
        provinces={**state.provinces, battle.province: replace(province, armies=armies)},
    )


def _decided(state: State, event: Decided) -> State:
    settled = event.settled
    province = state.provinces[settled.battle.province]
    kept = settled.owner in (province.owner, settled.battle.attacker)
    after = Province(province.name, settled.owner, settled.armies, province.markers if kept else 0)
    inside = plus(plus(state.tower, settled.thrown), settled.tray, -1)
    return replace(
        state,
        battle=None,
        last=settled,
        ready={},
        tower=inside,
        tray=plus(settled.stays, {}),
        supply=plus(state.supply, settled.returned),
        provinces={**state.provinces, settled.battle.province: after},
    )
