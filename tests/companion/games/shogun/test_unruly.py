"""Games as a real table plays them: corrections, battles out of turn and accidents at any moment."""

import random
from collections.abc import Callable, Iterator

import pytest

from companion.games.protocol import Refused
from companion.games.shogun import commands as c
from companion.games.shogun import facts
from companion.games.shogun.check import find_faults
from companion.games.shogun.decide import decide
from companion.games.shogun.deciding.planning import to_place
from companion.games.shogun.state import State, near, owned, supply
from companion.games.shogun.words import ACTIONS, Building, Phase, Space, Special
from tests.companion.games.shogun import bots
from tests.companion.games.shogun.tables import after, opened

GAMES = 16
UNRULY = 0.25
"""Share of steps that first try a command out of turn; none after `ORDERLY`, so that games end."""
ORDERLY = 500


def _correct_armies(state: State, chance: random.Random) -> c.Command:
    key, province = chance.choice(list(state.provinces.items()))
    in_supply = max(0, supply(state, province.owner)) if province.owner else 0
    return c.Correct(c.Fact.ARMIES, key, chance.randint(1, max(1, min(9, province.armies + in_supply))))


def _correct_owner(state: State, chance: random.Random) -> c.Command:
    owner = chance.choice([None, *(seat for seat in state.seats if supply(state, seat) > 0)])
    return c.Correct(c.Fact.OWNER, chance.choice(list(state.provinces)), owner)


def _correct_buildings(state: State, chance: random.Random) -> c.Command:
    key = chance.choice([key for key, province in state.provinces.items() if province.owner] or [""])
    slots = facts.CARDS[key].slots if key else 0
    return c.Correct(c.Fact.BUILDINGS, key, tuple(chance.sample([*Building], chance.randint(0, slots))))


def _correct_chests(state: State, chance: random.Random) -> c.Command:
    seat, player = chance.choice(list(state.players.items()))
    return c.Correct(c.Fact.CHESTS, seat, chance.randint(0, player.chests + state.bank))


def _correct_cubes(state: State, chance: random.Random) -> c.Command:
    ledger = state.ledger
    fact, pile = chance.choice([(c.Fact.TOWER, ledger.tower), (c.Fact.TRAY, ledger.tray)])
    colour = chance.choice([*ledger.box])
    most = pile.get(colour, 0) + ledger.supply.get(colour, 0)
    return c.Correct(fact, colour, chance.randint(0, min(9, most)))


def _correct_card(state: State, chance: random.Random) -> c.Command:
    seat = chance.choice(state.seats)
    card = chance.choice([None, *owned(state, seat), *facts.CHEST_CARDS])
    return c.Correct(c.Fact.CARD, f"{seat}.{chance.choice([*Space])}", card)


def _correct_order(state: State, chance: random.Random) -> c.Command:
    return c.Correct(c.Fact.ORDER, "", tuple(chance.sample(state.seats, len(state.seats))))


def _correct_laid_cards(state: State, chance: random.Random) -> c.Command:
    """Return a correction of the event, the year's events, the action row (partly unknown) or a special."""
    remaining = [str(card) for card in state.year_events if chance.random() < 0.5]
    row = [action.value if chance.random() < 0.8 else "" for action in chance.sample(ACTIONS, len(ACTIONS))]
    special = c.Correct(c.Fact.SPECIAL, chance.choice(state.seats), chance.choice([None, *Special]))
    commands = [
        c.Correct(c.Fact.EVENT, "", chance.choice([None, *facts.EVENTS])),
        c.Correct(c.Fact.YEAR_EVENTS, "", tuple(remaining)),
        c.Correct(c.Fact.ROW, "", tuple(row)),
    ]
    return chance.choice([*commands, special])


def _declare_battle(state: State, chance: random.Random) -> c.Command:
    seat = chance.choice(state.seats)
    origin = chance.choice([None, *owned(state, seat)])
    target = chance.choice([*(near(state, origin) if origin else state.provinces), "atlantis"])
    extra = chance.randint(0, 1)
    return c.Declare(seat, target, chance.randint(0, 4), origin, chance.choice([None, 3]), extra, extra)


def _declare_revolt(state: State, chance: random.Random) -> c.Command:
    return c.DeclareRevolt(chance.choice(list(state.provinces)), chance.randint(0, 2))


def _tower_command(state: State, chance: random.Random) -> c.Command:
    inside = state.ledger.tower
    fell = {colour: chance.randint(0, number) for colour, number in inside.items()}
    commands: list[c.Command] = [c.Knock(), c.CountTower(inside), c.Accident(fell), c.CallOff()]
    return chance.choice([*commands, c.EmptyTower("moved")])


def _command_too_early(state: State, chance: random.Random) -> c.Command:
    commands: list[c.Command] = [c.LoseRice(), c.Score(), c.Lay(), c.Reveal()]
    return chance.choice([*commands, c.DrawRevolts(state.seats[0])])


KINDS: tuple[Callable[[State, random.Random], c.Command], ...] = (
    _correct_armies, _correct_owner, _correct_buildings, _correct_chests, _correct_cubes, _correct_card,
    _correct_order, _correct_laid_cards, _declare_battle, _declare_revolt, _tower_command, _command_too_early,
)  # fmt: skip


def _commands_to_try(state: State, chance: random.Random, unruly: bool) -> Iterator[c.Command]:
    """Yield commands to try until one is accepted; the last one moves the game on."""
    if unruly and chance.random() < UNRULY:
        yield chance.choice(KINDS)(state, chance)
    removal = _remove_surplus_card(state)
    yield removal if removal is not None and state.throw is None else bots.next_command(state, chance)


def _remove_surplus_card(state: State) -> c.Command | None:
    """Return a command that removes a surplus card, left after a province came or went (P-5), or None."""
    if state.phase is not Phase.PLANNING:
        return None
    for seat, player in state.players.items():
        if not player.ready and len(player.plan) > to_place(state, seat):
            return c.Place(seat, next(iter(player.plan)), None)
    return None


@pytest.mark.parametrize("number", range(GAMES))
def test_X1_X2_X3_X4_X5_X6_X7_X8_X9_hold_and_the_game_ends_whatever_the_table_does_amid_it(
    number: int,
) -> None:
    """Commands either succeed or are refused; none breaks an invariant or leads to a dead end."""
    chance = random.Random(number)  # seeded, so that a game can be replayed
    state = opened(**bots.options(number))
    tries = 0
    while state.phase is not Phase.OVER:
        tries += 1
        for command in _commands_to_try(state, chance, tries < ORDERLY):
            try:
                events = decide(state, command)
            except Refused as refused:
                last_refusal = refused
                continue
            state = after(state, events)
            assert find_faults(state) == (), (tries, command)
            break
        else:
            raise AssertionError((tries, state.phase, last_refusal))
    assert state.winners
