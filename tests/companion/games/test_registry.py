"""Games are found, and every game keeps the same promises.

`tests/companion/table/test_every_game.py` plays them at a table.
"""

import random
from pkgutil import iter_modules
from typing import Any

import pytest

import companion.games
from companion.games.protocol import Json, Refused
from companion.games.registry import find, games
from companion.store.events import StoredEvent
from companion.table.files.tables import game_of
from companion.table.past.history import encode_events

OPTIONS: dict[str, Json] = {
    "shogun": {"players": ["blue", "red", "yellow"], "seed": 5},
    "just_the_tower": {"box": {"red": 20, "white": 9}, "tower": {"red": 3}},
}

SHOGUNS = {"cubes", "provinces", "seats", "season", "year", "throw", "last"}
COUNTERS = {"awaited", "colours", "box", "shown", "inside", "supply", "tower", "tray", "staged"}


def test_an_unknown_game_is_refused_in_one_sentence() -> None:
    with pytest.raises(Refused, match="There is no game 'chess'"):
        find("chess")


def test_every_game_has_options_here() -> None:
    """Without options, none of the tests below would play it."""
    assert set(OPTIONS) == set(games())


def test_a_game_is_called_as_its_folder_is() -> None:
    """If two games had the same name, as in a copied folder, one could not be found."""
    folders = {module.name for module in iter_modules(companion.games.__path__) if module.ispkg}
    assert set(games()) == folders


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_a_table_of_every_game_is_known_for_its_own_by_its_first_event(name: str) -> None:
    """A game begun as a copy of another opened that one's tables, or its own went on as the other's."""
    events = encode_events(games()[name], games()[name].new(OPTIONS[name]))
    stored = StoredEvent("friday", 1, 1, events[0].kind, "anna", 0, events[0].body)
    assert [other for other in games() if _understands(other, stored.body)] == [name]
    assert game_of([stored]) is games()[name]


def _understands(name: str, body: Json) -> bool:
    try:
        games()[name].decode_event(body)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_the_page_of_the_battle_can_draw_every_game(name: str) -> None:
    """The page knows two shapes of a view (`modelOf` in model.js) and would draw nothing for a third."""
    game = games()[name]
    state: Any = None
    for event in game.new(OPTIONS[name]):
        state = game.evolve(state, event)
    view = game.view(state, None)
    drawn = SHOGUNS if "cubes" in view else COUNTERS
    assert drawn <= set(view)
    if drawn is COUNTERS:
        for kind in ("throw", "take_out"):
            assert game.decode_command({"kind": kind, "cubes": {}})


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_every_game_is_played_saved_and_played_again(name: str) -> None:
    """With random commands, replaying the events through JSON gives the live state."""
    game: Any = games()[name]
    chance = random.Random(name)
    events = list(game.new(OPTIONS[name]))
    state: Any = None
    for event in events:
        state = game.evolve(state, event)
    for _ in range(150):
        plan = game.throw_plan(state)
        if plan is not None and chance.random() < 0.9:
            tray = {colour: chance.randint(0, most) for colour, most in plan.possible.items()}
            command = game.decode_command({"kind": "settle", "tray": tray})
        else:
            seats = [*game.view(state, None).get("seats", []), None]
            offered = [command for seat in seats for command in game.legal(state, seat)]
            if not offered:
                break
            command = chance.choice(offered)
        decoded = game.decode_command(game.encode_command(command))
        assert decoded == command
        for event in game.decide(state, decoded):
            assert game.title(event)
            events.append(event)
            state = game.evolve(state, event)
    replayed: Any = None
    for event in events:
        replayed = game.evolve(replayed, game.decode_event(game.encode_event(event)))
    assert replayed == state


@pytest.mark.parametrize("name", sorted(OPTIONS))
@pytest.mark.parametrize("body", [{}, {"kind": "nothing"}, {"kind": 3}, {"kind": "settle", "tray": 3}, []])
def test_what_is_no_command_or_event_is_a_sentence(name: str, body: Json) -> None:
    game = games()[name]
    for decode in (game.decode_command, game.decode_event):
        with pytest.raises(ValueError, match=r"\w"):
            decode(body)


@pytest.mark.parametrize("name", sorted(OPTIONS))
@pytest.mark.parametrize(
    "options", [{"no": 1}, {"players": "blue"}, {"box": {}}, {"box": {"red": -1}}, {"players": []}]
)
def test_options_that_cannot_be_played_are_refused(name: str, options: Json) -> None:
    """Not those without any: so the host's page begins a game of which it knows no options."""
    with pytest.raises(Refused):
        games()[name].new(options)
