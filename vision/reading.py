"""What one settled picture says: the only thing this package hands to the game."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

KNOWN_UNTAUGHT = frozenset({"red", "blue", "black", "yellow", "purple", "green"})
"""Shogun's colours, which the networks know."""


class Doubt(StrEnum):
    """Why a reading asks a person. The value is the key of the sentence that pages show."""

    NO_TRAY = "no_tray"
    TRAY_CUT = "tray_cut"
    NO_MAT = "no_mat"
    TOO_DARK = "too_dark"
    TOO_BRIGHT = "too_bright"
    GLARE = "glare"
    BLURRED = "blurred"
    BROKEN = "broken"
    VEILED = "veiled"
    FALSE_COLOURS = "false_colours"
    HAND = "hand"
    MAT_COVERED = "mat_covered"
    BLACK_ON_BLACK = "black_on_black"
    LIKE_FLOOR = "like_floor"
    VIVID_FLOOR = "vivid_floor"
    ON_RIM = "on_rim"
    STACKED = "stacked"
    CROWDED = "crowded"
    UNCLEAR_COLOUR = "unclear_colour"
    UNTAUGHT_COLOUR = "untaught_colour"
    UNCLEAR_COUNT = "unclear_count"
    FRAMES_DIFFER = "frames_differ"
    NOT_IN_TOWER = "not_in_tower"
    WEIGHT_DIFFERS = "weight_differs"
    LAY_THERE = "lay_there"
    TAKEN_OUT = "taken_out"
    EMPTY = "empty"
    TRAY_MOVED = "tray_moved"


@dataclass(frozen=True, slots=True)
class SeenCube:
    """One cube found in the picture; pixels are those of the picture that was read."""

    colour: str
    centre_px: tuple[float, float]
    outline_px: tuple[tuple[float, float], ...]
    centre_mm: tuple[float, float]
    """On the tray floor, from the centre of the tray; x to the right, y towards the camera's lower edge."""
    confidence: float
    """Probability that this is one cube and has this colour."""


NOTHING = ""
"""Stands for "no cube" where a colour is named."""


@dataclass(frozen=True, slots=True)
class OpenPlace:
    """A place in doubt and what may be there: one word from a person who looks settles it."""

    centre_px: tuple[float, float]
    """In pixels of the picture that was read."""
    edge_px: float
    """Edge of a cube at this place."""
    under: bool
    """Whether the question is what lies under the cube visible there."""
    counted: str
    """The colour counted for this place, or `NOTHING`."""
    answers: tuple[tuple[str, float], ...]
    """Colours, or `NOTHING`, with their probabilities, the likeliest first."""


@dataclass(frozen=True, slots=True)
class TrayReading:
    """Counts per colour with places and confidence: either `certain`, or it asks and says why."""

    counts: Mapping[str, int]
    """Every colour of the palette, zero included."""
    cubes: tuple[SeenCube, ...]
    confidence: Mapping[str, float]
    """Probability, per colour, that its count is right."""
    certain: bool
    doubts: tuple[Doubt, ...]
    """Empty when certain; otherwise the reasons for doubt, the weightiest first."""
    mat_seen: bool
    tray_outline_px: tuple[tuple[float, float], ...]
    """Inner outline of the tray in the picture; empty when no tray was found."""
    cube_mm: float
    size_px: tuple[int, int]
    """Width and height of the picture."""
    odds: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """Probability, per colour, of 0, 1, 2, … cubes, from picture and ledger (`vision.counting.odds`)."""
    named: float = 1.0
    """Probability that the counted cubes, if they are there, have these colours."""
    open_places: tuple[OpenPlace, ...] = ()
    """Where a person should look, the least sure first; counts may be in doubt even if this is empty."""

    @property
    def total(self) -> int:
        """Number of cubes seen, of all colours."""
        return sum(self.counts.values())
