"""What a game tells of its past: no seat's secret, winters whose steps add up, memorable battles."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from companion.games.protocol import Json, Step
from companion.games.shogun import commands as c
from companion.games.shogun import events as e
from companion.games.shogun.decide import decide
from companion.games.shogun.state import State
from companion.games.shogun.told import told
from companion.games.shogun.view import view
from companion.games.shogun.winters import winters
from companion.games.shogun.words import BLUE, RED, YELLOW, Building, Phase, Season, Space
from tests.companion.games.shogun import bots
from tests.companion.games.shogun.tables import acting, after, any_plan, do, planning

Steps = list[Step[State, e.Event]]


def steps_of(played: bots.Played) -> Steps:
    """Return the game's commands as steps, each with the state before it."""
    steps: Steps = []
    state: State | None = None
    offset = 0
    for number, command in enumerate([None, *played.commands]):
        events = played.events[offset : offset + 1] if command is None else _events_of(state, command)
        if command is None:
            events = bots.GAME.new(bots.options(_game_number(played)))  # type: ignore[assignment] # a list of events
        steps.append(Step(number + 1, state, events))
        offset += len(events)
        state = played.states[offset - 1]
    assert offset == len(played.events)
    return steps


def _events_of(state: State | None, command: c.Command) -> list[e.Event]:
    assert state is not None
    return decide(state, command)


def _game_number(played: bots.Played) -> int:
    return played.states[0].seed


@pytest.fixture(scope="module", params=range(4))
def past(request: pytest.FixtureRequest) -> tuple[bots.Played, Steps]:
    played = bots.play(request.param)
    return played, steps_of(played)


def test_V1_V2_V3_V4_each_step_of_a_winter_adds_up_to_what_was_scored(
    past: tuple[bots.Played, Steps],
) -> None:
    played, steps = past
    scored = [event for event in played.events if isinstance(event, e.Scored)]
    told_winters = winters(steps)
    assert len(told_winters) == len(scored) == 2
    for winter, event in zip(told_winters, scored, strict=True):
        assert {seat: n for seat, n in _points_by_seat(winter).items() if n} == {
            s: n for s, n in event.gained.items() if n
        }
        assert winter["scoring"]["gained"] == event.gained


def _points_by_seat(winter: Json) -> dict[str, int]:
    sums: dict[str, int] = {}
    for region in winter["scoring"]["regions"]:
        for gain in region["gains"]:
            for seat, points in gain["points"].items():
                sums[seat] = sums.get(seat, 0) + points
    return sums


def test_W2_W3_W4_hunger_is_told_as_it_was(past: tuple[bots.Played, Steps]) -> None:
    played, steps = past
    lost = [event for event in played.events if isinstance(event, e.RiceLost)]
    fought = [event for event in played.events if _is_winter_revolt(event)]
    told_winters = winters(steps)
    for winter, event in zip(told_winters, lost, strict=True):
        assert {entry["seat"]: entry["left"] for entry in winter["provision"]} == event.rice
        assert {
            entry["seat"]: entry["revolts"] for entry in winter["provision"] if entry["revolts"]
        } == event.to_draw
        assert {draw["player"] for draw in winter["draws"]} == set(event.to_draw)
    assert sum(len(winter["revolts"]) for winter in told_winters) == len(fought)
    assert all(revolt["result"] for winter in told_winters for revolt in winter["revolts"])


def _is_winter_revolt(event: e.Event) -> bool:
    return isinstance(event, e.ThrowSettled) and event.throw.fight == "winter_revolt"


def test_points_by_source_and_battles(past: tuple[bots.Played, Steps]) -> None:
    played, steps = past
    chapters = bots.GAME.chapters(steps)
    final = {seat: player.points for seat, player in played.states[-1].players.items()}
    assert {seat: sum(source.values()) for seat, source in chapters["points"].items()} == final
    throws = [event for event in played.events if isinstance(event, e.ThrowSettled)]
    battles = chapters["battles"]
    assert battles["battles"] + battles["revolts"] == len(throws)
    assert battles["largest"]["cubes"] == max(sum(event.thrown.values()) for event in throws)
    json.dumps(chapters)


def test_C6_P7_what_is_told_names_no_card_that_lies_face_down(past: tuple[bots.Played, Steps]) -> None:
    """A face-down card's province may be named as a place, but never together with the card's space."""
    played, _ = past
    for event in played.events:
        assert set(told(event)) <= {"kind", "shown", *_field_names(event), "effect"}
        if isinstance(event, e.CardPlaced):
            assert told(event) == {"kind": "card_placed", "seat": event.seat, "shown": False}
        if isinstance(event, e.RowLaid):
            assert len(told(event)["row"]) == 5
        if isinstance(event, e.TableSet | e.ProvinceTaken | e.OpenSwapped | e.YearLaid):
            assert not {"draft", "seed", "pile", "event_pile"} & set(told(event))


def test_T7_an_action_card_that_the_app_turns_up_counts_as_seen(past: tuple[bots.Played, Steps]) -> None:
    """Who played the real cards looked at the next action, took the own one back alone, and chose another."""
    _, steps = past
    turned_up = 0
    for step in steps[1:]:
        assert step.before is not None
        opened = _open_actions(after(step.before, step.events)) - _open_actions(step.before)
        seen = [told(event) for event in step.events if isinstance(event, e.ActionOpened | e.RowLaid)]
        assert len(opened) == sum(len(fact.get("row", [None])) for fact in seen if fact["shown"]), step.batch
        turned_up += len(opened)
    assert turned_up == 2 * 3 * 10


def _open_actions(state: State) -> set[tuple[int, Season, int, str]]:
    actions = view(state, None)["cards"]["actions"]
    return {(state.year, state.season, place, action) for place, action in enumerate(actions) if action}


def test_C6_which_spaces_are_filled_counts_as_seen_when_the_last_seat_is_ready() -> None:
    """At a table that shuffles its own cards nothing else is turned up by it."""
    state = any_plan(replace(planning(), by_table=True), BLUE)
    assert not any(told(event)["shown"] for event in decide(state, c.Ready(RED, by_cards=True)))
    last = decide(any_plan(state, RED), c.Ready(YELLOW, by_cards=True))
    assert after(any_plan(state, RED), last).phase is Phase.EVENT
    assert any(told(event)["shown"] for event in last)


def test_P7_B17_a_correction_that_takes_a_card_off_a_board_counts_as_seen() -> None:
    """One person alone took each province from a seat, saw which space became empty, and took it back."""
    before = planning()
    acts = acting()
    hidden_card = next(
        card
        for space, card in acts.players[RED].plan.items()
        if card in acts.provinces and space not in acts.players[RED].shown
    )

    def is_seen(state: State, fact: c.Fact, value: Any) -> bool:
        corrected = decide(state, c.Correct(fact, hidden_card, value))[0]
        return bool(told(corrected)["shown"])

    assert is_seen(acts, c.Fact.OWNER, None)
    assert is_seen(acts, c.Fact.OWNER, BLUE)
    assert not is_seen(acts, c.Fact.ARMIES, 7)
    assert not is_seen(do(acts, c.Correct(c.Fact.OWNER, hidden_card, BLUE)), c.Fact.OWNER, RED)
    assert not is_seen(any_plan(before, RED), c.Fact.OWNER, None), "boards are secret until all are ready"


def _field_names(event: Any) -> Iterator[str]:
    return iter(event.__dataclass_fields__)


def test_C6_P6_a_bid_above_the_chests_is_told_like_any_other_until_all_are_turned_up() -> None:
    """The history at once showed that P-6 was overruled, which reveals that the seat bids all it has."""
    state = do(planning(), c.Correct(c.Fact.CHESTS, BLUE, 2))
    above_chests = decide(state, c.Place(BLUE, Space.AUCTION, "chest_4", insist="the table allows it"))
    within_chests = decide(state, c.Place(BLUE, Space.AUCTION, "chest_1"))
    assert [told(event) for event in above_chests] == [told(event) for event in within_chests]


def test_C6_a_corrected_card_or_row_stays_covered() -> None:
    card = e.Corrected(c.Fact.CARD, "blue.taxes", "omi", "put it wrong")
    row = e.Corrected(c.Fact.ROW, "", ("taxes",) * 10, "laid again")
    assert told(card) | {"reason": ""} == {
        "kind": "corrected", "fact": "card", "where": "blue", "value": None, "reason": "", "shown": False,
    }  # fmt: skip
    assert told(row)["value"] is None
    assert "taxes" not in bots.GAME.title(card)


def test_V3_V5_a_region_says_who_has_most_and_where_nobody_does() -> None:
    state = planning()
    for fact, where, value in (
        (c.Fact.OWNER, "omi", "blue"),
        (c.Fact.BUILDINGS, "omi", ("castle",)),
    ):
        state = do(state, c.Correct(fact, where, value))
    winter = _scored_winter(state)
    region = next(r for r in winter["scoring"]["regions"] if "omi" in [p["id"] for p in r["provinces"]])
    castle = next(gain for gain in region["gains"] if gain["kind"] == Building.CASTLE)
    assert (castle["rule"], castle["counts"], castle["points"]) == ("V-3", {"blue": 1}, {"blue": 3})
    temple = next(gain for gain in region["gains"] if gain["kind"] == Building.TEMPLE)
    assert (temple["rule"], temple["points"]) == ("V-5", {})


def test_W1_a_winter_tells_the_card_that_the_table_put_right() -> None:
    """The app thought card 1 (5 rice) was left, but card 10 (3 rice) lies on the table."""
    state = replace(planning(), phase=Phase.ACTIONS, season=Season.AUTUMN, year_events=(1,))
    ended: list[e.Event] = [e.RoundEnded(Season.WINTER), e.PhaseBegun(Phase.WINTER)]
    winter = after(state, ended)
    corrected = decide(winter, c.Correct(c.Fact.EVENT, "", 10))
    lost = decide(after(winter, corrected), c.LoseRice())
    for past in (
        [Step(2, winter, corrected)],
        [Step(2, winter, corrected), Step(3, after(winter, corrected), lost)],
    ):
        told_card = winters([Step(1, state, ended), *past])[0]["card"]
        assert told_card == {"id": 10, "effect": "rice_min", "rice_loss": 3}


def _scored_winter(state: State) -> Json:
    """Return a winter, scored, in which nobody lacks rice."""
    rich = {seat: replace(player, rice=18) for seat, player in state.players.items()}
    state = replace(state, phase=Phase.ACTIONS, season=Season.AUTUMN, players=rich, event=None)
    ended: list[e.Event] = [e.RoundEnded(Season.WINTER), e.PhaseBegun(Phase.WINTER)]
    winter = after(state, ended)
    fed = do(winter, c.LoseRice())
    past = [Step(1, state, ended), Step(2, winter, decide(winter, c.LoseRice()))]
    return winters([*past, Step(3, fed, decide(fed, c.Score()))])[0]


def test_a_game_without_a_winter_tells_of_none() -> None:
    assert winters([]) == []
    assert winters([Step(1, None, list(bots.GAME.new(bots.options(1))))]) == []
