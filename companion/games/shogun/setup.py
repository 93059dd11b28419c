"""Setting up a table: draft, predetermined start, a board as it stands, or a free table (section S)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from companion.games.chance import shuffled
from companion.games.codec import from_json
from companion.games.protocol import Colour, Json, Refused
from companion.games.shogun import facts
from companion.games.shogun.check import find_faults
from companion.games.shogun.deciding.story import Story
from companion.games.shogun.events import Event, TableSet
from companion.games.shogun.evolving.table import table_set
from companion.games.shogun.flow import go_on
from companion.games.shogun.state import Draft, House, Player, Province
from companion.games.shogun.words import PLAYERS, Phase, Season, Side
from companion.tower.piles import Pile


class Start(StrEnum):
    """How a table begins."""

    DRAFT = "draft"
    PREDETERMINED = "predetermined"
    BOARD = "board"
    """A game taken up in the middle, as it stands."""
    FREE = "free"
    """No rounds: any battle at any time."""


_OPEN_EVENTS = {Season.SPRING: (0, 4), Season.SUMMER: (3,), Season.AUTUMN: (2,), Season.WINTER: (1,)}
"""Possible numbers of open event cards at the start of a round (T-5, W-1); 0 in spring: not yet laid."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What a player holds when a game is taken up in the middle."""

    chests: int = 0
    rice: int = 0
    points: int = 0


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a new table; JSON uses these names."""

    players: tuple[Colour, ...]
    """Colours in clockwise order."""
    side: Side = Side.SUN
    start: Start = Start.PREDETERMINED
    oldest: Colour | None = None
    """The player who begins the draft (S-4); None: the first of `players`."""
    columns: Mapping[Colour, str] | None = None
    """Each player's column of the predetermined start; None: in the order of `players` (S-6)."""
    seed: int = 0
    """Fresh and secret: it determines everything the app shuffles."""
    by_table: bool = False
    """The table shuffles and deals its own cards."""
    open: tuple[str, ...] = ()
    """With `by_table`: the two open cards of the draft."""
    house: House = field(default_factory=House)
    provinces: Mapping[str, Province] = field(default_factory=dict)
    standing: Mapping[Colour, Standing] = field(default_factory=dict)
    tower: Pile = field(default_factory=dict)
    tray: Pile = field(default_factory=dict)
    year: int = 1
    season: Season = Season.SPRING
    year_events: tuple[int, ...] = ()
    """Event cards still open this year; in winter the one that determines the rice loss."""
    spent_events: tuple[int, ...] = ()
    """Event cards that have already left the game."""
    order: tuple[Colour, ...] = ()
    """In winter: autumn's turn order."""


_PLAYED = (
    "provinces",
    "standing",
    "tower",
    "tray",
    "year",
    "season",
    "year_events",
    "spent_events",
    "order",
)
"""Options that describe what was played before; only a board as it stands and a free table have them."""


def new(body: Json) -> list[Event]:
    """Return the first events of a table. Raise `Refused`."""
    try:
        options = from_json(Options, body)
    except ValueError as error:
        raise Refused("S-2", "bad_options", str(error)) from None
    _check_options(options)
    story = _begin_story(_build_table(options))
    go_on(story)
    return story.events


def _begin_story(event: TableSet) -> Story:
    story = Story(table_set(event))
    story.events.append(event)
    return story


def _require(condition: bool, rule: str, key: str, sentence: str) -> None:
    if not condition:
        raise Refused(rule, key, sentence)


def _check_options(options: Options) -> None:
    seats = options.players
    fewest = 2 if options.start is Start.FREE else 3
    _require(fewest <= len(seats) <= 5, "C-1", "bad_number", "Shogun is for 3 to 5 players.")
    _require(len(set(seats)) == len(seats), "S-2", "same_colour", "Each player needs a different colour.")
    _require(set(seats) <= set(PLAYERS), "C-1", "bad_colour", f"Colours are {', '.join(PLAYERS)}.")
    _require(
        options.oldest in (None, *seats), "S-4", "bad_oldest", "The oldest player must be one of the players."
    )
    playing = set(facts.in_play(options.side, len(seats)))
    _require(set(options.provinces) <= playing, "C-3", "not_in_play", "A province named here is not in play.")
    owners = {province.owner for province in options.provinces.values()}
    _require(owners <= {None, *seats}, "X-2", "bad_owner", "A province is owned by a player or by nobody.")
    _require(set(options.standing) <= set(seats), "C-1", "no_such_player", "Nobody plays this colour here.")
    _require(options.year in (1, 2), "T-1", "bad_year", "A game has two years.")
    armies = options.house.six_armies_under_deploy_event
    no_such_rule = "There is no such house rule, or it has no such setting."
    _require(armies in facts.SIX_UNDER_EVENT, "R-5", "cannot_no_such_house", no_such_rule)
    _check_events(options)
    is_ordered = set(options.order) <= set(seats) and len(set(options.order)) == len(options.order)
    _require(is_ordered, "O-4", "bad_order", "The order must name players only, each once.")
    are_points_valid = all(
        0 <= standing.points <= facts.MOST_OF_ANYTHING for standing in options.standing.values()
    )
    _require(are_points_valid, "C-9", "cannot_number_from_0", "Enter a number from 0 to 999.")
    if options.start in (Start.DRAFT, Start.PREDETERMINED):
        _check_unplayed(options)
    if options.start is Start.PREDETERMINED:
        _check_columns(options)
    if options.start is Start.DRAFT and options.by_table:
        _require(set(options.open) <= playing, "C-3", "not_in_play", "A province named here is not in play.")
        _require(len(set(options.open)) == 2, "S-4", "two_open", "Say which two province cards are open.")


def _check_events(options: Options) -> None:
    cards = (*options.year_events, *options.spent_events)
    is_valid = set(cards) <= set(facts.EVENTS) and len(set(cards)) == len(cards)
    _require(is_valid, "S-10", "bad_event", "Event cards are 1 to 12, each once.")
    if options.start is Start.BOARD:
        sentence = (
            "Four event cards are open in spring, or none yet; three in summer, two in autumn, one in winter."
        )
        _require(len(options.year_events) in _OPEN_EVENTS[options.season], "T-5", "open_events", sentence)


def _check_unplayed(options: Options) -> None:
    blank = Options(options.players)
    played = [name for name in _PLAYED if getattr(options, name) != getattr(blank, name)]
    sentence = (
        f"A draft or predetermined start begins in the first spring: leave out {', '.join(played)}, "
        "or set start to board."
    )
    _require(not played, "T-1", "begins_unplayed", sentence)


def _check_columns(options: Options) -> None:
    _require(options.side is Side.SUN, "S-6", "sun_only", "The predetermined start is for the sun side.")
    if options.columns is not None:
        letters = set(facts.COLUMNS[len(options.players)])
        is_valid = set(options.columns) == set(options.players) and set(options.columns.values()) == letters
        _require(is_valid, "S-6", "bad_columns", "Each player needs a different column of the table.")


def _build_table(options: Options) -> TableSet:
    seats = options.players
    playing = facts.in_play(options.side, len(seats))
    provinces: dict[str, Province] = dict.fromkeys(playing, Province())
    provinces.update(options.provinces)
    if options.start is Start.PREDETERMINED:
        for seat, column in _columns_by_seat(options).items():
            for key, armies in facts.COLUMNS[len(seats)][column].items():
                provinces[key] = Province(seat, armies)
    event = TableSet(
        side=options.side,
        seats=seats,
        house=options.house,
        phase=_first_phase(options),
        provinces=provinces,
        players=_starting_players(options),
        tower=options.tower,
        tray=options.tray,
        seed=options.seed,
        by_table=options.by_table,
        year=options.year,
        season=options.season,
        draft=_new_draft(options, playing) if options.start is Start.DRAFT else None,
        year_events=options.year_events,
        event_pile=None if options.by_table else _shuffled_events(options),
        order=options.order,
        spent_events=options.spent_events,
    )
    _require_possible(event)
    return event


def _require_possible(event: TableSet) -> None:
    for fault in find_faults(table_set(event)):
        if not (fault.rule == "X-7" and event.phase is Phase.FREE):
            raise Refused(fault.rule, fault.key, fault.sentence, province=fault.province)


def _first_phase(options: Options) -> Phase:
    match options.start:
        case Start.DRAFT:
            return Phase.DRAFT
        case Start.PREDETERMINED:
            return Phase.FILL
        case Start.FREE:
            return Phase.FREE
        case Start.BOARD:
            if options.season is Season.WINTER:
                return Phase.WINTER
            return Phase.ROW if options.year_events else Phase.YEAR


def _starting_players(options: Options) -> dict[Colour, Player]:
    if options.start in (Start.BOARD, Start.FREE):
        empty = Standing()
        standings = {seat: options.standing.get(seat, empty) for seat in options.players}
        return {seat: Player(s.chests, s.rice, s.points) for seat, s in standings.items()}
    chests = facts.START_CHESTS[len(options.players)]
    return {seat: Player(chests=chests) for seat in options.players}


def _columns_by_seat(options: Options) -> Mapping[Colour, str]:
    if options.columns is not None:
        return options.columns
    return dict(zip(options.players, facts.COLUMNS[len(options.players)], strict=True))


def _shuffled_events(options: Options) -> tuple[int, ...]:
    known = {*options.year_events, *options.spent_events}
    face_down = [card for card in facts.EVENTS if card not in known]
    return shuffled(face_down, options.seed, -1)


def _new_draft(options: Options, playing: tuple[str, ...]) -> Draft:
    groups = dict.fromkeys(options.players, facts.START_GROUPS[len(options.players)])
    first = options.oldest or options.players[0]
    if options.by_table:
        return Draft(first, options.open, None, groups)
    pile = shuffled(playing, options.seed, -2)
    return Draft(first, pile[:2], pile[2:], groups)
