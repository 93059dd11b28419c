"""What a device may send, checked at the border."""

import unicodedata
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from companion.games.registry import games
from companion.table.errors import Outdated

COLOURS = frozenset(colour for game in games().values() for colour in game.colours)
NOBODY = "someone"
_UNSEEN = frozenset("\u00ad\u061c\u200b\u200e\u200f\u2060\ufeff") | set(
    map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
)
"""Without width, or they turn around what stands beside a name. Not the joiners: emoji are made of them."""
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | set(map(chr, range(0xFE00, 0xFE10)))
"""Letters and marks to Unicode that are drawn as nothing: no name is made of them alone."""


def readable(name: str) -> str:
    """A name as it may stand in sentences and terminals; `NOBODY` where nothing of it can be seen."""
    seen = "".join(one for one in name if one not in _UNSEEN and unicodedata.category(one) != "Cc").strip()
    return seen if any(one.isprintable() and one not in _BLANK | {" "} for one in seen) else NOBODY


Author = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=24), AfterValidator(readable)
]
Number = Annotated[int, Field(ge=0, le=999, strict=True)]
Colour = Annotated[str, StringConstraints(max_length=20)]
Count = Annotated[dict[Colour, Number], Field(max_length=len(COLOURS))]


PAGE_AT_MOST = 500
"""Commands of the past; pages know it too (`history.js`, `throws.js`)."""


class Pages(BaseModel):
    """How much of the past is wanted; all of it where nothing is said."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    last: Annotated[int, Field(ge=1, le=PAGE_AT_MOST)] | None = None
    """So many of the newest."""
    before: Annotated[int, Field(ge=1)] | None = None
    """Of those before this command."""


class Request(BaseModel):
    """What every command carries: who asks, and which table they looked at."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    author: Author = NOBODY
    expected: Annotated[int, Field(ge=0, strict=True)]
    table: Annotated[str, StringConstraints(max_length=40)] | None = None
    """The table that the device looked at; after a switch its number means nothing."""


def meant_here(body: Request, table: str) -> None:
    """Raises `Outdated` when the device looked at another table than is played now."""
    if body.table not in (None, table):
        raise Outdated


class GameCommand(Request):
    """A command of the game."""

    command: Annotated[dict[str, Any], Field(max_length=12)]


class Settle(Request):
    """What lies in the tray, says a person."""

    counts: Count
    look: int | None = None
    insist: bool = False


class Preview(Request):
    """What would these counts decide? With `batch`, were that throw put right by them."""

    counts: Count
    batch: int | None = None


class Hold(Request):
    """Stop the countdown of this look."""

    look: int


class Correct(Request):
    """Overrule a throw."""

    batch: int
    counts: Count
    reason: Annotated[str, StringConstraints(max_length=200)] = ""


class Undo(Request):
    """Take back; `agreed`: everybody at the table wants it."""

    batch: int
    reason: Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)] = ""
    agreed: bool = False


class Answer(Request):
    """A seat's word on an undo that was put to the table: that of `batch`, as the poll says."""

    batch: int = Field(ge=1)
    yes: bool
