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
    rule: str = Field("", description="The rule that forbids it, where one does.")


class Refused(Answer):
    """Nothing was changed; where the table had gone on, it comes along."""

    error: Refusal
    table: dict[str, Any] | None = None


class Doubt(Answer):
    """Why a person has to look."""

    key: str
    sentence: str
    remedy: str


class Reading(Answer):
    """What was seen in a picture; places in its pixels."""

    counts: Counts
    certain: bool
    doubts: list[Doubt]
    cubes: list[dict[str, Any]]
    tray: list[list[float]]
    size: list[int]
    mat_seen: bool


class Look(Reading):
    """A reading that waits to be accepted, by the countdown or by a person."""

    number: int
    picture: str


class CameraHealth(Answer):
    """No sentence, no trouble."""

    name: str
    sentence: str
    remedy: str


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


class Table(Answer):
    """Everything that all may know, built anew."""

    rev: int = Field(description="Rises with every change.")
    expected: int = Field(description="To be sent with a command: the last event that this view knows.")
    table: str
    phase: str = Field(json_schema_extra={"enum": ["idle", "waiting", "falling", "countdown", "asking"]})
    left_ms: int | None
    look: Look | None
    health: Health
    notice: dict[str, Any] | None
    poll: dict[str, Any] | None
    game: dict[str, Any] | None = Field(description="docs/rules/game-api.md")
    undo: dict[str, Any] | None
    history: list[Entry]


class Seat(Answer):
    """What one seat may know and do."""

    rev: int
    expected: int
    seat: str
    phase: str
    game: dict[str, Any]
    legal: list[dict[str, Any]]


class Legal(Answer):
    """What the table together may ask for."""

    rev: int
    expected: int
    legal: list[dict[str, Any]]


class Throw(Answer):
    """One throw of the tower: what went in, what was seen, what was accepted."""

    batch: int
    from_table: Counts
    from_tray: Counts
    possible: Counts
    accepted: Counts
    seen: Counts | None
    corrected: bool
    by: str
    evidence: str | None = Field(description="Name of its picture under `evidence/`.")


class Throws(Answer):
    """Newest first."""

    throws: list[Throw]


class ColourTold(Answer):
    """One colour of the tower; `expected` and `spread` (a standard deviation) go with `known_out`."""

    colour: str
    went_in: int
    came_out: int
    known_out: int
    expected: float
    spread: float


class Kept(Answer):
    """In how many throws the tower kept so many cubes more than it gave."""

    cubes: int
    throws: int
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
    colours: list[ColourTold]
    kept: list[Kept]
    inside: list[dict[str, int]]
    odds: Rates
    fit: Fit | None
    fewest: int = Field(description="Throws below which `fit` is null.")
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


class History(Answer):
    """Newest first."""

    entries: list[Entry]


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


class Previewed(Answer):
    """What counts would decide."""

    result: dict[str, Any] | None


class Seats(Answer):
    """Who sits where."""

    seats: list[str]
    taken: list[str]


class SeatKey(Answer):
    """The key of a seat: to be kept by the device, and sent as `X-Seat-Key`."""

    seat: str
    key: str


class Ticket(Answer):
    """To be sent as `X-Seat-Ticket` with `take`, once the host agreed."""

    seat: str
    ticket: str


class JoinState(Answer):
    """Whether this device has joined."""

    joined: bool
    url: str
    code: str | None


class Joined(Answer):
    """To be sent as `X-Join-Token`; browsers get it as a cookie too."""

    token: str


class Trace(Answer):
    """The load cell's newest points."""

    newest: int
    points: list[Any]
    marks: list[Any]


class Calibration(Answer):
    """Where the guided calibration stands."""

    phase: str
    camera: bool
    profiles: list[Any]


class Camera(Answer):
    """Which camera looks."""

    camera: str
    home: str
    phone: dict[str, Any] | None
    health: CameraHealth
    host: bool
    secure: dict[str, Any] | None
    invite: str | None = Field(description="The host's only.")


class CameraKey(Answer):
    """To be sent as `X-Camera-Key` with every picture."""

    key: str


class NextFrame(Answer):
    """How soon the next picture is wanted."""

    next_ms: int
    phase: str


class Checked(Answer):
    """What the reader sees, or why it sees nothing."""

    reading: Reading | None
    read_ms: float | None
    sentence: str
    remedy: str


class Host(Answer):
    """All that the host's page shows."""

    rev: int
    table: str
    expected: int
    tables: list[dict[str, Any]]
    seats: list[str]
    taken: list[str]
    devices: list[dict[str, Any]]


class HostLink(Answer):
    """The host's secret link; none where phones cannot reach this computer."""

    url: str | None
    qr: str | None


class SeatLink(Answer):
    """A link that sits its first visitor on the seat."""

    seat: str
    url: str
    qr: str


class IsHost(Answer):
    """This device is the host."""

    host: bool


class Restored(Answer):
    """The table that was taken up."""

    name: str
