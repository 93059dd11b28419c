"""Turn a state and a command into events, or into a refusal that names the rule."""

from collections.abc import Callable
from typing import Any

from companion.games.shogun import commands as c
from companion.games.shogun.deciding import (
    actions,
    auction,
    correcting,
    draft,
    fighting,
    laying,
    planning,
    winter,
)
from companion.games.shogun.deciding.story import Story
from companion.games.shogun.events import Event, TowerKnocked
from companion.games.shogun.flow import go_on
from companion.games.shogun.state import State


def decide(state: State, command: c.Command) -> list[Event]:
    """Return all events that follow, up to the point where somebody has to act again. Raise `Refused`."""
    story = _carry_out(state, command)
    go_on(story)
    return story.events


def decide_alone(state: State, command: c.Command) -> list[Event]:
    """Return the command's own events, without the automatic ones that follow. Raise `Refused`."""
    return _carry_out(state, command).events


def _carry_out(state: State, command: c.Command) -> Story:
    story = Story(state, getattr(command, "insist", ""))
    _HANDLERS[type(command)](story, command)
    return story


def _knock(story: Story, command: c.Knock) -> None:
    story.add(TowerKnocked())


def _lay(story: Story, command: c.Lay) -> None:
    fighting.refuse_during_throw(story)  # here, since the app's own steps may lay cards during a throw
    laying.lay(story, command)


def _reveal(story: Story, command: c.Reveal) -> None:
    fighting.refuse_during_throw(story)  # as with `_lay`
    auction.reveal(story, command)


def _call_off(story: Story, command: c.CallOff) -> None:
    fighting.call_off(story)


def _lose_rice(story: Story, command: c.LoseRice) -> None:
    winter.lose_rice(story)


def _score(story: Story, command: c.Score) -> None:
    winter.count_points(story)


_HANDLERS: dict[type, Callable[[Story, Any], None]] = {
    c.Take: draft.take,
    c.Swap: draft.swap,
    c.Lay: _lay,
    c.OpenAction: laying.open_action,
    c.Place: planning.place,
    c.Ready: planning.ready,
    c.Reveal: _reveal,
    c.Choose: auction.choose,
    c.TurnUp: actions.turn_up,
    c.Act: actions.act,
    c.Defend: fighting.defend,
    c.Declare: fighting.declare,
    c.DeclareRevolt: fighting.declare_revolt,
    c.CallOff: _call_off,
    c.Settle: fighting.settle,
    c.Accident: correcting.accident,
    c.EmptyTower: correcting.empty_tower,
    c.Knock: _knock,
    c.CountTower: correcting.count_tower,
    c.LoseRice: _lose_rice,
    c.DrawRevolts: winter.draw_revolts,
    c.FightRevolt: winter.fight_revolt,
    c.Score: _score,
    c.Correct: correcting.correct,
}
