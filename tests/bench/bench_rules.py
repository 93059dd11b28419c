"""Shogun's rules: replay of a whole game and legal commands of its states, against a plain deep copy."""

from copy import deepcopy
from statistics import median
from time import perf_counter

from companion.games.shogun.legal import legal
from companion.games.shogun.state import State
from companion.games.shogun.view import view
from companion.store.events import StoredEvent
from companion.table.past.history import History, entries
from tests.bench.rows import Row, milliseconds
from tests.companion.games.shogun.bots import GAME, Played, play

_BENCH = "rules"
_BASELINE = "deepcopy of the state"
_GAMES = (2, 5, 11)
"""Five players, moon and sun side, drafted and predetermined: the longest games."""


def run() -> list[Row]:
    """Time replay of stored and of decoded events, listing of commands, a view, and the history."""
    games = [play(number) for number in _GAMES]
    longest = max(games, key=lambda played: len(played.events))
    middle = longest.states[len(longest.states) // 2]
    copy_ms = milliseconds(lambda: deepcopy(middle))
    slow_ms, slowest = _slowest_state(games)
    listing = median(_listing_ms(state) for state in longest.states[::10])
    stored = [GAME.encode_event(event) for event in longest.events]
    past = [StoredEvent("bench", n, n, str(body["kind"]), "", 0, body) for n, body in enumerate(stored, 1)]
    history = History(GAME)
    figures = (
        (f"replay of {len(stored)} events", milliseconds(lambda: _replay(longest))),
        (
            f"decode and replay of {len(stored)} stored events",
            milliseconds(lambda: [GAME.decode_event(b) for b in stored])
            + milliseconds(lambda: _replay(longest)),
        ),
        ("legal commands of all seats, median state", listing),
        (f"legal commands of all seats, slowest state ({slowest.phase})", slow_ms),
        ("view of a seat", milliseconds(lambda: view(middle, middle.seats[0]))),
        ("history of all events, as a table keeps it", milliseconds(lambda: history.entries(past))),
        ("history of all events, worked out anew", milliseconds(lambda: entries(GAME, past))),
    )
    rows = [Row(_BENCH, _BASELINE, f"{copy_ms:.2f} ms", None)]
    return rows + [
        Row(_BENCH, what, f"{spent:.2f} ms", spent / copy_ms, _BASELINE) for what, spent in figures
    ]


def _replay(played: Played) -> State:
    state: State | None = None
    for event in played.events:
        state = GAME.evolve(state, event)
    assert state == played.states[-1]
    return state


def _listing_ms(state: State) -> float:
    start = perf_counter()
    for seat in (*state.seats, None):
        legal(state, seat)
    return (perf_counter() - start) * 1000


def _slowest_state(games: list[Played]) -> tuple[float, State]:
    """Return the slowest state and its time, each state timed as the best of three."""
    timed = (
        (min(_listing_ms(state) for _ in range(3)), at, state)
        for at, state in enumerate(state for played in games for state in played.states[::5])
    )
    spent, _, state = max(timed, key=lambda item: item[:2])
    return spent, state
