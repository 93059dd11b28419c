"""Draws the whole map as one JSON document: outlines, borders, coasts, sea routes and label positions."""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.web.mapmaking.arcs import Arc, arcs, rings
from companion.web.mapmaking.facts import ISLAND_OF, PRINTED, SEA_ROUTES
from companion.web.mapmaking.labels import PADDING, SEA, Grid, Seeds, provinces
from companion.web.mapmaking.outline import HEIGHT, ISLETS, LAKE_BIWA, WIDTH

FINE = Grid(step=4)
WANDER = 13.0
"""How far borders and coasts are displaced, in map units; more would break short borders."""


def whole(labels: NDArray[np.int16], count: int) -> NDArray[np.int16]:
    """Reduce each label to its largest piece; splinters go to the province around them, or to the sea."""
    kept = np.full(labels.shape, SEA, np.int16)
    for index in range(count):
        _, parts, stats, _ = cv2.connectedComponentsWithStats(
            (labels == index).astype(np.uint8), connectivity=4
        )
        kept[parts == 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())] = index
    for _ in range(40):
        open_cells = (kept == SEA) & (labels != SEA)
        for axis, shift in ((0, 1), (0, -1), (1, 1), (1, -1)):
            neighbours = np.roll(kept, shift, axis)
            fill = open_cells & (kept == SEA) & (neighbours != SEA)
            kept[fill] = neighbours[fill]
    kept[[0, -1], :] = SEA
    kept[:, [0, -1]] = SEA
    return kept


MOVED = {"mino": (-116, -37), "owari": (0, 32), "kii": (0, 24), "settsu": (-16, 0), "awa-shikoku": (40, 10)}
"""Offsets from the roomiest spot, in map units, for names that would overlap a neighbour's signs."""


def label_place(mask: NDArray[np.bool_]) -> tuple[int, int, int]:
    """Return x, y of a province's roomiest spot within the map, and the room around it, in map units."""
    inside = mask.astype(np.uint8)
    edge = PADDING // FINE.step + 6
    inside[:edge] = 0
    inside[-edge:] = 0
    inside[:, :edge] = 0
    inside[:, -edge:] = 0
    room = cv2.distanceTransform(inside, cv2.DIST_L2, 5)
    rows, columns = np.nonzero(inside)
    row_away = np.arange(room.shape[0])[:, None] - rows.mean()
    column_away = np.arange(room.shape[1])[None, :] - columns.mean()
    row, column = np.unravel_index(int((room - 0.12 * np.hypot(row_away, column_away)).argmax()), room.shape)
    x, y = (int((at + 0.5) * FINE.step - PADDING) for at in (column, row))
    return x, y, int(room[row, column] * FINE.step)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def smooth_path(line: NDArray[np.float64], *, start: bool) -> str:
    """Return a smooth SVG path along a line; the curve is the same when drawn from the other end."""
    words = [f"M{_number(line[0][0])} {_number(line[0][1])}"] if start else []
    if len(line) > 2:
        middles = [*((line[1:-2] + line[2:-1]) / 2), line[-1]]
        for bend, to in zip(line[1:-1], middles, strict=True):
            words.append(f"Q{_number(bend[0])} {_number(bend[1])} {_number(to[0])} {_number(to[1])}")
    else:
        words.append(f"L{_number(line[1][0])} {_number(line[1][1])}")
    return "".join(words)


def outline_path(label: int, lines: list[Arc]) -> str:
    """Return the closed outline of a label as an SVG path."""
    return "".join(
        "".join(smooth_path(line, start=not at) for at, line in enumerate(ring)) + "Z"
        for ring in rings(label, lines)
    )


def closed_path(corners: Sequence[Sequence[float]]) -> str:
    """Return a smooth closed SVG path around a few corners."""
    points = np.array(corners, float)
    start = (points[-1] + points[0]) / 2
    return smooth_path(np.vstack([start, points, start]).round(1), start=True) + "Z"


def sea_route(coast_a: NDArray[np.float64], coast_b: NDArray[np.float64]) -> str:
    """Return an SVG path between the nearest points of two coasts, bent away from the land in the middle."""
    distances = np.hypot(coast_a[:, None, 0] - coast_b[None, :, 0], coast_a[:, None, 1] - coast_b[None, :, 1])
    i, j = np.unravel_index(int(distances.argmin()), distances.shape)
    start, end = coast_a[i], coast_b[j]
    across = np.array([end[1] - start[1], start[0] - end[0]])
    north = -1.0 if (start[1] + end[1]) / 2 < HEIGHT / 2 else 1.0
    bend = (start + end) / 2 + across * 0.22 * north * np.sign(start[0] - end[0])
    numbers = [_number(float(n)) for n in (*start, *bend, *end)]
    return "M{} {}Q{} {} {} {}".format(*numbers)


def _coasts(lines: list[Arc], count: int) -> dict[int, NDArray[np.float64]]:
    shores = {}
    for label in range(count):
        borders = [arc.points for arc in lines if {arc.left, arc.right} == {label, SEA}]
        if borders:
            shores[label] = np.vstack(borders)
    return shores


def draw(seeds: Seeds) -> Mapping[str, object]:
    """Return the map document; `borders` holds each pair of touching provinces with the line they share."""
    names = list(seeds)
    labels = whole(provinces(FINE, seeds, ISLAND_OF, WANDER), len(names))
    lines = arcs(labels, FINE.step, PADDING)
    shores = _coasts(lines, len(names))
    shown = {}
    for index, name in enumerate(names):
        x, y, room = label_place(labels == index)
        x, y = (at + offset for at, offset in zip((x, y), MOVED.get(name, (0, 0)), strict=True))
        shown[name] = {**PRINTED[name], "path": outline_path(index, lines), "x": x, "y": y, "room": room}
    inner = [arc for arc in lines if SEA not in (arc.left, arc.right)]
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "provinces": shown,
        "borders": [
            {
                "a": names[arc.left],
                "b": names[arc.right],
                "length": round(arc.length),
                "path": smooth_path(arc.points, start=True),
            }
            for arc in inner
        ],
        "coast": outline_path(SEA, lines),
        "sea": [
            {"a": a, "b": b, "path": sea_route(shores[names.index(a)], shores[names.index(b)])}
            for a, b in SEA_ROUTES
        ],
        "islets": [closed_path(islet) for islet in ISLETS],
        "lake": closed_path(LAKE_BIWA),
    }
