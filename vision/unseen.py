"""Cubes of which nothing tells: under and behind others, in glare, in grain, black on black.

No network names them, so they are no candidates. How many there are in the mean is known from labelled and
rendered pictures, and lowers what is believed of a colour's number.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.alike import lost_on_floor
from vision.candidates import Candidate
from vision.glare import hidden_by_glare
from vision.grain import lost_in_grain
from vision.levels import floor_level
from vision.lifted import DARK
from vision.palette import Palette
from vision.possible import AtMost, one_more
from vision.rectify import Rectified

_TOUCH = 1.3
"""Edges between the centres of two cubes that touch."""
_ON_LIGHT, _ON_DARK = (0.0002, 0.0003), (0.0003, 0.0006)
"""Probability that a cube, and each neighbour that touches it, hides another. Of 14,221 rendered cubes on
dark floors, with 8,510 touches, eight hid one; of 11,868 on light floors, with 6,520, one did, but of 1,100
path-traced ones two."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What the picture may hide, beside what cubes hide."""

    glare: float = 0.0
    """Cubes that it hides in the mean, each colour's share as it is seen."""
    black: float = 0.0
    """Black cubes that grain hides in the mean, or that look like the floor."""
    dark: bool = False
    """Whether the floor is."""


def scene_of(flat: Rectified, found: Sequence[Candidate], palette: Palette) -> Scene:
    """Of a tray with its candidates."""
    return Scene(
        hidden_by_glare(flat, found),
        lost_in_grain(flat, found, palette) + lost_on_floor(flat, found, palette),
        dark=floor_level(flat.image) < DARK,
    )


def unseen_odds(
    found: Sequence[Candidate], palette: Palette, scene: Scene, at_most: AtMost | None = None
) -> dict[str, float]:
    """Per colour the probability that none of its cubes lies there unseen.

    Hardly one does of a colour of which the ledger has no more.
    """
    hidden = dict.fromkeys(palette.colours, 0.0)
    if "black" in hidden:
        hidden["black"] = scene.black
    seen = [one for one in found if one.presence > 0.5 and not one.under]
    if seen:
        alone, beside = _ON_DARK if scene.dark else _ON_LIGHT
        centres = np.array([one.centre_px for one in seen])
        apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
        reach = _TOUCH * np.array([one.edge_px for one in seen])
        for one, touching in zip(seen, (apart < reach[:, None]).sum(axis=1) - 1, strict=True):
            colour = palette.colours[one.colour_index]
            hidden[colour] += alone + beside * float(touching) + scene.glare / len(seen)
    return {
        colour: 1 - (1 - float(np.exp(-number))) * one_more(colour, found, palette, at_most)
        for colour, number in hidden.items()
    }
