"""Whether an action can be performed, and with what effect (A-2). Pure queries; nothing is changed here."""

from dataclasses import dataclass

from companion.games.protocol import Colour
from companion.games.shogun import facts
from companion.games.shogun.state import State, effect_of, near, privilege, supply
from companion.games.shogun.words import BATTLES, BUILDS, Building, Effect, Space, Special


@dataclass(frozen=True, slots=True)
class Bar:
    """Why an action cannot be performed: rule id, translation key of the sentence, and the sentence."""

    rule: str
    key: str
    sentence: str


def find_bar(state: State, seat: Colour, space: Space, province: str) -> Bar | None:
    """Return the reason why an action is skipped, or None if it can be performed (A-2)."""
    if space in BUILDS:
        return _find_building_bar(state, seat, BUILDS[space], province)
    if space in facts.DEPLOYS:
        return _find_deployment_bar(state, seat, space)
    if space in BATTLES:
        return _find_move_bar(state, seat, province)
    return None


def fitting_buildings(state: State, province: str) -> tuple[Building, ...]:
    """Return the kinds of building that still fit into a province, ignoring chests and tiles (A-4)."""
    standing = state.provinces[province].buildings
    if len(standing) >= facts.CARDS[province].slots:
        return ()
    return tuple(kind for kind in Building if kind not in standing)


def _find_building_bar(state: State, seat: Colour, kind: Building, province: str) -> Bar | None:
    if kind in state.provinces[province].buildings:
        return Bar("A-4", "stands", f"{facts.CARDS[province].name} already has a {kind}.")
    if kind not in fitting_buildings(state, province):
        return Bar("A-4", "no_space", f"{facts.CARDS[province].name} has no free building space.")
    if state.players[seat].chests < facts.COST[Space(kind.value)]:
        return Bar("A-2", "too_dear", f"A {kind} costs {facts.COST[Space(kind.value)]} chests.")
    if state.tiles[kind] < 1:
        return Bar("L-2", "no_tile", f"No {kind} tile is left in the box.")
    return None


def deployed_armies(state: State, seat: Colour, space: Space) -> int:
    """Return the armies a deployment brings: the event applies first, then the special card (A-9, O-6)."""
    has_limits = effect_of(state) == Effect.DEPLOY_LIMITS
    base = {Space.DEPLOY_5: 3, Space.DEPLOY_3: 2}.get(space, 1) if has_limits else facts.DEPLOYS[space]
    if space is not Space.DEPLOY_5 or privilege(state, seat) is not Special.SIX_ARMIES:
        return base
    raised = state.house.six_armies_under_deploy_event if has_limits else 6
    return raised if supply(state, seat) >= raised else base


def _find_deployment_bar(state: State, seat: Colour, space: Space) -> Bar | None:
    if state.players[seat].chests < facts.COST[space]:
        return Bar("A-2", "too_dear", f"This deployment costs {facts.COST[space]} chests.")
    if supply(state, seat) < deployed_armies(state, seat, space):
        return Bar(
            "L-1", "short_supply", "There are not enough cubes in the supply for the whole deployment."
        )
    return None


def is_protected(state: State, target: str, seat: Colour) -> bool:
    """Return whether a temple protects another player's province from attack this round (A-14)."""
    province = state.provinces[target]
    return (
        effect_of(state) == Effect.TEMPLE_NO_ATTACK
        and province.owner != seat
        and Building.TEMPLE in province.buildings
    )


def targets(state: State, seat: Colour, origin: str) -> tuple[str, ...]:
    """Return the provinces that armies can enter with Battle/Move (A-11, A-14, R-11)."""
    return tuple(p for p in near(state, origin) if not is_protected(state, p, seat))


def _find_move_bar(state: State, seat: Colour, origin: str) -> Bar | None:
    if state.provinces[origin].armies < 2:
        return Bar("A-12", "one_army", "At least 1 army must stay behind, so moving takes 2.")
    if not targets(state, seat, origin):
        rule = "A-14" if near(state, origin) else "A-13"
        return Bar(rule, "nowhere", "There is no province that these armies can enter.")
    return None


def income(state: State, seat: Colour, space: Space, province: str) -> int:
    """Return the rice or chests a province yields: event first, then special card (A-6, A-7, O-6)."""
    card, effect = facts.CARDS[province], effect_of(state)
    if space is Space.RICE:
        base = {Effect.RICE_MIN: max(card.rice, 4), Effect.RICE_MAX: min(card.rice, 3)}
        bonus = privilege(state, seat) is Special.PLUS_RICE
        return (base[Effect(effect)] if effect in base else card.rice) + bonus
    base = {Effect.TAX_MIN: max(card.taxes, 6), Effect.TAX_MAX: min(card.taxes, 5)}
    bonus = privilege(state, seat) is Special.PLUS_CHEST
    return (base[Effect(effect)] if effect in base else card.taxes) + bonus
