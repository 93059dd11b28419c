"""Whether a tray still stands where it stood: its edge in the old picture compared with the new one.

Floor, wall and rim make lines along the outline, whatever lies under the tray: paper that was removed or
shifted moves none of them. They are searched across the outline, where they were and then around it.
"""

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture
from vision.scene.plane import Points, project
from vision.scene.tray import Tray

_PARTS = 32
_ACROSS = 8
"""Profiles across the outline in each of its parts; their median is what they have in common."""
_STEP_MM = 0.5
_INWARDS_MM, _OUTWARDS_MM = 8.0, 26.0
"""Reach from the floor's edge: the foot, the wall and the rim of all but the deepest trays."""
_REACH_MM = 20.0
_NOISE = 12.0
"""Level below which contrast says nothing; added before the logarithm."""
_LINE = 0.03
"""Change of the logarithm per step that makes a line: stronger ones count little more."""
_STOOD_MM = 1.5
"""Root mean square along the outline up to which a tray stands: pushed by 2 mm it does, by 4 mm not."""
_LEAST_ALIKE = 0.2
"""Of 56 rendered tables the least is 0.37, with the mat gone, cubes in the tray or a hand beside it."""
_LEAST_GAIN = 0.045
"""Gain by another place: at most 0.029 on those tables, at least 0.066 after 15 mm, 3 degrees or 4 %."""

Floats = npt.NDArray[np.float64]


def tray_still_stands(tray: Tray, then: Picture, now: Picture) -> bool:
    """Return whether the outline is where it was; a round tray merely turned about its middle counts."""
    correlations, outwards = _compare_lines(tray, then, tray, now)
    coarse_move, _ = _best_move(correlations, _move_grid((1.5, 12), (0.015, 4), (1.5, 3)) @ outwards)
    best_move, best_correlation = _best_move(
        correlations, coarse_move + _move_grid((0.5, 2), (0.005, 2), (0.5, 2)) @ outwards
    )
    small_moves = _SMALL_MOVES @ outwards
    _, in_place = _best_move(correlations, small_moves[_rms(small_moves) < _STOOD_MM])
    return in_place >= _LEAST_ALIKE and (
        best_correlation - in_place < _LEAST_GAIN or bool(_rms(best_move) < _STOOD_MM)
    )


def tray_followed(tray: Tray, then: Picture, now: Picture, move: Points) -> bool:
    """Return whether the lines are rather where a move of the picture would put them than in place.

    `move`: homography of pixels, then to now. After a large move other things' lines may lie in place.
    """
    in_place, moved = (
        _compare_lines(tray, then, at, now) for at in (tray, replace(tray, to_px=move @ tray.to_px))
    )
    return _similarity_nearby(*moved) > _similarity_nearby(*in_place)


def _similarity_nearby(correlations: Floats, outwards: Floats) -> float:
    moves = _SMALL_MOVES @ outwards
    return _best_move(correlations, moves[_rms(moves) < 2 * _STOOD_MM])[1]


def _compare_lines(tray: Tray, then: Picture, there: Tray, now: Picture) -> tuple[Floats, Floats]:
    """Compare the lines about a tray then and, where `there` lies, now.

    Returns `_correlations`, and (4, parts) how far outwards each part goes with each kind of `_move_grid`.
    """
    places, normals = _outline_with_normals(tray)
    correlations = _correlations(
        _line_strengths(then, tray, places, normals, 0.0),
        _line_strengths(now, there, places, normals, _REACH_MM),
    )
    part_places, part_normals = (
        points.reshape(_PARTS, _ACROSS, 2).mean(axis=1) for points in (places, normals)
    )
    tangents = np.stack([-part_places[:, 1], part_places[:, 0]], axis=1)
    outwards = np.column_stack(
        [part_normals, (part_normals * part_places).sum(axis=1), (part_normals * tangents).sum(axis=1)]
    ).T
    return correlations, outwards


def _outline_with_normals(tray: Tray) -> tuple[Points, Points]:
    """(N, 2) points in mm, evenly along the floor's edge, and (N, 2) outward normals there."""
    edge = np.concatenate([tray.outline_mm, tray.outline_mm[:1]])
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(edge, axis=0), axis=1))])
    positions = np.linspace(0, along[-1], _PARTS * _ACROSS, endpoint=False)
    places = np.column_stack([np.interp(positions, along, edge[:, axis]) for axis in (0, 1)])
    tangents = np.roll(places, -1, axis=0) - np.roll(places, 1, axis=0)
    normals = np.column_stack([tangents[:, 1], -tangents[:, 0]])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return places, normals * np.sign((normals * places).sum())


def _line_strengths(picture: Picture, tray: Tray, places: Points, normals: Points, reach_mm: float) -> Floats:
    """(parts, steps) strength 0..1 of the line there; 0 if the part reaches beyond the picture."""
    steps = np.arange(-_INWARDS_MM - reach_mm, _OUTWARDS_MM + reach_mm, _STEP_MM)
    samples_mm = places[:, None] + normals[:, None] * steps[None, :, None]
    samples_px = project(samples_mm.reshape(-1, 2), tray.to_px).reshape(*samples_mm.shape)
    x, y = (samples_px[..., axis].astype(np.float32) for axis in (0, 1))
    strip = cv2.remap(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), x, y, cv2.INTER_LINEAR)
    height, width = picture.shape[:2]
    inside = (x > 1) & (x < width - 2) & (y > 1) & (y < height - 2)
    logs = np.log(cv2.GaussianBlur(strip, (0, 0), 1.0).astype(np.float32) + _NOISE)
    part = np.median(logs.reshape(_PARTS, _ACROSS, -1), axis=1)
    change = np.abs(cv2.GaussianBlur(np.gradient(part, axis=1), (0, 0), sigmaX=1.6, sigmaY=0.01))
    return np.where(inside.reshape(_PARTS, _ACROSS, -1).all(axis=1), change / (change + _LINE), 0.0)


def _correlations(then: Floats, now: Floats) -> Floats:
    """(parts, shifts) correlation of each part with the new picture shifted outwards, `-_REACH_MM` first."""
    windows = np.lib.stride_tricks.sliding_window_view(now, then.shape[1], axis=1)
    then, windows = (each - each.mean(axis=-1, keepdims=True) for each in (then, windows))
    norms = (np.linalg.norm(then, axis=1)[:, None] + 0.05) * (np.linalg.norm(windows, axis=2) + 0.05)
    return np.asarray(np.einsum("ps,pws->pw", then, windows) / norms, np.float64)


def _move_grid(mm: tuple[float, int], share: tuple[float, int], degrees: tuple[float, int]) -> Floats:
    """(N, 4) moves sideways, towards the person, in scale and rotation: a grid of (step, number each way)."""
    across, larger, turned = (step * np.arange(-most, most + 1) for step, most in (mm, share, degrees))
    grid = np.meshgrid(across, across, larger, np.radians(turned), indexing="ij")
    return np.stack([axis.ravel() for axis in grid], axis=1)


_SMALL_MOVES = _move_grid((0.5, 4), (0.005, 2), (0.5, 1))


def _best_move(correlations: Floats, outwards_mm: Floats) -> tuple[Floats, float]:
    """Return the best of (N, parts) moves and the similarity of the pictures under it."""
    shifts = np.round((outwards_mm + _REACH_MM) / _STEP_MM).astype(int)
    in_reach = (shifts >= 0) & (shifts < correlations.shape[1])
    matched = correlations[np.arange(len(correlations)), np.clip(shifts, 0, correlations.shape[1] - 1)]
    means = np.where(in_reach, matched, 0.0).mean(axis=1)
    best = int(np.argmax(means))
    return outwards_mm[best], float(means[best])


def _rms(outwards_mm: Floats) -> Floats:
    return np.asarray(np.sqrt((outwards_mm**2).mean(axis=-1)), np.float64)
