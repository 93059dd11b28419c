"""Models of the API's answers, for its description: the keys that are guaranteed."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

Counts = dict[str, int]
"""Number of cubes by colour."""


class Answer(BaseModel):
    """An answer. Within version 1 keys may be added, but none is removed and none changes its meaning."""

    model_config = ConfigDict(extra="allow")


class Refusal(Answer):
    """The reason for a refusal."""

    key: str = Field(description="Stable key for translation.")
    sentence: str = Field(description="The reason in English.")
    params: dict[str, Any]
    rule: str = Field(description="The rule that forbids it; empty if none does.")
    overrulable: bool = Field(
        description="Whether the command is accepted if repeated with a reason in `insist`.",
    )


class Refused(Answer):
    """A refusal: nothing was changed. If the table has changed meanwhile, its current view is included."""

    error: Refusal
    table: dict[str, Any] | None = None


class Doubt(Answer):
    """A reason why a person has to look."""

    key: str
    sentence: str
    remedy: str


class Choice(Answer):
    """A possible content of a place."""

    colour: str | None = Field(description="The cube's colour; null for no cube.")
    probability: float


class OpenPlace(Answer):
    """A place where a person should look."""

    centre: list[float]
    edge: float = Field(description="Edge of a cube there, in pixels.")
    under: bool = Field(description="Whether the question is what lies under the visible cube.")
    counted: str | None = Field(description="The colour counted for this place; null for no cube.")
    answers: list[Choice]


class Reading(Answer):
    """What was detected in a picture; positions in pixels."""

    counts: Counts
    certain: bool
    doubts: list[Doubt]
    cubes: list[dict[str, Any]]
    open: list[OpenPlace] = Field(
        description="Doubtful places, least certain first; empty if nobody needs to look."
    )
    tray: list[list[float]]
    size: list[int]
    mat_seen: bool


class Look(Reading):
    """A reading that waits to be accepted by the countdown or by a person."""

    number: int
    picture: str
    confidence: dict[str, float]
    read_ms: float
    since_rest_ms: int


class CameraHealth(Answer):
    """Health of the camera; `sentence` is empty if all is well."""

    name: str
    sentence: str
    remedy: str
    key: str = Field(description="Key for translating the sentence; empty if there is none.")
    light: str = Field(
        description="Exposure, white balance: `settling`, `locked`, `partly`, `free`, `elsewhere` or empty."
    )
    file: str = Field(description="The picture of a folder that the trouble is about; otherwise empty.")


class Health(Answer):
    """Health of the devices that watch the tray."""

    camera: CameraHealth
    sensor: dict[str, Any]


class Entry(Answer):
    """One past command."""

    batch: int = Field(description="Number of the command, as used in `undo`, `correct` and `moments`.")
    kind: str
    title: str
    author: str
    ts_ms: int
    undone: bool
    throw: bool
    evidence: str | None


class TableEntry(Entry):
    """A past command as in the view of the table."""

    body: dict[str, Any] = Field(description="Its content if it is public; otherwise empty.")


class ToldEntry(Entry):
    """A past command as in the history: all its effects, and its place in the game."""

    told: list[dict[str, Any]]
    shown: bool = Field(
        description="Whether everybody has seen some of it, so that the table must agree to an undo."
    )
    reason: str
    year: int | None
    season: str | None
    phase: str | None


class Weight(Answer):
    """What the load cell tells about the tray."""

    cubes: int
    sure: float
    spread: float
    mass_mg: int
    steps: int
    whole: bool


class Late(Answer):
    """A cube that fell after its throw was accepted."""

    look: Look | None = Field(description="The new reading; null if only the load cell noticed.")
    lies: int = Field(description="How many cubes lie in the tray now.")
    counted: dict[str, int] = Field(description="The accepted counts.")
    counts: dict[str, int] = Field(description="The counts to which the throw would be corrected.")


class Table(Answer):
    """The public view of the table."""

    start: str = Field(description="Id of this start of Tenshu; `rev` is comparable only within one start.")
    rev: int = Field(description="Revision, which rises with every change.")
    expected: int = Field(description="The last event in this view; to be sent with a command.")
    table: str
    tower_shown: str
    phase: str = Field(
        json_schema_extra={"enum": ["idle", "waiting", "falling", "unseen", "countdown", "asking"]}
    )
    left_ms: int | None
    countdown_ms: int
    weight: Weight | None
    look: Look | None
    late: Late | None = Field(description="More cubes lie in the tray than were counted.")
    health: Health
    notice: dict[str, Any] | None
    poll: dict[str, Any] | None
    game: dict[str, Any] | None = Field(description="docs/rules/game-api.md")
    undo: dict[str, Any] | None
    history: list[TableEntry]


class WholeTable(Table):
    """The public view with what pages need in addition; answered by `GET table` and sent in events."""

    asks: int = Field(description="Number of devices asking the host for a seat.")
    demo: bool
    join_url: str = Field(description="URL at which other devices join; empty if none can.")
    edition: str = Field(description="Hash of the pages' files; a page with a different one is outdated.")


class Seat(Answer):
    """What one seat may know and do."""

    start: str
    rev: int
    expected: int
    table: str
    seat: str
    phase: str
    game: dict[str, Any]
    legal: list[dict[str, Any]]


class Legal(Answer):
    """The legal commands of the table as a whole."""

    start: str
    rev: int
    expected: int
    legal: list[dict[str, Any]]


class Throw(Answer):
    """One throw of the tower: what went in, what was seen, what was accepted."""

    game: str = Field(description="Name of the throw's table.")
    batch: int
    ts_ms: int
    author: str
    undone: bool
    reason: str
    read_ms: float | None
    reading: dict[str, Any] | None
    weight: Weight | None
    result: dict[str, Any]
    from_table: Counts
    from_tray: Counts
    possible: Counts | None = Field(
        description="The cubes that can come out; null if the table does not show the tower's content."
    )
    accepted: Counts
    seen: Counts | None
    corrected: bool
    by: str
    evidence: str | None = Field(description="Name of the throw's picture under `evidence/`.")


class Throws(Answer):
    """Throws, newest first."""

    throws: list[Throw]
    older: int = Field(
        description="Number of earlier throws; get them with `before` set to the last one's `batch`."
    )


class History(Answer):
    """Past commands, newest first."""

    entries: list[ToldEntry]
    older: int = Field(
        description="Number of earlier commands; get them with `before` set to the last one's `batch`."
    )


class Moments(Answer):
    """Each seat's figures after each command."""

    moments: list[dict[str, Any]]


class Moment(Answer):
    """The table as it was after a command."""

    batch: int
    game: dict[str, Any]


class Chapters(Answer):
    """Winters step by step, points by source, battles."""

    winters: list[Any]
    points: dict[str, Any]
    battles: dict[str, Any]


class WhatGoes(Answer):
    """What an undo would take back."""

    batches: list[int]
    shown: list[str]
    possible: bool
    seats: list[str] = Field(description="The taken seats, which have to agree if something was shown.")
    host: bool


class Previewed(Answer):
    """The outcome of the counts, or why they are impossible: one of the two is null. `beyond` says why they
    are only accepted if insisted on."""

    result: dict[str, Any] | None
    error: Refusal | None
    beyond: Refusal | None


class Taken(Answer):
    """Who sits where."""

    seats: list[str]
    taken: list[str]


class Seats(Taken):
    """Who sits where, and the status of this device."""

    table: str
    host: bool
    joined: bool
    asked: dict[str, str] | None


class SeatKey(Answer):
    """The key of a seat, to be stored by the device and sent as `X-Seat-Key`."""

    table: str
    seat: str
    key: str


class Ticket(Answer):
    """A ticket to be sent as `X-Seat-Ticket` with `take`, once the host has agreed."""

    seat: str
    ticket: str
