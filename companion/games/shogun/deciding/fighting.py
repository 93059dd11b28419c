"""Battles and revolts: what goes into the tower, and what the tray then decides (section B)."""

from dataclasses import dataclass

from companion.games.protocol import Colour
from companion.games.shogun import facts
from companion.games.shogun.battle import resolve
from companion.games.shogun.check import find_faults
from companion.games.shogun.commands import Act, Declare, DeclareRevolt, Defend, Settle
from companion.games.shogun.deciding.story import Story
from companion.games.shogun.events import (
    ActionOpened,
    ArmiesFound,
    DefenceAnswered,
    IncomeForfeited,
    MarkerAdded,
    MoreInside,
    PhaseBegun,
    ThrowCalledOff,
    ThrowDeclared,
    ThrowSettled,
    TowerFilled,
    TurnEnded,
)
from companion.games.shogun.state import (
    State,
    Throw,
    effect_of,
    farmers,
    near,
    open_place_count,
    privilege,
    supply,
)
from companion.games.shogun.words import Building, Effect, Fight, Outcome, Phase, Special
from companion.tower.ledger import missing_for, pile_to_throw
from companion.tower.piles import in_words, shortfall, without_zeros


@dataclass(frozen=True, slots=True)
class Strength:
    """Armies that move, and whether the attacker adds one more; the defender is asked afterwards (R-23)."""

    armies: int
    has_bonus: bool

    @classmethod
    def of(cls, command: Act) -> "Strength":
        """Take both from the acting seat's command."""
        return cls(command.armies, command.bonus_attack)


def attack(story: Story, attacker: Colour, origin: str, target: str, strength: Strength) -> None:
    """Declare an attack by Battle/Move on a neutral or another player's province (B-3, B-4)."""
    province = story.state.provinces[target]
    extra = _attack_bonus(story, attacker, strength.has_bonus)
    castle = _castle_bonus(story, target, province.owner)
    spare_cubes = supply(story.state, province.owner) - castle if province.owner else 0
    has_privilege = (
        province.owner is not None and privilege(story.state, province.owner) is Special.PLUS_DEFENCE
    )
    throw = Throw(
        Fight.ATTACK,
        target,
        attacker,
        province.owner,
        origin,
        moved=strength.armies,
        defenders=province.armies,
        extra_attack=extra,
        extra_defence=castle,
        farmers=0 if province.owner else limit_farmers(story, _neutral_farmers(story.state)),
        of_turn=True,
        ask_defence=has_privilege and spare_cubes > 0,
    )
    story.add(ThrowDeclared(throw))


def _attack_bonus(story: Story, attacker: Colour, wanted: bool) -> int:
    if not wanted:
        return 0
    has_privilege = privilege(story.state, attacker) is Special.PLUS_ATTACK
    story.demand(
        has_privilege, "O-5", "no_privilege", "The attacker does not hold the card for one more army."
    )
    if supply(story.state, attacker) < 1:
        story.warn("L-4", "The attacker has no cube in the supply; no extra army is thrown.")
        return 0
    return 1


def _castle_bonus(story: Story, target: str, owner: Colour | None) -> int:
    """Return the extra army that a castle gives its province under the event (B-4)."""
    has_castle = Building.CASTLE in story.state.provinces[target].buildings
    if owner is None or not has_castle or effect_of(story.state) != Effect.CASTLE_DEFENCE_BONUS:
        return 0
    if supply(story.state, owner) < 1:
        story.warn("L-4", "The defender has no cube in the supply; no extra army is thrown.")
        return 0
    return 1


def _neutral_farmers(state: State) -> int:
    return 2 if effect_of(state) == Effect.NEUTRAL_PROVINCE_FARMERS else 1  # B-3


def limit_farmers(story: Story, wanted: int) -> int:
    """Return the number of farmers wanted, or as many as there are with a warning (L-3)."""
    available = max(0, farmers(story.state))  # a correction may have left a negative number
    if available < wanted:
        story.warn("L-3", f"Only {available} of {wanted} farmers are in the farmers' supply.")
    return min(wanted, available)


def revolt(
    story: Story,
    province: str,
    fight: Fight,
    *,
    extra: int = 0,
    income: int = 0,
    is_rice: bool = False,
    of_turn: bool = False,
) -> None:
    """Declare a revolt: the owner's armies against one farmer per marker plus `extra` (B-12)."""
    target = story.state.provinces[province]
    castle_bonus = 0
    if fight is Fight.REVOLT and story.state.house.castle_event_in_revolts:
        castle_bonus = _castle_bonus(story, province, target.owner)
    throw = Throw(
        fight,
        province,
        defender=target.owner,
        defenders=target.armies,
        extra_defence=castle_bonus,
        farmers=limit_farmers(story, target.markers + extra),
        income=income,
        income_is_rice=is_rice,
        of_turn=of_turn,
    )
    story.add(ThrowDeclared(throw))


def defend(story: Story, command: Defend) -> None:
    """Record whether the defender uses `plus_defence` (R-23)."""
    throw = require_throw(story)
    is_asked = throw.ask_defence and throw.defender == command.seat
    story.must(is_asked, "R-23", "not_asked", "This seat has nothing to decide about the awaited throw.")
    story.add(DefenceAnswered(1 if command.bonus and supply(story.state, command.seat) > 0 else 0))


def declare(story: Story, command: Declare) -> None:
    """Declare a battle outside the normal sequence: the table fights it, so the app goes along."""
    refuse_during_throw(story)
    state = story.state
    story.must(command.attacker in state.seats, "C-1", "no_such_player", "Nobody plays this colour here.")
    province = state.provinces.get(command.province)
    if province is None:
        story.must(False, "C-3", "not_in_play", "This province is not in play.", province=command.province)
        return
    is_own = province.owner == command.attacker
    story.must(not is_own, "A-11", "own_province", "You cannot attack your own province.")
    story.must(command.armies > 0, "A-17", "no_attackers", "An attack needs at least 1 army.")
    smaller_bonus = min(command.bonus_attack, command.bonus_defence)
    story.must(smaller_bonus >= 0, "B-4", "negative_extra", "There cannot be fewer than 0 extra armies.")
    _check_origin(story, command)
    if province.owner and command.defenders is not None and command.defenders != province.armies:
        _record_found_armies(story, command.province, command.defenders)
    defender = story.state.provinces[command.province]
    _require_extra_armies(story, command, defender.owner)
    farmers_wanted = 0 if defender.owner else _neutral_farmers(story.state)
    throw = Throw(
        Fight.ATTACK,
        command.province,
        command.attacker,
        defender.owner,
        command.origin,
        moved=command.armies,
        defenders=defender.armies,
        extra_attack=command.bonus_attack,
        extra_defence=command.bonus_defence if defender.owner else 0,
        farmers=limit_farmers(story, farmers_wanted),
    )
    story.add(ThrowDeclared(throw))


def _require_extra_armies(story: Story, command: Declare, owner: Colour | None) -> None:
    attacker_cubes = command.bonus_attack + (0 if command.origin else command.armies)
    demands = ((command.attacker, attacker_cubes), (owner, command.bonus_defence))
    for colour, number in demands:
        if colour is not None:
            _require_cubes(story, colour, number, supply(story.state, colour))


def _check_origin(story: Story, command: Declare) -> None:
    if command.origin is None:
        return
    origin = story.state.provinces.get(command.origin)
    is_own = origin is not None and origin.owner == command.attacker
    story.must(
        is_own, "A-3", "not_own", "Armies must come from one of your own provinces.", province=command.origin
    )
    is_adjacent = command.province in near(story.state, command.origin)
    story.demand(is_adjacent, "A-13", "not_adjacent", "These provinces do not touch.")
    leaves_army = origin is not None and command.armies < origin.armies
    story.must(leaves_army, "A-12", "one_stays", "At least 1 army must stay behind.", province=command.origin)


def _record_found_armies(story: Story, province: str, armies: int) -> None:
    target = story.state.provinces[province]
    story.must(armies > 0, "X-2", "no_defenders", "An owned province must have at least 1 army.")
    if target.owner:
        _require_cubes(story, target.owner, armies, target.armies + supply(story.state, target.owner))
    story.add(ArmiesFound(province, armies))


def _require_cubes(story: Story, colour: Colour, number: int, available: int) -> None:
    available = max(0, available)  # a correction may have left a negative number
    sentence = f"There are only {available} {colour} cubes left."
    story.must(number <= available, "L-1", "supply_short", sentence, colour=colour, have=available)


def declare_revolt(story: Story, command: DeclareRevolt) -> None:
    """Declare a revolt outside the normal sequence."""
    refuse_during_throw(story)
    province = story.state.provinces.get(command.province)
    is_owned = province is not None and province.owner is not None
    story.must(is_owned, "B-12", "no_owner", "A revolt can only break out in an owned province.")
    story.must(command.extra_farmers >= 0, "B-12", "negative", "There cannot be fewer than 0 farmers.")
    if province is not None and command.defenders not in (None, province.armies):
        _record_found_armies(story, command.province, command.defenders or 0)
    revolt(story, command.province, Fight.REVOLT, extra=command.extra_farmers)


def call_off(story: Story) -> None:
    """Cancel the awaited throw: nothing was thrown."""
    throw = require_throw(story)
    sentence = "This throw follows from the rules; undo what led to it instead."
    story.must(throw.can_be_called_off, "A-2", "cannot_call_off", sentence)
    story.add(ThrowCalledOff(throw))


def settle(story: Story, command: Settle) -> None:
    """Decide the awaited throw by what lies in the tray (B-5 to B-16)."""
    throw = require_throw(story)
    story.must(
        not throw.ask_defence, "R-23", "defender_asked", "The defender is still deciding about one more army."
    )
    _check_tray(story, command)
    state, tray = story.state, without_zeros(command.tray)
    if throw.fight is Fight.FILL:
        story.add(TowerFilled(tray))
        story.add(PhaseBegun(Phase.YEAR))
        return
    result = resolve(throw, state.provinces[throw.province], tray, state.house)
    story.add(ThrowSettled(throw, pile_to_throw(state.ledger), tray, result))
    if throw.of_turn:
        _finish_turn(story, throw, result.outcome)


def _finish_turn(story: Story, throw: Throw, outcome: Outcome) -> None:
    if throw.fight is Fight.REVOLT and throw.defender:
        if outcome is Outcome.DEFENDER:
            _add_marker(story, throw.province)
        elif not story.state.house.lost_revolt_income:
            player = story.state.players[throw.defender]
            rice, chests = min(throw.income, player.rice), min(throw.income, player.chests)
            rice, chests = (rice, 0) if throw.income_is_rice else (0, chests)
            story.add(IncomeForfeited(throw.defender, rice, chests))
    end_turn(story)


def _add_marker(story: Story, province: str) -> None:
    """Add a marker (A-8), even a fourth: only corrections can lead to that, and it causes a warning (X-8)."""
    story.add(MarkerAdded(province))
    name = facts.CARDS[province].name
    for fault in find_faults(story.state):
        if fault.rule == "X-8" and fault.province == name:
            story.warn(fault.rule, fault.sentence)


def end_turn(story: Story) -> None:
    """Go on to the next player or the next action (A-1), and turn up the next action card if it is known."""
    state = story.state
    is_last = state.turn + 1 >= len(state.order)
    story.add(TurnEnded(state.done + 1, 0) if is_last else TurnEnded(state.done, state.turn + 1))
    was_open, place = open_place_count(state), open_place_count(story.state)
    if place > was_open and (action := state.row[place - 1]) is not None:
        story.add(ActionOpened(place, action))


def _check_tray(story: Story, command: Settle) -> None:
    """Refuse cubes that cannot be inside, unless the contents are uncertain or the table insists."""
    ledger = story.state.ledger
    for colour, number in command.tray.items():
        is_known = number == 0 or (colour in ledger.box and number > 0)
        sentence = f"There are no {colour} cubes in this game."
        story.must(is_known, "X-1", "no_such_colour", sentence, colour=colour)
    more = missing_for(ledger, command.tray)
    if not more:
        return
    if ledger.certain:
        story.demand(
            False,
            "X-1",
            "not_in_tower",
            f"More came out than can be inside: {in_words(more)}. Count again, or insist.",
            more=dict(more),
        )
    short = shortfall(more, ledger.supply)
    story.must(
        not short,
        "X-1",
        "not_in_box",
        f"The ledger has no such cubes left: {in_words(short)}. Correct it first.",
        more=dict(short),
    )
    story.add(MoreInside(more))


def require_throw(story: Story) -> Throw:
    """Return the awaited throw; refuse the command if there is none."""
    if story.state.throw is None:
        story.must(False, "B-1", "no_throw", "No throw is awaited.")
        raise AssertionError
    return story.state.throw


def refuse_during_throw(story: Story) -> None:
    """Refuse the command while a throw is awaited."""
    story.must(
        story.state.throw is None,
        "B-1",
        "throw_awaited",
        "A throw is awaited; settle it or call it off first.",
    )
