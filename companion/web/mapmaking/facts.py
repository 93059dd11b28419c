"""Facts the drawing must obey: label positions, borders and sea routes, from the game's data files."""

import json
from importlib.resources import files
from typing import TypedDict

_DATA = files("companion.games.shogun") / "data"


class _Side(TypedDict):
    region: str


class _Province(TypedDict):
    id: str
    name: str
    sun: _Side
    x: float
    y: float


class _Edge(TypedDict):
    a: str
    b: str
    kind: str


_provinces: list[_Province] = json.loads((_DATA / "provinces.json").read_text(encoding="utf-8"))["provinces"]
_edges: list[_Edge] = json.loads((_DATA / "adjacency.json").read_text(encoding="utf-8"))["edges"]

NAME_PLACES = {row["id"]: (row["x"] * 2660, row["y"] * 1000) for row in _provinces}
PRINTED = {row["id"]: {"name": row["name"], "sun": row["sun"]["region"]} for row in _provinces}
"""What the map shows for a province about which the view of the game says nothing."""
LAND_BORDERS = frozenset(frozenset((e["a"], e["b"])) for e in _edges if e["kind"] == "land")
SEA_ROUTES = tuple((e["a"], e["b"]) for e in _edges if e["kind"] == "sea")
_ON_SHIKOKU = frozenset({"iyo", "sanuki", "tosa", "awa-shikoku"})
ISLAND_OF = {name: 2 if name in _ON_SHIKOKU else 1 for name in NAME_PLACES}
