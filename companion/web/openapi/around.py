"""What the interface answers around the table: host, joining, camera, calibration, load cell."""

from typing import Any

from pydantic import Field

from companion.web.openapi.answers import Answer, CameraHealth, Health, Reading, Weight


class JoinState(Answer):
    """Whether this device has joined."""

    joined: bool
    url: str
    code: str | None


class Joined(Answer):
    """To be sent as `X-Join-Token`; browsers get it as a cookie too."""

    token: str


class Told(Answer):
    """What was asked of the load cell's board, and what it answered."""

    word: str
    cubes: int
    state: str = Field(description="`none`, `asked`, `done` or `refused`.")
    reason: str = Field(description="Why it was refused, in a word of firmware/PROTOCOL.md.")


class Trace(Answer):
    """The load cell's newest points."""

    newest: int
    points: list[Any]
    marks: list[Any]
    epoch: int = Field(description="Another number: the board's clock began anew.")
    version: str
    newer: str | None = Field(description="The program that comes with Tenshu, where the board's is older.")
    mass_mg: int | None
    noise_mg: int | None
    moving: bool
    samples_per_s: float | None
    cube: dict[str, float]
    weight: Weight | None
    health: dict[str, Any]
    host: bool
    told: Told


class Kept(Answer):
    """One tray that is kept."""

    name: str
    made: str = Field(description="ISO 8601, UTC; empty where it cannot be read.")
    colours: list[str]
    mat: bool
    readable: bool


class Calibration(Answer):
    """Where the guided calibration stands."""

    phase: str
    camera: bool
    ails: dict[str, str] | None = Field(description="What ails the camera: sentence, remedy, key, file.")
    still: bool = Field(description="No new picture comes: the last one is not now.")
    fixed: bool
    live: int
    facts: dict[str, Any] | None
    shown: dict[str, int] = Field(description="Steps with a picture: a new picture has a new number.")
    in_use: str | None
    profiles: list[Any]
    kept: list[Kept]


class Camera(Answer):
    """Which camera looks."""

    start: str = Field(description="Another after each start of Tenshu.")
    camera: str
    home: str
    phone: dict[str, Any] | None
    health: CameraHealth
    phase: str
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
    key: str
    sentence: str
    remedy: str


class Trouble(Answer):
    """Why nothing new is saved."""

    key: str
    sentence: str
    remedy: str


class JoinCode(Answer):
    """How others join; no address where none can."""

    url: str
    code: str
    qr: str | None


class Host(Answer):
    """All that the host's page shows."""

    start: str
    rev: int
    table: str
    game: str
    games: list[str] = Field(description="Every game that a new table can be set up for.")
    expected: int
    tower_shown: str
    house: dict[str, Any] | None
    health: Health
    trouble: Trouble | None
    tables: list[dict[str, Any]]
    seats: list[str]
    taken: list[str]
    ghosts: list[str] = Field(description="Taken seats of which no device is heard.")
    asks: list[dict[str, Any]]
    devices: list[dict[str, Any]]
    join: JoinCode
    demo: bool


class HostLink(Answer):
    """The host's secret link; none where phones cannot reach this computer."""

    url: str | None
    qr: str | None


class SeatLink(Answer):
    """A link that sits its first visitor on the seat."""

    seat: str
    url: str
    qr: str | None


class IsHost(Answer):
    """This device is the host."""

    host: bool


class Restored(Answer):
    """The table that was taken up."""

    name: str
    damaged: int = Field(description="Pictures that were damaged, and left out.")
    unkept: int = Field(description="Pictures that the disk did not take.")
