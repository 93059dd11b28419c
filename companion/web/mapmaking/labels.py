"""Assigns each spot of land to the province of the nearest seed, with a little noise."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.web.mapmaking.outline import HEIGHT, HONSHU, SHIKOKU, WIDTH, Point

PADDING = 72
"""Margin drawn beyond each edge, in map units, so that land that leaves the map ends outside it."""
SEA = -1


@dataclass(frozen=True)
class Seed:
    """A point that a province grows from; `reach` (map units) lets it grow farther than its neighbours."""

    x: float
    y: float
    reach: float


Seeds = Mapping[str, Sequence[Seed]]


@dataclass(frozen=True)
class Grid:
    """A raster over the map and its padding, with square cells `step` map units wide."""

    step: int

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return ((HEIGHT + 2 * PADDING) // self.step, (WIDTH + 2 * PADDING) // self.step)

    def centres(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return x and y of each cell's centre in map units, both (rows, columns)."""
        rows, columns = np.indices(self.shape)
        half = self.step / 2 - PADDING
        return columns.astype(np.float64) * self.step + half, rows.astype(np.float64) * self.step + half

    def cells(self, polygon: Sequence[Point]) -> NDArray[np.int32]:
        """Return the corners of a polygon in cells, for drawing."""
        corners = (np.array(polygon) + PADDING) / self.step - 0.5
        return np.rint(corners).astype(np.int32)


def smooth_noise(grid: Grid, wave: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return smooth noise of about -1..1 with a wavelength of `wave` map units, (rows, columns)."""
    rows, columns = grid.shape
    coarse = (int(rows * grid.step / wave) + 3, int(columns * grid.step / wave) + 3)
    hills = rng.uniform(-1.0, 1.0, coarse)
    return np.asarray(cv2.resize(hills, (columns, rows), interpolation=cv2.INTER_CUBIC), dtype=np.float64)


def warp(grid: Grid, amount: float, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the cell centres displaced by up to about `amount` map units, in waves of three sizes."""
    rng = np.random.default_rng(seed)
    x, y = grid.centres()
    for wave, share in ((120.0, 1.0), (54.0, 0.75), (26.0, 0.5)):
        x = x + amount * share * smooth_noise(grid, wave, rng)
        y = y + amount * share * smooth_noise(grid, wave, rng)
    return x, y


def islands(grid: Grid, amount: float = 0.0) -> NDArray[np.uint8]:
    """Return 0 for sea, 1 for Honshu, 2 for Shikoku, (rows, columns); `amount` displaces the coast."""
    drawn = np.zeros(grid.shape, np.uint8)
    cv2.fillPoly(drawn, [grid.cells(HONSHU)], 1)
    cv2.fillPoly(drawn, [grid.cells(SHIKOKU)], 2)
    if not amount:
        return drawn
    x, y = warp(grid, amount, seed=7)
    columns = ((x + PADDING) / grid.step - 0.5).astype(np.float32)
    rows = ((y + PADDING) / grid.step - 0.5).astype(np.float32)
    return np.asarray(cv2.remap(drawn, columns, rows, cv2.INTER_NEAREST), dtype=np.uint8)


def provinces(grid: Grid, seeds: Seeds, island_of: Mapping[str, int], wander: float) -> NDArray[np.int16]:
    """Return the index of each cell's province in the order of `seeds`, or `SEA`, (rows, columns)."""
    land = islands(grid, wander)
    x, y = warp(grid, wander, seed=11) if wander else grid.centres()
    best = np.full(grid.shape, np.inf)
    owner = np.full(grid.shape, SEA, np.int16)
    for index, (province, points) in enumerate(seeds.items()):
        on_island = land == island_of[province]
        for point in points:
            distances = np.hypot(x - point.x, y - point.y) - point.reach
            nearer = on_island & (distances < best)
            best[nearer] = distances[nearer]
            owner[nearer] = index
    return owner
