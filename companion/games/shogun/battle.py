"""Who wins a throw and where each cube goes: only the decision table of section B."""

from companion.games.protocol import Colour
from companion.games.shogun.state import House, Province, Result, Throw
from companion.games.shogun.words import FARMERS, Fight, Outcome
from companion.tower.piles import Pile, minus, plus, without_zeros


def table_cubes(throw: Throw) -> Pile:
    """Return what people bring to the tower, excluding the tray (B-3, B-4, B-12)."""
    pile: dict[Colour, int] = {FARMERS: throw.farmers}
    if throw.attacker:
        pile[throw.attacker] = throw.moved + throw.extra_attack
    if throw.defender:
        pile[throw.defender] = throw.defenders + throw.extra_defence
    return without_zeros(pile)


def resolve(throw: Throw, province: Province, tray: Pile, house: House) -> Result:
    """Decide a battle or revolt by the cubes in the tray (B-5)."""
    if throw.fight is not Fight.ATTACK:
        return _resolve_revolt(throw, tray)
    if throw.defender is None:
        return _resolve_neutral(throw, tray)
    return _resolve_attack(throw, province, tray, house)


def _resolve_attack(throw: Throw, province: Province, tray: Pile, house: House) -> Result:
    """Decide an attack by one player on another (B-6 to B-11)."""
    attacker, defender = _require_side(throw.attacker), _require_side(throw.defender)
    a, d = tray.get(attacker, 0), tray.get(defender, 0)
    ignores_farmers = province.markers > 0  # B-6: farmers help neither side
    f = 0 if ignores_farmers else tray.get(FARMERS, 0)
    leaving = _cubes_of(tray, attacker, defender, *(() if ignores_farmers else (FARMERS,)))
    if a > d + f:
        return _result(Outcome.ATTACKER, attacker, a - d - f, tray, leaving)
    if a < d + f and d > 0:
        kept = min(d, d + f - a) if house.farmers_pay_first else max(0, d - a)  # B-9, R-7
        if kept:
            return _result(Outcome.DEFENDER, defender, kept, tray, leaving)
    return _result(Outcome.UNDECIDED, None, 0, tray, leaving)


def _resolve_neutral(throw: Throw, tray: Pile) -> Result:
    """Decide an attack on a neutral province, which farmers defend (B-16)."""
    attacker = _require_side(throw.attacker)
    a, f = tray.get(attacker, 0), tray.get(FARMERS, 0)
    leaving = _cubes_of(tray, attacker, FARMERS)
    if a > f:
        return _result(Outcome.ATTACKER, attacker, a - f, tray, leaving)
    outcome = Outcome.UNDECIDED if a == f else Outcome.FARMERS
    return _result(outcome, None, 0, tray, leaving)


def _resolve_revolt(throw: Throw, tray: Pile) -> Result:
    """Decide a revolt of farmers against the owner (B-13, B-14)."""
    owner = _require_side(throw.defender)
    d, f = tray.get(owner, 0), tray.get(FARMERS, 0)
    leaving = _cubes_of(tray, owner, FARMERS)
    if d > f:
        return _result(Outcome.DEFENDER, owner, d - f, tray, leaving)
    return _result(Outcome.FARMERS, None, 0, tray, leaving)


def _result(outcome: Outcome, owner: Colour | None, armies: int, tray: Pile, leaving: Pile) -> Result:
    kept = {owner: armies} if owner else {}
    return Result(outcome, owner, armies, returned=minus(leaving, kept), stays=minus(plus(tray), leaving))


def _cubes_of(tray: Pile, *colours: Colour) -> Pile:
    return without_zeros({colour: tray.get(colour, 0) for colour in colours})


def _require_side(colour: Colour | None) -> Colour:
    if colour is None:
        raise ValueError("this battle has no such side")
    return colour
