"""What the interface answers of the tower's statistics, and of what is kept of a game."""

from typing import Any

from pydantic import Field

from companion.web.openapi.answers import Answer


class ColourTold(Answer):
    """One colour of the tower; `expected` and `spread` (a standard deviation) go with `known_out`."""

    colour: str
    went_in: int
    came_out: int
    known_out: int
    expected: float
    spread: float


class Kept(Answer):
    """In how many throws the tower kept so many cubes more than it gave; `expected` goes with `known`."""

    cubes: int
    throws: int
    known: int
    expected: float


class Rates(Answer):
    """Chances to come out: of a cube thrown now, of one that was stuck."""

    fresh: float
    stuck: float


class Fit(Answer):
    """A tower's own rates, each with one standard deviation."""

    rates: Rates
    fresh_sd: float
    stuck_sd: float
    throws: int


class TowerStatistics(Answer):
    """Figures of a tower; of `throws`, `numbered` tell how many cubes and `coloured` which."""

    of: str
    tables: int
    throws: int
    undone: int
    numbered: int
    coloured: int
    known: int = Field(description="Of `coloured`, how many of which is known what was inside before.")
    colours: list[ColourTold]
    kept: list[Kept]
    inside: list[dict[str, int]]
    odds: Rates
    fit: Fit | None
    fewest: int = Field(description="How many `known` throws `fit` needs; with fewer it is null.")
    battles: dict[str, Any]
    upsets: list[dict[str, Any]]
    read: dict[str, int]


class Keepsake(Answer):
    """A game to take home: its end, its course, its throws."""

    table: str
    game: dict[str, Any] | None
    moments: list[dict[str, Any]]
    chapters: dict[str, Any]
    history: list[dict[str, Any]]
    throws: list[dict[str, Any]]


class ThrowLog(Answer):
    """Rows as of `tenshu log export`, oldest first."""

    throws: list[dict[str, Any]]
