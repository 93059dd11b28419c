"""Whether everything that pages ask of a table can be computed: a file from elsewhere must allow it."""

from collections.abc import Sequence

from companion.games.protocol import Seat
from companion.store.events import StoredEvent
from companion.table.past.chronicle import chronicle
from companion.table.past.history import NOT_THE_GAMES, AnyGame, Json, fold
from companion.table.past.timeline import Timeline

_MOST_MARKERS = 999
"""The most that a correction may say."""


def check_tellable(game: AnyGame, events: Sequence[StoredEvent]) -> None:
    """Compute the present as each seat sees it, and the whole past: events may each be known to the game and
    still lead where no game ever was. Raises ValueError, and anything that breaks on the way."""
    if any(event.kind not in NOT_THE_GAMES and event.kind != event.body.get("kind") for event in events):
        raise ValueError("an event of two kinds")
    timeline = Timeline(game)
    timeline.moments(events)
    timeline.chapters(events)
    chronicle(game, events, timeline)
    state = fold(game, events)
    game.throw_plan(state)
    board = game.view(state, None)
    _check_board(game, board)
    for seat in map(Seat, board.get("seats", ())):
        game.view(state, seat)
        game.legal(state, seat)
    game.legal(state, None)


def _check_board(game: AnyGame, board: Json) -> None:
    """Check what is drawn: whoever has a province has a colour, and markers in it are drawn one by one."""
    seats = board.get("seats", ())
    if not set(seats) <= set(game.colours):
        raise ValueError("a seat of no colour")
    for province in board.get("provinces", ()):
        if province["owner"] not in (None, *seats) or province["markers"] > _MOST_MARKERS:
            raise ValueError("a province as no board has it")
