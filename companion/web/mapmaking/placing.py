"""Searches for seeds whose provinces touch exactly where the board has borders; kept in `seeds.json`."""

import json
import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.web.mapmaking.facts import ISLAND_OF, LAND_BORDERS, NAME_PLACES
from companion.web.mapmaking.labels import SEA, Grid, Seed, provinces
from companion.web.mapmaking.outline import placed

SEEDS_FILE = Path(__file__).with_name("seeds.json")
WANTED_BORDER = 64.0
"""Border length, in map units, that two neighbours should share before coast and borders are roughened."""
WANTED_AREA = 17_000.0
COARSE = Grid(step=14)

# Provinces that are long or bent grow from additional points (in board units, like the label positions).
_EXTRA = {
    "kii": ((1100, 905), (1230, 890)),
    "ise": ((1395, 640), (1330, 830)),
    "shinano": ((1830, 300), (1830, 510)),
    "kozuke": ((2230, 400),),
    "shimosa": ((2390, 455), (2540, 640)),
    "musashi": ((2190, 480),),
    "kai": ((1950, 590),),
    "mino": ((1600, 550), (1400, 500)),
    "echizen": ((1400, 450),),
    "omi": ((1240, 540), (1180, 655)),
    "hoki": ((520, 380), (740, 400)),
    "harima": ((860, 480),),
    "echigo": ((1870, 230), (2180, 120)),
    "mutsu": ((2330, 180), (2530, 250)),
    "iyo": ((600, 800),),
    "noto": ((1455, 190),),
    "mikawa": ((1720, 600),),
    "totomi": ((1880, 600),),
    "tamba": ((1070, 600),),
}

Places = dict[str, list[Seed]]


def first_guess() -> Places:
    """Return the label positions and the bent provinces' additional points, all of equal reach."""
    places: Places = {}
    for province, (x, y) in NAME_PLACES.items():
        points = [(x, y), *_EXTRA.get(province, ())]
        places[province] = [Seed(*placed(*point), 0.0) for point in points]
    return places


def border_lengths(owner: NDArray[np.int16], count: int, step: int) -> NDArray[np.float64]:
    """Return approximate border lengths in map units, (count, count), symmetric."""
    lengths = np.zeros((count, count))
    for first, second in ((owner[:, :-1], owner[:, 1:]), (owner[:-1], owner[1:])):
        borders = (first != second) & (first != SEA) & (second != SEA)
        np.add.at(lengths, (first[borders], second[borders]), step * 0.8)
    return lengths + lengths.T


def border_penalty(places: Mapping[str, list[Seed]], wanted: NDArray[np.bool_]) -> float:
    """Return the seeds' penalty: 0 if all borders and provinces are large enough and no border is extra."""
    names = list(places)
    owner = provinces(COARSE, places, ISLAND_OF, wander=0.0)
    lengths = border_lengths(owner, len(names), COARSE.step)
    missing = np.clip(WANTED_BORDER - lengths, 0.0, None)[wanted].sum()
    extra = lengths[~wanted].sum() + 25.0 * np.count_nonzero(lengths[~wanted])
    areas = np.bincount(owner[owner != SEA], minlength=len(names)) * float(COARSE.step**2)
    small = np.clip(WANTED_AREA - areas, 0.0, None).sum() / 150.0
    return float(missing + 2.0 * extra) / 2.0 + float(small)


def stray_penalty(places: Mapping[str, list[Seed]], start: Mapping[str, list[Seed]]) -> float:
    """Return the penalty for straying from the starting positions and from equal reach."""
    pairs = (
        (point, origin) for name in places for point, origin in zip(places[name], start[name], strict=True)
    )
    return sum(
        math.hypot(point.x - origin.x, point.y - origin.y) / 60.0 + abs(point.reach) / 40.0
        for point, origin in pairs
    )


def search(tries: int, seed: int, places: Places, start: Places) -> Places:
    """Move one point at a time and keep what is not worse; deterministic for the same tries and seed."""
    rng = np.random.default_rng(seed)
    names = list(places)
    wanted = np.array([[frozenset((a, b)) in LAND_BORDERS for b in names] for a in names])
    best = border_penalty(places, wanted) + stray_penalty(places, start)
    for attempt in range(tries):
        size = 60.0 * (1.0 - attempt / tries) + 8.0
        name = names[rng.integers(len(names))]
        points = list(places[name])
        index = int(rng.integers(len(points)))
        move = rng.normal(0.0, size, 3)
        points[index] = Seed(
            points[index].x + move[0], points[index].y + move[1], points[index].reach + move[2] / 3
        )
        trial = {**places, name: points}
        score = border_penalty(trial, wanted) + stray_penalty(trial, start)
        if score <= best:
            places, best = trial, score
    return places


def load_seeds() -> Places:
    """Load the seeds kept beside this module."""
    kept = json.loads(SEEDS_FILE.read_text(encoding="utf-8"))
    return {name: [Seed(*point) for point in points] for name, points in kept.items()}


def save_seeds(places: Places) -> None:
    """Save the seeds, rounded to whole map units."""
    rows = {
        name: [[round(p.x), round(p.y), round(p.reach)] for p in points] for name, points in places.items()
    }
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(points)}" for name, points in rows.items())
    SEEDS_FILE.write_text("{\n" + lines + "\n}\n", encoding="utf-8")
