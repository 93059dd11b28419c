"""Turns a raster of labels into lines: both provinces share one border line, so no gap can open."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vertex = tuple[int, int]
"""A corner between cells: row, column."""
Step = tuple[Vertex, Vertex, int, int]
"""A crack (edge between two cells) from one corner to the next, with the labels on its left and right."""


@dataclass(frozen=True)
class Arc:
    """A line with the label `left` on its left; `points` is (n, 2), x and y in map units."""

    left: int
    right: int
    points: NDArray[np.float64]

    @property
    def length(self) -> float:
        """Length of the line, in map units."""
        return float(np.hypot(*np.diff(self.points, axis=0).T).sum())


def cracks(labels: NDArray[np.int16]) -> Iterable[Step]:
    """Yield every unit line between two cells of different labels, going down or to the right."""
    for row, column in zip(*np.nonzero(labels[:, :-1] != labels[:, 1:]), strict=True):
        right, left = int(labels[row, column]), int(labels[row, column + 1])
        yield (int(row), int(column) + 1), (int(row) + 1, int(column) + 1), left, right
    for row, column in zip(*np.nonzero(labels[:-1] != labels[1:]), strict=True):
        left, right = int(labels[row, column]), int(labels[row + 1, column])
        yield (int(row) + 1, int(column)), (int(row) + 1, int(column) + 1), left, right


def trace(labels: NDArray[np.int16]) -> list[tuple[int, int, list[Vertex]]]:
    """Return lines of cracks from junction to junction, or closed loops, with the labels left and right."""
    ways: dict[Vertex, list[tuple[Vertex, int, int]]] = defaultdict(list)
    for start, end, left, right in cracks(labels):
        ways[start].append((end, left, right))
        ways[end].append((start, right, left))
    used: set[tuple[Vertex, Vertex]] = set()
    lines: list[tuple[int, int, list[Vertex]]] = []
    junctions = sorted(corner for corner, out in ways.items() if len(out) != 2)
    for corner in [*junctions, *sorted(ways)]:
        for end, left, right in ways[corner]:
            if (corner, end) not in used:
                lines.append((left, right, _follow(corner, end, ways, used)))
    return lines


def _follow(
    start: Vertex,
    second: Vertex,
    ways: dict[Vertex, list[tuple[Vertex, int, int]]],
    used: set[tuple[Vertex, Vertex]],
) -> list[Vertex]:
    followed = [start, second]
    used |= {(start, second), (second, start)}
    while len(ways[followed[-1]]) == 2 and followed[-1] != start:
        onward = next(end for end, _, _ in ways[followed[-1]] if end != followed[-2])
        used |= {(followed[-1], onward), (onward, followed[-1])}
        followed.append(onward)
    return followed


def softened(points: NDArray[np.float64], width: int) -> NDArray[np.float64]:
    """Return the line with its stairs smoothed over about `width` points; the two ends stay fixed."""
    soft = points.copy()
    for _ in range(width):
        soft[1:-1] = soft[1:-1] / 2 + (soft[:-2] + soft[2:]) / 4
    return soft


def thinned(points: NDArray[np.float64], tolerance: float) -> NDArray[np.float64]:
    """Return the line without the points within `tolerance` of what remains (Douglas and Peucker)."""
    if len(points) < 3:
        return points
    chord = points[-1] - points[0]
    offsets = points - points[0]
    span = float(np.hypot(*chord))
    if span > 0:
        distances = np.abs(chord[0] * offsets[:, 1] - chord[1] * offsets[:, 0]) / span
    else:
        distances = np.hypot(offsets[:, 0], offsets[:, 1])
    farthest = int(distances.argmax())
    if distances[farthest] <= tolerance:
        return points[[0, -1]]
    return np.vstack([thinned(points[: farthest + 1], tolerance)[:-1], thinned(points[farthest:], tolerance)])


def arcs(
    labels: NDArray[np.int16], step: int, padding: int, width: int = 7, tolerance: float = 1.2
) -> list[Arc]:
    """Return all lines of a raster, softened and thinned, in map units."""
    found = []
    for left, right, line in trace(labels):
        corners = np.array(line, float)[:, ::-1] * step - padding
        found.append(Arc(left, right, thinned(softened(corners, width), tolerance).round(1)))
    return found


def rings(label: int, lines: list[Arc]) -> list[list[NDArray[np.float64]]]:
    """Return the closed outlines of a label, each a chain of lines end to end with the label on the left."""
    pieces = [arc.points for arc in lines if arc.left == label]
    pieces += [arc.points[::-1] for arc in lines if arc.right == label]
    outlines: list[list[NDArray[np.float64]]] = []
    while pieces:
        ring = [pieces.pop(0)]
        while not np.array_equal(ring[-1][-1], ring[0][0]):
            end = ring[-1][-1]
            index = next(i for i, piece in enumerate(pieces) if np.array_equal(piece[0], end))
            ring.append(pieces.pop(index))
        outlines.append(ring)
    return outlines
