"""The invariants of section X; reports every violation in a state, not only the first."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.shogun import facts
from companion.games.shogun.state import State
from companion.tower.ledger import faults
from companion.tower.piles import plus


@dataclass(frozen=True, slots=True)
class Fault:
    """A violated invariant, and how it is violated."""

    rule: str
    key: str
    """Translation key of the sentence."""
    sentence: str
    province: str = ""
    """Name of the province concerned, if any."""


def find_faults(state: State) -> tuple[Fault, ...]:
    """Return all faults; always empty in a game without corrections."""
    return (*_cube_faults(state), *_province_faults(state), *_card_faults(state), *_chest_faults(state))


def _cube_faults(state: State) -> Iterator[Fault]:
    yield from (Fault("X-1", "board_cubes", sentence) for sentence in faults(state.ledger))
    board = plus(*({p.owner: p.armies} for p in state.provinces.values() if p.owner))
    if board != dict(state.ledger.board):
        yield Fault("X-1", "board_cubes", "The armies of the provinces are not those of the ledger.")


def _province_faults(state: State) -> Iterator[Fault]:
    staged = {state.throw.province, state.throw.origin} if state.throw else set()
    for key, province in state.provinces.items():
        name = facts.CARDS[key].name
        if province.owner and province.armies < 1 and key not in staged:
            yield Fault("X-2", "board_no_army", f"{name} has an owner but no army.", name)
        if province.owner is None and (province.armies or province.buildings or province.markers):
            yield Fault("X-3", "board_neutral", f"{name} is neutral but holds something.", name)
        kinds = province.buildings
        if len(set(kinds)) < len(kinds) or len(kinds) > facts.CARDS[key].slots:
            yield Fault("X-4", "board_buildings", f"{name} has more buildings than it may.", name)
        if not 0 <= province.markers <= 3:
            yield Fault(
                "X-8", "board_markers", f"{name} has {province.markers} revolt markers; 3 are the most.", name
            )
    if set(state.provinces) != set(facts.in_play(state.side, len(state.seats))) and len(state.seats) > 2:
        yield Fault("X-7", "board_provinces", "The provinces in play do not fit this number of players.")


def _card_faults(state: State) -> Iterator[Fault]:
    for seat, player in state.players.items():
        laid = list(player.plan.values())
        if len(set(laid)) < len(laid):
            yield Fault("P-3", "board_cards", f"{seat} has planned a card twice.")
        for card in laid:
            if card not in facts.CHEST_CARDS and state.provinces[card].owner != seat:
                yield Fault(
                    "X-5",
                    "board_cards",
                    f"The card of {card} lies on the board of {seat}, who does not own it.",
                )


def _chest_faults(state: State) -> Iterator[Fault]:
    chests = [state.bank, *(player.chests for player in state.players.values())]
    total = sum(number for number in chests if number > 0)  # a negative bank holds no chests
    if total != facts.CHESTS or min(chests) < 0:
        sentence = f"{total} chests are accounted for, {facts.CHESTS} are in the box."
        yield Fault("X-6", "board_chests", sentence)
    for seat, player in state.players.items():
        if not 0 <= player.rice <= facts.MOST_RICE:
            yield Fault(
                "X-9", "board_rice", f"{seat} has {player.rice} rice; the track ends at {facts.MOST_RICE}."
            )
    for kind, tiles in state.tiles.items():
        if tiles < 0:
            yield Fault("C-4", "board_tiles", f"There are more {kind} tiles on the board than in the box.")
