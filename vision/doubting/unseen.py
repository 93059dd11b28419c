"""Cubes that cannot be seen at all: under and behind others, in glare, in grain, black on black.

No network names them, so they are no candidates. Their expected number is known from labelled and rendered
pictures, and lowers the confidence in a colour's count.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.counting.odds import FORGOTTEN, AtMost
from vision.counting.possible import chance_of_one_more
from vision.doubting.glare import hidden_by_glare
from vision.doubting.grain import lost_in_grain
from vision.finding.candidates import Candidate
from vision.levels import DARK
from vision.palette import Palette
from vision.scene.rectify import Rectified

_TOUCH = 1.3
"""Distance between the centres of two touching cubes, in edges."""
_ON_LIGHT, _ON_DARK = (0.0001, 0.0001), (0.0001, 0.00025)
"""Probability that a cube, and each neighbour touching it, hides another that no network finds.

Before there was an upright look, eight cubes in 14,221 on dark floors did, with 8,510 touches, and one in
11,868 on light ones. With it none did in 1,030 pictures, where those rates predict eight: two fifths of them
are kept."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What the picture may hide, apart from what cubes hide."""

    glare: float = 0.0
    """Expected number of cubes hidden by glare, shared among the colours as seen, or equally if no cube
    is."""
    black: float = 0.0
    """Expected number of black cubes hidden by a dark floor and its grain."""
    dark: bool = False
    """Whether the floor is dark."""


def scene_of(flat: Rectified, found: Sequence[Candidate], palette: Palette) -> Scene:
    """Return what may be hidden in a tray with these candidates."""
    return Scene(
        hidden_by_glare(flat, found),
        lost_in_grain(flat, found, palette),
        dark=flat.level < DARK,
    )


def unseen_odds(
    found: Sequence[Candidate], palette: Palette, scene: Scene, at_most: AtMost | None = None
) -> dict[str, float]:
    """Return for each colour the probability that none of its cubes lies there unseen.

    With a ledger, only colours of which it has more than is seen may lie unseen.
    """
    hidden = hidden_by_cubes(found, palette, dark=scene.dark)
    seen = _visible_cubes(found)
    colours = [palette.colours[one.colour_index] for one in seen] or list(hidden)
    for colour in colours:
        hidden[colour] += scene.glare / len(colours)
    black = scene.black * chance_of_one_more("black", found, palette, at_most)
    if at_most is not None:
        hidden = _share_by_ledger(hidden, found, palette, at_most)
    if "black" in hidden:
        hidden["black"] += black
    return {colour: float(np.exp(-number)) for colour, number in hidden.items()}


def hidden_by_cubes(found: Sequence[Candidate], palette: Palette, *, dark: bool) -> dict[str, float]:
    """Return for each colour the expected number that other cubes hide; `dark`: whether the floor is dark."""
    hidden = dict.fromkeys(palette.colours, 0.0)
    if seen := _visible_cubes(found):
        per_cube, per_touch = _ON_DARK if dark else _ON_LIGHT
        centres = np.array([cube.centre_px for cube in seen])
        distances = np.linalg.norm(centres[:, None] - centres[None], axis=2)
        reach = _TOUCH * np.array([cube.edge_px for cube in seen])
        for cube, touches in zip(seen, (distances < reach[:, None]).sum(axis=1) - 1, strict=True):
            hidden[palette.colours[cube.colour_index]] += per_cube + per_touch * float(touches)
    return hidden


def _visible_cubes(found: Sequence[Candidate]) -> list[Candidate]:
    return [one for one in found if one.presence > 0.5 and not one.under]


def _share_by_ledger(
    hidden: Mapping[str, float], found: Sequence[Candidate], palette: Palette, at_most: AtMost
) -> dict[str, float]:
    """Distribute the hidden cubes among the colours of which the ledger has more than is seen."""
    counts = Counter(palette.colours[one.colour_index] for one in found if one.presence > 0.5)
    remaining = {colour: max(0, at_most.get(colour, 0) - counts[colour]) for colour in hidden}
    expected, total_remaining = sum(hidden.values()), sum(remaining.values())
    if total_remaining == 0:
        return {colour: number * FORGOTTEN for colour, number in hidden.items()}
    return {colour: expected * remaining[colour] / total_remaining for colour in hidden}
