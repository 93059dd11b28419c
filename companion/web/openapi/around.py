"""Models of the API's answers around the table: host, joining, camera, calibration, load cell."""

from typing import Any

from pydantic import Field

from companion.web.openapi.answers import Answer, CameraHealth, Health, Reading, Weight


class JoinState(Answer):
    """Whether this device has joined."""

    joined: bool
    url: str
    code: str | None


class Joined(Answer):
    """A token to be sent as `X-Join-Token`; browsers also get it as a cookie."""

    token: str


class Told(Answer):
    """The last command to the load cell's board, and the answer."""

    word: str
    cubes: int
    state: str = Field(description="`none`, `asked`, `done` or `refused`.")
    reason: str = Field(description="Why it was refused, as a word from firmware/PROTOCOL.md.")


class Trace(Answer):
    """The load cell's newest trace points and state."""

    newest: int
    points: list[Any]
    marks: list[Any]
    epoch: int = Field(description="Changes whenever the board's clock restarts.")
    version: str
    newer: str | None = Field(
        description="Version of the firmware that comes with Tenshu, if the board's is older."
    )
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
    """One saved tray."""

    name: str
    made: str = Field(description="Time of its calibration, ISO 8601 in UTC; empty if it cannot be read.")
    colours: list[str]
    mat: bool
    readable: bool


class Calibration(Answer):
    """State of the guided calibration."""

    phase: str
    camera: bool
    ails: dict[str, str] | None = Field(description="Trouble with the camera: sentence, remedy, key, file.")
    still: bool = Field(description="Whether no new pictures arrive, so that the last one is outdated.")
    fixed: bool
    live: int
    facts: dict[str, Any] | None
    shown: dict[str, int] = Field(
        description="Steps with a picture, each with a number that changes with the picture."
    )
    in_use: str | None
    profiles: list[Any]
    kept: list[Kept]


class Camera(Answer):
    """The camera in use."""

    start: str = Field(description="Id of this start of Tenshu.")
    camera: str
    home: str
    phone: dict[str, Any] | None
    health: CameraHealth
    phase: str
    host: bool
    secure: dict[str, Any] | None
    invite: str | None = Field(description="Link for becoming the camera; only for the host.")


class CameraKey(Answer):
    """A key to be sent as `X-Camera-Key` with every picture."""

    key: str


class NextFrame(Answer):
    """Delay until the next picture is wanted."""

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
    """The reason why nothing new is saved."""

    key: str
    sentence: str
    remedy: str


class JoinCode(Answer):
    """How others can join; `url` is empty if none can."""

    url: str
    code: str
    qr: str | None


class Host(Answer):
    """Everything that the host's page shows."""

    start: str
    rev: int
    table: str
    game: str
    games: list[str] = Field(description="Games available for a new table.")
    expected: int
    tower_shown: str
    house: dict[str, Any] | None
    health: Health
    trouble: Trouble | None
    tables: list[dict[str, Any]]
    seats: list[str]
    taken: list[str]
    ghosts: list[str] = Field(description="Taken seats whose device is not heard from.")
    asks: list[dict[str, Any]]
    devices: list[dict[str, Any]]
    join: JoinCode
    demo: bool


class HostLink(Answer):
    """The host's secret link; null if phones cannot reach this computer."""

    url: str | None
    qr: str | None


class SeatLink(Answer):
    """A link that gives the seat to its first visitor."""

    seat: str
    url: str
    qr: str | None


class IsHost(Answer):
    """Whether this device is the host."""

    host: bool


class Restored(Answer):
    """The restored table."""

    name: str
    damaged: int = Field(description="Number of pictures left out because they were damaged.")
    unkept: int = Field(description="Number of pictures that could not be written to disk.")
