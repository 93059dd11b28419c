"""The memorable battles of a game, and where each seat's points came from."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from companion.games.protocol import Json, Step
from companion.games.shogun import events as e
from companion.games.shogun.state import Result, State, Throw
from companion.games.shogun.words import FARMERS, Fight
from companion.tower.piles import Pile, total

SOURCES = ("provinces", "buildings", "castle", "temple", "theatre")
"""The sources of points (V-1 to V-3)."""


def battles(past: Sequence[Step[State, e.Event]]) -> Json:
    """Return the number of battles and revolts, the largest, the closest, and the most contested province."""
    records = list(_battle_records(past))
    contested = _most_contested([record["province"] for record in records])
    return {
        "battles": sum(record["fight"] == Fight.ATTACK.value for record in records),
        "revolts": sum(record["fight"] != Fight.ATTACK.value for record in records),
        "largest": max(records, key=lambda record: record["cubes"], default=None),
        "closest": min(records, key=lambda record: (record["margin"], -record["cubes"]), default=None),
        "often": contested,
    }


def _battle_records(past: Iterable[Step[State, e.Event]]) -> Iterator[Json]:
    for step in past:
        for event in step.events:
            if isinstance(event, e.ThrowSettled):
                yield _battle_record(step.batch, event.throw, event.thrown, event.tray, event.result)


def _battle_record(batch: int, throw: Throw, thrown: Pile, tray: Pile, result: Result) -> Json:
    attack = tray.get(throw.attacker, 0) if throw.attacker else tray.get(FARMERS, 0)
    defence = tray.get(throw.defender, 0) if throw.defender else tray.get(FARMERS, 0)
    farmer_help = (
        (tray.get(FARMERS, 0) - result.stays.get(FARMERS, 0)) if throw.attacker and throw.defender else 0
    )
    return {
        "batch": batch,
        "fight": throw.fight.value,
        "province": throw.province,
        "attacker": throw.attacker,
        "defender": throw.defender,
        "outcome": result.outcome.value,
        "cubes": total(thrown),
        "attack": attack,
        "defence": defence + farmer_help,
        "margin": abs(attack - defence - farmer_help),
    }


def _most_contested(names: Sequence[str]) -> Json | None:
    counts = {name: names.count(name) for name in dict.fromkeys(names)}
    if not counts:
        return None
    province = max(counts, key=lambda name: counts[name])
    return {"province": province, "n": counts[province]}


def points_by_source(winters: Iterable[Json]) -> dict[str, dict[str, int]]:
    """Return each seat's points by source, over all winters."""
    by_source: dict[str, dict[str, int]] = {}
    for winter in winters:
        scoring = winter["scoring"]
        for seat in scoring["before"] if scoring else ():
            by_source.setdefault(seat, dict.fromkeys(SOURCES, 0))
        for source, points in _gains_by_source(scoring):
            for seat, number in points.items():
                by_source[seat][source] += number
    return by_source


def _gains_by_source(scoring: Json | None) -> Iterator[tuple[str, Mapping[str, Any]]]:
    names = {"V-1": "provinces", "V-2": "buildings"}
    for region in scoring["regions"] if scoring else ():
        for gain in region["gains"]:
            yield gain["kind"] or names[gain["rule"]], gain["points"]
