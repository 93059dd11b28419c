"""What was found, in pixels of the picture that was read: the cubes, and where a person should look."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.finding.candidates import Candidate
from vision.palette import Palette
from vision.reading import NOTHING, OpenPlace, SeenCube
from vision.scene.plane import project
from vision.scene.rectify import Rectified

COUNTED_PRESENCE = 0.5
"""Presence from which a candidate is counted."""
MOST_OPEN = 6
"""With more places than this, it is quicker to count the whole tray."""
_MAY_BE = 0.03
"""Probability from which something is worth asking about."""
_LOWER_ASIDE = 0.35
"""Offset, in edges, at which a cube lying under another is drawn, so that a person sees two."""
_CENTRE_AND_CORNERS = np.array([(0, 0), (-1, -1), (1, -1), (1, 1), (-1, 1)])

Floats = npt.NDArray[np.float64]


def seen_cubes(found: Sequence[Candidate], palette: Palette, flat: Rectified) -> tuple[SeenCube, ...]:
    """Return the counted cubes, each with its outline."""
    counted = [candidate for candidate in found if candidate.presence >= COUNTED_PRESENCE]
    if not counted:
        return ()
    aside = np.array([_LOWER_ASIDE * candidate.edge_px if candidate.under else 0.0 for candidate in counted])
    centres = np.array([candidate.centre_px for candidate in counted]) + aside[:, None]
    return tuple(
        SeenCube(
            colour=palette.colours[candidate.colour_index],
            centre_px=(places[0][0], places[0][1]),
            outline_px=tuple((x, y) for x, y in places[1:]),
            centre_mm=(mm[0], mm[1]),
            confidence=candidate.confidence,
        )
        for candidate, places, mm in zip(
            counted, _squares(counted, centres, flat).tolist(), flat.to_mm(centres).tolist(), strict=True
        )
    )


def open_places(found: Sequence[Candidate], palette: Palette, flat: Rectified) -> tuple[OpenPlace, ...]:
    """Return at most `MOST_OPEN` places, the least sure first: a person's look tells most there."""
    questions = []
    for candidate in found:
        answers = _possible_answers(candidate, palette)
        if len(answers) > 1:
            questions.append((max(p for _, p in answers), candidate, answers))
    questions.sort(key=lambda question: question[0])
    questions = questions[:MOST_OPEN]
    if not questions:
        return ()
    candidates = [candidate for _, candidate, _ in questions]
    squares = _squares(candidates, np.array([candidate.centre_px for candidate in candidates]), flat)
    sides = np.linalg.norm(squares[:, 1:] - np.roll(squares[:, 1:], 1, axis=1), axis=2).mean(axis=1)
    return tuple(
        OpenPlace(
            centre_px=(float(square[0, 0]), float(square[0, 1])),
            edge_px=float(side),
            under=candidate.under,
            counted=palette.colours[candidate.colour_index]
            if candidate.presence >= COUNTED_PRESENCE
            else NOTHING,
            answers=tuple(answers),
        )
        for (_, candidate, answers), square, side in zip(questions, squares, sides, strict=True)
    )


def _possible_answers(candidate: Candidate, palette: Palette) -> list[tuple[str, float]]:
    """Return what may be there with its probability, the likeliest first."""
    chances = [
        (c, candidate.presence * share) for c, share in zip(palette.colours, candidate.shares, strict=True)
    ]
    options = [*chances, (NOTHING, 1 - candidate.presence)]
    return sorted((a for a in options if a[1] >= _MAY_BE), key=lambda a: -a[1])


def _squares(found: Sequence[Candidate], centres: Floats, flat: Rectified) -> Floats:
    """(N, 5, 2) centres and corners in the picture that was read; in one call, since a heap has fifty
    cubes."""
    half = np.array([one.edge_px / 2 for one in found])
    around = centres[:, None] + half[:, None, None] * _CENTRE_AND_CORNERS
    return np.asarray(project(around.reshape(-1, 2), flat.to_picture).reshape(-1, 5, 2), np.float64)
