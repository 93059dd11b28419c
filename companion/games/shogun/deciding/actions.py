"""The ten actions, one seat after the other (A-1 to A-17)."""

from companion.games.protocol import Colour
from companion.games.shogun import facts
from companion.games.shogun.able import deployed_armies, find_bar, income, is_protected
from companion.games.shogun.commands import Act, TurnUp
from companion.games.shogun.deciding.fighting import Strength, attack, end_turn, revolt
from companion.games.shogun.deciding.story import Story
from companion.games.shogun.events import (
    Built,
    CardTurned,
    Collected,
    Deployed,
    MarkerAdded,
    Moved,
    Skipped,
    Stayed,
)
from companion.games.shogun.state import acting_seat, action_now, effect_of, near, owned
from companion.games.shogun.words import BATTLES, BUILDS, Effect, Fight, Space


def turn_up(story: Story, command: TurnUp) -> None:
    """Record which real card lay on the current action's space (P-7)."""
    space = _require_turn(story, command.seat)
    player, card = story.state.players[command.seat], command.card
    sentence = "This seat planned on its phone: its card turns up by itself."
    story.must(player.by_cards, "P-8", "planned_on_phone", sentence)
    story.must(space not in player.shown, "P-7", "is_face_up", "The card on this space is already face up.")
    if card is not None:
        is_own_card = card in facts.CHEST_CARDS or card in owned(story.state, command.seat)
        story.must(
            is_own_card,
            "P-2",
            "not_own",
            "Only the player’s own province cards and chest cards go on a board.",
        )
        is_elsewhere = any(laid == card and at != space for at, laid in player.plan.items())
        story.must(not is_elsewhere, "P-3", "card_used", "Each card is used once a round.", card=card)
        is_usable = card not in player.used
        story.demand(
            is_usable,
            "B-17",
            "conquered",
            "A province won this round cannot be used before the next planning.",
        )
    story.add(CardTurned(command.seat, space, card))


def act(story: Story, command: Act) -> None:
    """Perform the action on the seat's card: all of it if it is possible, otherwise none of it (A-2)."""
    seat = command.seat
    space = _require_turn(story, seat)
    player = story.state.players[seat]
    if space not in player.shown:
        story.must(not player.by_cards, "P-7", "turn_up_first", "Turn up the card on the real board first.")
        story.add(CardTurned(seat, space, player.plan.get(space)))
    card = story.state.players[seat].plan.get(space)
    if card is None or card in facts.CHEST_CARDS:
        _skip(story, Skipped(seat, space, "A-15", key="no_card"))
    elif story.state.provinces[card].owner != seat:
        _skip(story, Skipped(seat, space, "A-3", card, "lost"))
    else:
        perform(story, space, card, command)


def perform(story: Story, space: Space, province: str, command: Act) -> None:
    """Perform the action in a province, or record that it is skipped."""
    bar = find_bar(story.state, command.seat, space, province)
    if bar is not None:
        if bar.rule.startswith("L-"):
            story.warn(bar.rule, bar.sentence)
        _skip(story, Skipped(command.seat, space, bar.rule, province, bar.key))
    elif space in BUILDS:
        _build(story, command.seat, space, province)
    elif space in (Space.RICE, Space.TAXES):
        _collect(story, command.seat, space, province)
    elif space in BATTLES:
        _battle_or_move(story, province, command)
    else:
        _deploy(story, space, province, command)


def pass_quietly(story: Story) -> bool:
    """Pass for the acting seat, without a tap, if its space holds a chest card or nothing (A-15)."""
    seat, space = acting_seat(story.state), action_now(story.state)
    if seat is None or space is None or story.state.throw is not None:
        return False
    player = story.state.players[seat]
    card = player.plan.get(space)
    is_unknown = player.by_cards and space not in player.shown
    if is_unknown or (card is not None and card not in facts.CHEST_CARDS):
        return False
    if space not in player.shown:
        story.add(CardTurned(seat, space, card))
    _skip(story, Skipped(seat, space, "A-15", key="no_card"))
    return True


def _require_turn(story: Story, seat: Colour) -> Space:
    state = story.state
    story.must(state.throw is None, "B-1", "throw_awaited", "A throw is awaited; settle it first.")
    story.must(
        acting_seat(state) == seat,
        "A-1",
        "not_your_turn",
        "Another player acts now.",
        seat=acting_seat(state) or "",
    )
    space = action_now(state)
    if space is None:
        story.must(False, "T-7", "hidden_action", "Turn up the next action card first.")
        raise AssertionError
    return space


def _skip(story: Story, skipped: Skipped) -> None:
    story.add(skipped)
    end_turn(story)


def _build(story: Story, seat: Colour, space: Space, province: str) -> None:
    calms_revolt = space is Space.THEATRE and effect_of(story.state) == Effect.THEATRE_REMOVES_REVOLT
    unrest = 1 if calms_revolt and story.state.provinces[province].markers else 0
    story.add(Built(seat, province, BUILDS[space], facts.COST[space], unrest))
    end_turn(story)


def _collect(story: Story, seat: Colour, space: Space, province: str) -> None:
    state = story.state
    markers = state.provinces[province].markers
    gain = income(state, seat, space, province)
    if space is Space.RICE:
        room = facts.MOST_RICE - state.players[seat].rice
        if gain > room:
            story.warn("X-9", f"The rice track ends at {facts.MOST_RICE}.")
        story.add(Collected(seat, province, rice=min(gain, max(0, room)), chests=0))
    else:
        if gain > state.bank:
            story.warn("L-5", "The bank pays what it has; the rest is lost.")
        story.add(Collected(seat, province, rice=0, chests=min(gain, max(0, state.bank))))
    if markers:
        player_after = story.state.players[seat]
        gained = (
            player_after.rice - state.players[seat].rice + player_after.chests - state.players[seat].chests
        )
        revolt(story, province, Fight.REVOLT, income=gained, is_rice=space is Space.RICE, of_turn=True)
    else:
        story.add(MarkerAdded(province))
        end_turn(story)


def _deploy(story: Story, space: Space, province: str, command: Act) -> None:
    seat = command.seat
    has_move = space is Space.DEPLOY_1_MOVE and command.armies > 0 and command.to is not None
    if has_move:
        _check_join(story, province, command)
    armies = deployed_armies(story.state, seat, space)
    story.add(Deployed(seat, province, armies, facts.COST[space]))
    if has_move and command.to is not None:
        story.add(Moved(seat, province, command.to, command.armies))
    end_turn(story)


def _check_join(story: Story, province: str, command: Act) -> None:
    """Check the move of Deploy 1: into an adjacent own province, and 1 army stays behind (A-10, A-12)."""
    target = command.to or ""
    _require_adjacent(story, province, target)
    is_own = story.state.provinces[target].owner == command.seat
    story.must(
        is_own,
        "A-10",
        "no_battle",
        "The move of Deploy 1 must end in one of your own provinces; it starts no battle.",
    )
    armies_there = story.state.provinces[province].armies + 1
    story.must(
        command.armies < armies_there,
        "A-12",
        "one_stays",
        "At least 1 army must stay behind.",
        province=province,
    )


def _require_adjacent(story: Story, origin: str, target: str) -> None:
    state = story.state
    story.must(target != origin, "A-13", "not_adjacent", "These provinces do not touch.")
    story.must(
        target in state.provinces, "C-3", "not_in_play", "This province is not in play.", province=target
    )
    story.demand(target in near(state, origin), "A-13", "not_adjacent", "These provinces do not touch.")


def _battle_or_move(story: Story, origin: str, command: Act) -> None:
    state, seat = story.state, command.seat
    if command.to is None or command.armies == 0:
        story.demand(
            not state.house.must_move,
            "A-17",
            "must_move",
            "With 2 armies and a province to enter, at least 1 army has to move.",
        )
        story.add(Stayed(seat))
        end_turn(story)
        return
    _require_adjacent(story, origin, command.to)
    armies_there = state.provinces[origin].armies
    story.must(
        0 < command.armies < armies_there,
        "A-12",
        "one_stays",
        "At least 1 army must stay behind.",
        province=origin,
    )
    if state.provinces[command.to].owner == seat:
        story.add(Moved(seat, origin, command.to, command.armies))
        end_turn(story)
        return
    story.demand(
        not is_protected(state, command.to, seat),
        "A-14",
        "temple",
        "A province with a temple cannot be attacked this round.",
    )
    attack(story, seat, origin, command.to, Strength.of(command))
