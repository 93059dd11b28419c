"""What the interface answers, for its description: the keys that are promised."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

Counts = dict[str, int]
"""Cubes by colour."""


class Answer(BaseModel):
    """Keys may be added within version 1; none is taken away, and none changes its meaning."""

    model_config = ConfigDict(extra="allow")


class Refusal(Answer):
    """Why not."""

    key: str = Field(description="To translate by; stable.")
    sentence: str = Field(description="In English.")
    params: dict[str, Any]
    rule: str = Field(description="The rule that forbids it, where one does; else empty.")
    overrulable: bool = Field(
        description="Done all the same where the command comes again with a reason in `insist`.",
    )


class Refused(Answer):
    """Nothing was changed; where the table had gone on, it comes along."""

    error: Refusal
    table: dict[str, Any] | None = None


class Doubt(Answer):
    """Why a person has to look."""

    key: str
    sentence: str
    remedy: str


class Choice(Answer):
    """What may be at a place."""

    colour: str | None = Field(description="Null for no cube.")
    probability: float


class OpenPlace(Answer):
    """Where a person should look."""

    centre: list[float]
    edge: float = Field(description="Of a cube there, in pixels.")
    under: bool = Field(description="Whether it is asked what lies under the cube that shows there.")
    counted: str | None = Field(description="What the counts hold for this place; null for no cube.")
    answers: list[Choice]


class Reading(Answer):
    """What was seen in a picture; places in its pixels."""

    counts: Counts
    certain: bool
    doubts: list[Doubt]
    cubes: list[dict[str, Any]]
    open: list[OpenPlace] = Field(description="The least sure first; empty where nobody need look.")
    tray: list[list[float]]
    size: list[int]
    mat_seen: bool


class Look(Reading):
    """A reading that waits to be accepted, by the countdown or by a person."""

    number: int
    picture: str
    confidence: dict[str, float]
    read_ms: float
    since_rest_ms: int


class CameraHealth(Answer):
    """No sentence, no trouble."""

    name: str
    sentence: str
    remedy: str
    key: str = Field(description="To translate the sentence by; empty where there is none.")
    light: str = Field(
        description="Held or not: `settling`, `locked`, `partly`, `free`, `elsewhere` or empty."
    )
    file: str = Field(description="Which of a folder's pictures the trouble is about; else empty.")


class Health(Answer):
    """Of what watches the tray."""

    camera: CameraHealth
    sensor: dict[str, Any]


class Entry(Answer):
    """One command of the past."""

    batch: int = Field(description="Its name in `undo`, `correct` and `moments`.")
    kind: str
    title: str
    author: str
    ts_ms: int
    undone: bool
    throw: bool
    evidence: str | None


class TableEntry(Entry):
    """As the table's view has it."""

    body: dict[str, Any] = Field(description="Of what is open to all; empty where it is not.")


class ToldEntry(Entry):
    """As the history has it: all that it did, and where in the game."""

    told: list[dict[str, Any]]
    shown: bool = Field(description="Everybody has seen something: to take it back, the table has to agree.")
    reason: str
    year: int | None
    season: str | None
    phase: str | None


class Weight(Answer):
    """What the load cell says of the tray."""

    cubes: int
    sure: float
    spread: float
    mass_mg: int
    steps: int
    whole: bool


class Late(Answer):
    """A cube fell when its throw was accepted already."""

    look: Look | None = Field(description="Null where the load cell alone felt it.")
    lies: int = Field(description="How many cubes lie there now.")
    counted: dict[str, int] = Field(description="What was accepted.")
    counts: dict[str, int] = Field(description="What the throw would be put right to.")


class Table(Answer):
    """Everything that all may know, built anew."""

    start: str = Field(description="Another after each start of Tenshu; numbers of views are of one start.")
    rev: int = Field(description="Rises with every change.")
    expected: int = Field(description="To be sent with a command: the last event that this view knows.")
    table: str
    tower_shown: str
    phase: str = Field(
        json_schema_extra={"enum": ["idle", "waiting", "falling", "unseen", "countdown", "asking"]}
    )
    left_ms: int | None
    countdown_ms: int
    weight: Weight | None
    look: Look | None
    late: Late | None = Field(description="More lies in the tray than was counted.")
    health: Health
    notice: dict[str, Any] | None
    poll: dict[str, Any] | None
    game: dict[str, Any] | None = Field(description="docs/rules/game-api.md")
    undo: dict[str, Any] | None
    history: list[TableEntry]


class WholeTable(Table):
    """The same, with what a page needs beside it: as `GET table` and the stream of events carry it."""

    asks: int = Field(description="How many devices ask the host for a seat.")
    demo: bool
    join_url: str = Field(description="Where other devices join; empty where none can.")
    edition: str = Field(description="Of the pages' own files: a page of another one is open since before.")


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
    """What the table together may ask for."""

    start: str
    rev: int
    expected: int
    legal: list[dict[str, Any]]


class Throw(Answer):
    """One throw of the tower: what went in, what was seen, what was accepted."""

    game: str = Field(description="Name of its table.")
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
    possible: Counts | None = Field(description="Null where the table does not tell what is in the tower.")
    accepted: Counts
    seen: Counts | None
    corrected: bool
    by: str
    evidence: str | None = Field(description="Name of its picture under `evidence/`.")


class Throws(Answer):
    """Newest first."""

    throws: list[Throw]
    older: int = Field(description="Throws before these: ask with `before` and the last one's `batch`.")


class History(Answer):
    """Newest first."""

    entries: list[ToldEntry]
    older: int = Field(description="Commands before these: ask with `before` and the last one's `batch`.")


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
    seats: list[str] = Field(description="Who has to agree, where something was shown.")
    host: bool


class Previewed(Answer):
    """What counts would decide, or why they cannot be: one of the two is null. `beyond`: why they are only
    taken when somebody insists."""

    result: dict[str, Any] | None
    error: Refusal | None
    beyond: Refusal | None


class Taken(Answer):
    """Who sits where."""

    seats: list[str]
    taken: list[str]


class Seats(Taken):
    """Who sits where, and what this device is."""

    table: str
    host: bool
    joined: bool
    asked: dict[str, str] | None


class SeatKey(Answer):
    """The key of a seat: to be kept by the device, and sent as `X-Seat-Key`."""

    table: str
    seat: str
    key: str


class Ticket(Answer):
    """To be sent as `X-Seat-Ticket` with `take`, once the host agreed."""

    seat: str
    ticket: str
