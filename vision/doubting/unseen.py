"""Cubes of which nothing tells: under and behind others, in glare, in grain, black on black.

No network names them, so they are no candidates. How many there are in the mean is known from labelled and
rendered pictures, and lowers what is believed of a colour's number.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.counting.odds import FORGOTTEN, AtMost
from vision.counting.possible import one_more
from vision.doubting.glare import hidden_by_glare
from vision.doubting.grain import lost_in_grain
from vision.finding.candidates import Candidate
from vision.levels import DARK
from vision.palette import Palette
from vision.scene.rectify import Rectified

_TOUCH = 1.3
"""Edges between the centres of two cubes that touch."""
_ON_LIGHT, _ON_DARK = (0.0001, 0.0001), (0.0001, 0.00025)
"""Probability that a cube, and each neighbour that touches it, hides another of which no network tells.

Before there was an upright look eight cubes in 14,221 on dark floors did, with 8,510 touches, and one in
11,868 on light ones. With it none did in 1,030 pictures, where those would ask for eight: two fifths are
left."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What the picture may hide, beside what cubes hide."""

    glare: float = 0.0
    """Cubes that it hides in the mean, each colour's share as it is seen; where none is, all alike."""
    black: float = 0.0
    """Black cubes that a dark floor and its grain hide in the mean."""
    dark: bool = False
    """Whether the floor is."""


def scene_of(flat: Rectified, found: Sequence[Candidate], palette: Palette) -> Scene:
    """Of a tray with its candidates."""
    return Scene(
        hidden_by_glare(flat, found),
        lost_in_grain(flat, found, palette),
        dark=flat.level < DARK,
    )


def unseen_odds(
    found: Sequence[Candidate], palette: Palette, scene: Scene, at_most: AtMost | None = None
) -> dict[str, float]:
    """Per colour the probability that none of its cubes lies there unseen.

    With a ledger it is of those colours of which there is more than is seen.
    """
    hidden = hidden_by_cubes(found, palette, dark=scene.dark)
    seen = _seen(found)
    likely = [palette.colours[one.colour_index] for one in seen] or list(hidden)
    for colour in likely:
        hidden[colour] += scene.glare / len(likely)
    black = scene.black * one_more("black", found, palette, at_most)
    if at_most is not None:
        hidden = _of_those_left(hidden, found, palette, at_most)
    if "black" in hidden:
        hidden["black"] += black
    return {colour: float(np.exp(-number)) for colour, number in hidden.items()}


def hidden_by_cubes(found: Sequence[Candidate], palette: Palette, *, dark: bool) -> dict[str, float]:
    """Per colour how many cubes the others hide, in the mean; `dark`: whether the floor is."""
    hidden = dict.fromkeys(palette.colours, 0.0)
    if seen := _seen(found):
        alone, beside = _ON_DARK if dark else _ON_LIGHT
        centres = np.array([one.centre_px for one in seen])
        apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
        reach = _TOUCH * np.array([one.edge_px for one in seen])
        for one, touching in zip(seen, (apart < reach[:, None]).sum(axis=1) - 1, strict=True):
            hidden[palette.colours[one.colour_index]] += alone + beside * float(touching)
    return hidden


def _seen(found: Sequence[Candidate]) -> list[Candidate]:
    return [one for one in found if one.presence > 0.5 and not one.under]


def _of_those_left(
    hidden: Mapping[str, float], found: Sequence[Candidate], palette: Palette, at_most: AtMost
) -> dict[str, float]:
    """What lies unseen is of the colours of which the ledger has more than is seen."""
    counts = Counter(palette.colours[one.colour_index] for one in found if one.presence > 0.5)
    left = {colour: max(0, at_most.get(colour, 0) - counts[colour]) for colour in hidden}
    every, total = sum(hidden.values()), sum(left.values())
    if total == 0:
        return {colour: number * FORGOTTEN for colour, number in hidden.items()}
    return {colour: every * left[colour] / total for colour in hidden}
