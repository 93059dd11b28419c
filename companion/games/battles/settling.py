"""Who wins a throw and where each cube goes: the table at the end of section B, one function."""

from companion.games.battles.state import COLOURS, FARMERS, Battle, Outcome, Province, Settled, plus, some
from companion.games.protocol import Colour, Counts


def settle(battle: Battle, province: Province, thrown: Counts, tray: Counts) -> Settled:
    """What lies in the tray decides (B-5 to B-16)."""
    a = tray.get(battle.attacker, 0)
    d = tray.get(battle.defender, 0) if battle.defender else 0
    f = tray.get(FARMERS, 0)
    farmers_count = battle.defender is None or province.markers == 0  # B-6
    against = d + (f if farmers_count else 0)
    outcome = _outcome(battle, a, d, against)
    owner, armies = _province_after(battle, outcome, a, d, against)
    if outcome is Outcome.NEUTRAL:
        owner, armies = None, 0
    sides = {battle.attacker, *([battle.defender] if battle.defender else [])}
    leaves = {c: tray.get(c, 0) for c in COLOURS if c in sides or (c == FARMERS and farmers_count)}
    returned = plus(leaves, {owner: armies} if owner else {}, -1)
    return Settled(
        battle=battle,
        thrown=some(thrown),
        tray=some(tray),
        outcome=outcome,
        farmers_helped=farmers_count and f > 0 and outcome in (Outcome.DEFENDER, Outcome.NEUTRAL),
        owner=owner,
        armies=armies,
        returned=some(returned),
        stays=some(plus(tray, leaves, -1)),  # B-15, B-21
    )


def _outcome(battle: Battle, a: int, d: int, against: int) -> Outcome:
    if a > against:
        return Outcome.ATTACKER
    if battle.defender is None:
        return Outcome.NEUTRAL  # B-16, 0 to 0 included
    return Outcome.DEFENDER if a < against and d > 0 else Outcome.UNDECIDED  # B-10, B-11


def _province_after(
    battle: Battle, outcome: Outcome, a: int, d: int, against: int
) -> tuple[Colour | None, int]:
    if outcome is Outcome.ATTACKER:
        return battle.attacker, a - against
    if outcome is Outcome.DEFENDER:
        return battle.defender, min(d, against - a)  # B-9: farmers pay first
    return None, 0
