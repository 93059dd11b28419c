"""Request bodies and queries that a device may send, validated on arrival."""

import unicodedata
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from companion.games.registry import games
from companion.table.errors import Outdated

COLOURS = frozenset(colour for game in games().values() for colour in game.colours)
NOBODY = "someone"
_INVISIBLE = frozenset("\u00ad\u061c\u200b\u200e\u200f\u2060\ufeff") | set(
    map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
)
"""Zero-width and bidirectional control characters; not the joiners, since emoji are made with them."""
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | set(map(chr, range(0xFE00, 0xFE10)))
"""Letters and marks in Unicode that are drawn as nothing; a name may not consist of them alone."""


def readable_name(name: str) -> str:
    """Return the name made safe for sentences and terminals; `NOBODY` if nothing of it is visible."""
    visible = "".join(
        char for char in name if char not in _INVISIBLE and unicodedata.category(char) != "Cc"
    ).strip()
    return visible if any(char.isprintable() and char not in _BLANK | {" "} for char in visible) else NOBODY


Author = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=24), AfterValidator(readable_name)
]
Number = Annotated[int, Field(ge=0, le=999, strict=True)]
Colour = Annotated[str, StringConstraints(max_length=20)]
Count = Annotated[dict[Colour, Number], Field(max_length=len(COLOURS))]


PAGE_AT_MOST = 500
"""Entries per page of the past; `pastloader.js` uses the same number."""


class Pages(BaseModel):
    """Which part of the past to return; without parameters all of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    last: Annotated[int, Field(ge=1, le=PAGE_AT_MOST)] | None = None
    """Number of newest entries to return."""
    before: Annotated[int, Field(ge=1)] | None = None
    """Only entries before this command."""


class Request(BaseModel):
    """Fields of every command: who sends it, and which view of the table they had."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    author: Author = NOBODY
    expected: Annotated[int, Field(ge=0, strict=True)]
    table: Annotated[str, StringConstraints(max_length=40)] | None = None
    """The table that the device was showing; `expected` means nothing at another table."""


def check_table(body: Request, table: str) -> None:
    """Raise `Outdated` if the device was showing a table other than the current one."""
    if body.table not in (None, table):
        raise Outdated


class GameCommand(Request):
    """A command of the game."""

    command: Annotated[dict[str, Any], Field(max_length=12)]


class Settle(Request):
    """The contents of the tray as counted by a person."""

    counts: Count
    look: int | None = None
    insist: bool = False


class Preview(Request):
    """Counts whose outcome is to be previewed; with `batch`, as a correction of that throw."""

    counts: Count
    batch: int | None = None


class Hold(Request):
    """The look whose countdown is to stop."""

    look: int


class Correct(Request):
    """Corrected counts for a throw."""

    batch: int
    counts: Count
    reason: Annotated[str, StringConstraints(max_length=200)] = ""


class Undo(Request):
    """The command to take back; `agreed`: everybody at the table wants it."""

    batch: int
    reason: Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)] = ""
    agreed: bool = False


class Answer(Request):
    """A seat's vote on a proposed undo; `batch` is the one named in the poll."""

    batch: int = Field(ge=1)
    yes: bool
