import itertools
import json
from collections import defaultdict

import numpy as np
import pytest

from companion.web.mapmaking.__main__ import MAP_FILE, written
from companion.web.mapmaking.arcs import arcs, rings, thinned
from companion.web.mapmaking.drawing import FINE, WANDER, whole
from companion.web.mapmaking.facts import ISLAND_OF, LAND_BORDERS, SEA_ROUTES
from companion.web.mapmaking.labels import PADDING, SEA, provinces
from companion.web.mapmaking.placing import load_seeds

SHORTEST_BORDER = 40
"""In map units, of which the map is 2660 wide: 18 px on a tablet that shows the whole map."""
MAP = json.loads(MAP_FILE.read_text(encoding="utf-8"))


def _border_lengths() -> dict[frozenset[str], int]:
    lengths: dict[frozenset[str], int] = defaultdict(int)
    for border in MAP["borders"]:
        lengths[frozenset((border["a"], border["b"]))] += border["length"]
    return lengths


def test_two_provinces_touch_exactly_where_the_board_has_a_border() -> None:
    assert set(_border_lengths()) == LAND_BORDERS


def test_every_border_is_long_enough_to_be_seen() -> None:
    assert min(_border_lengths().values()) >= SHORTEST_BORDER


def test_no_two_provinces_meet_in_one_corner_only() -> None:
    """If four provinces met in one point, nobody could tell which ones are adjacent."""
    names_by_corner: dict[tuple[float, float], set[str]] = defaultdict(set)
    seeds = load_seeds()
    names = list(seeds)
    labels = whole(provinces(FINE, seeds, ISLAND_OF, WANDER), len(names))
    for arc in arcs(labels, FINE.step, PADDING):
        for x, y in arc.points[[0, -1]]:
            names_by_corner[(float(x), float(y))] |= {
                names[side] for side in (arc.left, arc.right) if side != SEA
            }
    for neighbours in names_by_corner.values():
        assert all(frozenset(pair) in LAND_BORDERS for pair in itertools.combinations(neighbours, 2)), (
            neighbours
        )


def test_each_province_is_one_closed_piece_with_room_for_its_signs() -> None:
    assert len(MAP["provinces"]) == 45
    for name, province in MAP["provinces"].items():
        assert province["path"].count("M") == 1, name
        assert province["path"].endswith("Z"), name
        assert province["room"] >= 45, name
        assert 0 < province["x"] < MAP["width"], name
        assert 0 < province["y"] < MAP["height"], name


def test_sea_routes_are_those_of_the_board() -> None:
    assert [(route["a"], route["b"]) for route in MAP["sea"]] == list(SEA_ROUTES)


def test_the_map_in_the_repository_is_what_the_program_draws() -> None:
    assert written() == MAP_FILE.read_text(encoding="utf-8")


def test_lines_of_a_raster_close_around_each_label() -> None:
    labels = np.full((8, 9), SEA, np.int16)
    labels[2:6, 2:4] = 0
    labels[2:6, 4:7] = 1
    raster_arcs = arcs(labels, step=1, padding=0, width=0, tolerance=0.0)
    assert sum(1 for arc in raster_arcs if {arc.left, arc.right} == {0, 1}) == 1
    for label in (0, 1):
        (ring,) = rings(label, raster_arcs)
        assert np.array_equal(ring[0][0], ring[-1][-1])


@pytest.mark.parametrize(("tolerance", "point_count"), [(0.5, 3), (2.0, 2)])
def test_thinning_keeps_what_sticks_out(tolerance: float, point_count: int) -> None:
    assert len(thinned(np.array([[0.0, 0], [5, 1], [10, 0]]), tolerance)) == point_count
