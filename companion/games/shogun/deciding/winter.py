"""Winter: rice, hunger, revolts, points, the end of the year and of the game (section W)."""

from companion.games.chance import shuffled
from companion.games.protocol import Colour
from companion.games.shogun import facts
from companion.games.shogun.commands import DrawRevolts, FightRevolt
from companion.games.shogun.deciding.fighting import refuse_during_throw, revolt
from companion.games.shogun.deciding.story import Story
from companion.games.shogun.events import (
    GameEnded,
    PhaseBegun,
    RevoltsDrawn,
    RiceLost,
    Scored,
    YearEnded,
)
from companion.games.shogun.scoring import score, winners
from companion.games.shogun.state import State, owned
from companion.games.shogun.words import Fight, Phase


def rice_after(rice: int, loss: int) -> int:
    """Return the rice left after the loss, at least 0 (W-1, R-12)."""
    return max(0, rice - loss)


def missing_rice(provinces: int, rice: int) -> int:
    """Return how much rice is missing: 1 is needed for each province (W-2)."""
    return max(0, provinces - rice)


def lose_rice(story: Story) -> None:
    """Take the rice loss and look up the consequences once for each player (W-1, W-2, W-6)."""
    refuse_during_throw(story)
    state = story.state
    story.must(state.phase is Phase.WINTER, "W-1", "no_winter", "Winter has not begun.")
    loss = facts.EVENTS[state.event].rice_loss if state.event in facts.EVENTS else 0
    rice = {seat: rice_after(player.rice, loss) for seat, player in state.players.items()}
    revolt_counts: dict[Colour, int] = {}
    extra_farmers: dict[Colour, int] = {}
    for seat in state.seats:
        provinces = len(owned(state, seat))
        revolts, farmers = facts.provision(missing_rice(provinces, rice[seat]))
        if revolts:
            revolt_counts[seat], extra_farmers[seat] = min(revolts, provinces), farmers
    story.add(RiceLost(rice, revolt_counts, extra_farmers))
    story.add(PhaseBegun(Phase.HUNGER))


def left_neighbour(state: State, seat: Colour) -> Colour:
    """Return the left neighbour, who draws for a seat: the next player clockwise (S-11, W-3)."""
    return state.seats[(state.seats.index(seat) + 1) % len(state.seats)]


def revolts_to_draw(state: State, seat: Colour) -> int:
    """Return how many cards the left neighbour draws, at most the number of provinces (L-8, R-10)."""
    return min(state.to_draw.get(seat, 0), len(owned(state, seat)))


def draw_revolts(story: Story, command: DrawRevolts) -> None:
    """Record the province cards that the left neighbour drew unseen (W-3)."""
    refuse_during_throw(story)
    state = story.state
    player = command.player
    story.must(
        state.phase is Phase.HUNGER and player in state.to_draw,
        "W-3",
        "no_draw",
        "There are no revolts to draw here.",
    )
    number = revolts_to_draw(state, player)
    if number < state.to_draw[player]:
        story.warn("L-8", "There are fewer provinces than revolts: all of them revolt.")
    cards = command.provinces
    if cards is None:
        cards = shuffled(owned(state, player), state.seed, state.draws)[:number]
    is_valid = len(set(cards)) == len(cards) == number and set(cards) <= set(owned(state, player))
    story.must(
        is_valid,
        "W-3",
        "draw_own",
        f"Draw {number} different provinces of those {player} owns.",
        number=number,
    )
    story.add(RevoltsDrawn(player, cards))


def winter_order(state: State) -> tuple[Colour, ...]:
    """Return autumn's turn order (W-4), followed by any seats it does not contain."""
    return (*state.order, *(seat for seat in state.seats if seat not in state.order))


def still_to_fight(state: State, seat: Colour) -> tuple[str, ...]:
    """Return the drawn, unfought revolts of a seat, without provinces lost in the meantime (W-3, B-12)."""
    return tuple(p for p in state.revolts.get(seat, ()) if state.provinces[p].owner == seat)


def fighting_now(state: State) -> Colour | None:
    """Return the seat whose winter revolts are settled now (W-4), or None."""
    if state.phase is not Phase.HUNGER or state.to_draw or state.throw:
        return None
    return next((seat for seat in winter_order(state) if still_to_fight(state, seat)), None)


def fight_revolt(story: Story, command: FightRevolt) -> None:
    """Declare the next winter revolt, in the order its player chooses (W-4)."""
    refuse_during_throw(story)
    state, seat = story.state, command.seat
    story.must(not state.to_draw, "W-3", "draw_first", "Draw all revolts before settling the first.")
    story.must(
        fighting_now(state) == seat, "W-4", "not_your_turn", "Revolts are settled in autumn's turn order."
    )
    is_drawn = command.province in still_to_fight(state, seat)
    story.must(is_drawn, "W-3", "not_drawn", "No winter revolt broke out in this province.")
    revolt(story, command.province, Fight.WINTER_REVOLT, extra=state.extra_farmers.get(seat, 0))


def count_points(story: Story) -> None:
    """Count the points and end the year or the game (W-5, T-9, T-10)."""
    refuse_during_throw(story)
    state = story.state
    story.must(
        state.phase is Phase.SCORING, "W-5", "not_yet", "Points are counted once all revolts are settled."
    )
    points = score(state.provinces, state.side, state.seats)
    story.add(Scored(points.gained, points.majorities))
    if state.year < facts.YEARS:
        story.add(YearEnded())
        story.add(PhaseBegun(Phase.YEAR))
        return
    story.add(GameEnded(current_winners(story.state)))


def current_winners(state: State) -> tuple[Colour, ...]:
    """Return the winners by the current points and chests (T-10)."""
    players = state.players.items()
    return winners({seat: p.points for seat, p in players}, {seat: p.chests for seat, p in players})
