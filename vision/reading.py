"""What one settled picture says: the only thing that leaves this room towards the game."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Doubt(StrEnum):
    """Why a reading asks a person. The value is the key of the sentence the page shows."""

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
    """0..1: that this is one cube and has this colour."""


NOTHING = ""
"""Stands for no cube where colours are named."""


@dataclass(frozen=True, slots=True)
class OpenPlace:
    """A place in doubt, and what may be there: a person who looks settles it with one word."""

    centre_px: tuple[float, float]
    """In the picture that was read."""
    edge_px: float
    """Of a cube there."""
    under: bool
    """Whether it is asked what lies under the cube that shows there."""
    counted: str
    """The colour that the counts hold for this place, or `NOTHING`."""
    answers: tuple[tuple[str, float], ...]
    """Colours, or `NOTHING`, with their probabilities, the likeliest first."""


@dataclass(frozen=True, slots=True)
class TrayReading:
    """Counts per colour with places and confidence; `certain` or it asks, with reasons."""

    counts: Mapping[str, int]
    """Every colour of the palette, zero included."""
    cubes: tuple[SeenCube, ...]
    confidence: Mapping[str, float]
    """0..1 per colour: that its count is right."""
    certain: bool
    doubts: tuple[Doubt, ...]
    """Empty when certain; what made it doubt otherwise, the heaviest first."""
    mat_seen: bool
    tray_outline_px: tuple[tuple[float, float], ...]
    """Inner outline of the tray in the picture; empty when no tray was found."""
    cube_mm: float
    size_px: tuple[int, int]
    """Width and height of the picture."""
    odds: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """Per colour the probability of 0, 1, 2, … cubes, by picture and ledger (`vision.counting.odds`)."""
    named: float = 1.0
    """0..1: that the cubes that are counted, if they are there, have these colours."""
    open_places: tuple[OpenPlace, ...] = ()
    """Where a person should look, the least sure first; the counts may be in doubt without any."""

    @property
    def total(self) -> int:
        """All cubes seen."""
        return sum(self.counts.values())
