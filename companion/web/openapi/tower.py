"""Models of the API's answers about the tower's statistics and the keepsake of a game."""

from typing import Any

from pydantic import Field

from companion.web.openapi.answers import Answer


class ColourTold(Answer):
    """One colour in the tower; `expected` and `spread` (standard deviation) correspond to `known_out`."""

    colour: str
    went_in: int
    came_out: int
    known_out: int
    expected: float
    spread: float


class Kept(Answer):
    """Number of throws after which the tower held `cubes` more; `expected` corresponds to `known`."""

    cubes: int
    throws: int
    known: int
    expected: float


class Rates(Answer):
    """Probability of coming out, for a cube thrown now and for one that was stuck."""

    fresh: float
    stuck: float


class Fit(Answer):
    """Rates fitted to a tower, each with one standard deviation."""

    rates: Rates
    fresh_sd: float
    stuck_sd: float
    throws: int


class TowerStatistics(Answer):
    """Statistics of a tower; of `throws`, `numbered` tell the number of cubes and `coloured` the colours."""

    of: str
    tables: int
    throws: int
    undone: int
    numbered: int
    coloured: int
    known: int = Field(description="How many of `coloured` have a known tower content before the throw.")
    colours: list[ColourTold]
    kept: list[Kept]
    inside: list[dict[str, int]]
    odds: Rates
    fit: Fit | None
    fewest: int = Field(description="How many `known` throws `fit` requires; with fewer it is null.")
    battles: dict[str, Any]
    upsets: list[dict[str, Any]]
    read: dict[str, int]


class Keepsake(Answer):
    """The public data of a game: its end, its course, its throws."""

    table: str
    game: dict[str, Any] | None
    moments: list[dict[str, Any]]
    chapters: dict[str, Any]
    history: list[dict[str, Any]]
    throws: list[dict[str, Any]]


class ThrowLog(Answer):
    """Rows as from `tenshu log export`, oldest first."""

    throws: list[dict[str, Any]]
