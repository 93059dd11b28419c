"""Cubes that look alike have the same colour, and others do not: all cubes of a colour have one dye.

The networks see a place and its neighbours. If a dye lies between two colours, or in deep shadow, they name
half of the cubes that look the same one colour and half the other; a person compares all cubes of the tray.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.finding.candidates import Candidate, Floats, face, is_glossy
from vision.levels import quantile
from vision.palette import Palette
from vision.pictures import Picture
from vision.scene.light import srgb_to_linear

_COMPARED = 0.3
"""Presence from which a cube is compared; it then counts in proportion to its presence."""
_DOUBT = 0.98
"""Share of a cube's likeliest colour below which its colour is in doubt; surer ones are left as they are."""
_GLOSS = 0.01
"""Linear light that every face reflects as gloss."""
_HUE = np.array([[1, -2, 1], [1, 0, -1]]) / np.sqrt([[6], [2]])
"""(2, 3) axes orthogonal to grey in logarithms of blue, green and red."""
_FADED, _GREY = 0.55, 0.3
"""Weight of the difference in chroma beside that in hue, and what is added to the chroma it is relative
to."""
_PER_DISTANCE = 6.6
_OTHER_DYE, _SLOPE = 0.27, 22.0
"""Distance at which another dye is as likely as the same one in another light, and logits per unit of
distance; fitted on all pairs of cubes of 1,800 labelled trays."""
_TAKEN = 3.0
"""Logits that a colour loses if a sure cube of another dye has it: two lights in one tray are 1 in 20. This
and `_PER_DISTANCE` were fitted on the 54 of 2,153 labelled trays with such doubt."""
_WHOLE = 0.9
"""Presence of a cube of which enough shows: the centre of one that is all but covered belongs to another."""
_BESIDE = 0.8
"""Distance, in edges, beyond which neither of two cubes covers the other's centre."""
_SURE = 0.95
"""Presence above which a black cube shows how black cubes look in this tray."""
_DOUBTED_FROM, _DOUBTED_TO = 0.003, 0.97
"""Range of presence in which a black cube is in doubt."""
_GRAIN = 0.003
"""Linear light added before taking logarithms: the darkest pixels have at least that."""
_SHARPER, _RISEN, _LEVEL, _TINT = 1.46, 1.95, -0.7, -3.2
"""Change of the logits: their factor, the offset, and the slopes per unit of difference in level and in tint
from the sure ones. Fitted on 309 places of nine folders; on 148 places of three others the log loss falls
from 28.3 to 23.0."""
_LEAST = 1e-6


def settle_colours(found: Sequence[Candidate], image: Picture) -> list[Candidate]:
    """Settle doubtful colours in a (H, W, 3) uint8 BGR picture under white light by how other cubes look."""
    compared = [n for n, one in enumerate(found) if not one.under and one.presence > _COMPARED]
    doubtful = np.array(
        [max(found[n].shares) < _DOUBT and found[n].presence > _WHOLE for n in compared], bool
    )
    if len(compared) < 2 or not doubtful.any():
        return list(found)
    comparable = _are_uncovered([found[n] for n in compared]) & _are_matte(
        [found[n] for n in compared], image
    )
    if not (doubtful := doubtful & comparable).any():
        return list(found)
    dye_distances = distances(np.array([_log_top(image, found[n], _GLOSS) for n in compared]))
    presences = comparable * np.array([found[n].presence for n in compared])
    first_shares = np.array([found[n].shares for n in compared])
    weights = np.exp(-_PER_DISTANCE * dye_distances) * presences
    np.fill_diagonal(weights, 1.0)
    mean_logs = np.log(np.maximum(first_shares, _LEAST))
    mean_logs = (weights @ mean_logs) / weights.sum(axis=1, keepdims=True)
    shares = np.where(doubtful[:, None], _softmax(mean_logs), first_shares)
    other_dye = 1 / (1 + np.exp(_SLOPE * (_OTHER_DYE - dye_distances)))
    taken = (other_dye[:, :, None] * (shares * presences[:, None])).max(axis=1)
    shares = np.where(
        doubtful[:, None], _softmax(np.log(np.maximum(shares, _LEAST)) - _TAKEN * taken), first_shares
    )
    settled = list(found)
    for n, new_shares in zip(compared, shares.tolist(), strict=True):
        settled[n] = replace(found[n], shares=tuple(new_shares))
    return settled


def compare_black(found: Sequence[Candidate], image: Picture, palette: Palette) -> list[Candidate]:
    """Move doubtful black candidates on a dark floor by their likeness to the tray's sure black cubes."""
    black = palette.colours.index("black")
    are_black = [candidate.colour_index == black and not candidate.under for candidate in found]
    are_sure = [
        is_black and candidate.presence > _SURE for candidate, is_black in zip(found, are_black, strict=True)
    ]
    are_doubtful = [
        is_black and _DOUBTED_FROM < candidate.presence < _DOUBTED_TO
        for candidate, is_black in zip(found, are_black, strict=True)
    ]
    if not any(are_sure) or not any(are_doubtful):
        return list(found)
    looks = {
        n: _log_top(image, candidate, _GRAIN)
        for n, candidate in enumerate(found)
        if are_sure[n] or are_doubtful[n]
    }
    compared = list(found)
    for n, candidate in enumerate(found):
        sure_looks = [looks[m] for m in looks if are_sure[m] and m != n]
        if are_doubtful[n] and sure_looks:
            level, tint = _look_difference(looks[n], np.array(sure_looks))
            logit = float(np.log(candidate.presence / (1 - candidate.presence)))
            logit = _SHARPER * logit + _RISEN + _LEVEL * level + _TINT * tint
            compared[n] = replace(candidate, presence=float(1 / (1 + np.exp(-logit))))
    return compared


def _look_difference(look: Floats, others: Floats) -> tuple[float, float]:
    """Return by how much a (3,) look differs in level and in tint from the median of (N, 3) others."""
    levels = others.mean(axis=1)
    tint = np.median(others - levels[:, None], axis=0)
    level = float(look.mean())
    return abs(level - float(np.median(levels))), float(np.abs(look - level - tint).sum())


def _are_uncovered(cubes: Sequence[Candidate]) -> npt.NDArray[np.bool_]:
    """Return (N,) whether a cube's centre is its own: no other lies so close that one covers the other."""
    centres = np.array([one.centre_px for one in cubes])
    centre_distances = np.hypot(*(centres[:, None] - centres[None]).transpose(2, 0, 1))
    np.fill_diagonal(centre_distances, np.inf)
    return np.asarray(centre_distances.min(axis=1) > _BESIDE * np.array([one.edge_px for one in cubes]))


def _are_matte(cubes: Sequence[Candidate], image: Picture) -> npt.NDArray[np.bool_]:
    """Return (N,) whether a top shows its dye: one that mirrors a lamp is grey, whatever its colour."""
    tops = [face(image, round(one.centre_px[0]), round(one.centre_px[1]), one.edge_px) for one in cubes]
    return np.array([not is_glossy(top) for top in tops], bool)


def distances(looks: Floats) -> Floats:
    """Return (N, N) distances in hue and chroma between (N, 3) log lights (BGR), whatever the level."""
    hues = looks @ _HUE.T
    chroma = np.hypot(hues[:, 0], hues[:, 1])
    hue_angle = np.arctan2(hues[:, 1], hues[:, 0])
    hue_distance = np.abs((hue_angle[:, None] - hue_angle + np.pi) % (2 * np.pi) - np.pi)
    mean_chroma = np.sqrt(chroma[:, None] * chroma)
    return np.asarray(
        mean_chroma * hue_distance + _FADED * np.abs(chroma[:, None] - chroma) / (mean_chroma + _GREY),
        np.float64,
    )


def _log_top(image: Picture, candidate: Candidate, least: float) -> Floats:
    """Return (3,) logarithms of the light of a cube's top plus `least`."""
    x, y = (round(v) for v in candidate.centre_px)
    return np.asarray(np.log(srgb_to_linear(quantile(face(image, x, y, candidate.edge_px), 0.5)) + least))


def _softmax(logs: Floats) -> Floats:
    """Normalise logarithms to (N, colours) probabilities."""
    odds = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))
