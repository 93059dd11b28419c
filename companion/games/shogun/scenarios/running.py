"""Dispatch of scenarios: the fields of `when` select the function that plays it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.games.protocol import Json, Refused
from companion.games.shogun.scenarios import fights, plans, tables, winters
from companion.games.shogun.scenarios.compare import differences

Player = Callable[[Json, Json], Json]

_WINTER: dict[str, Player] = {
    "revolt": fights.winter_revolt,
    "rice_loss": winters.rice_loss,
    "provision": winters.provision,
    "draw": winters.draw,
    "order": winters.order,
    "score": winters.score,
    "end": winters.year_end,
}
_BY_FIELD: tuple[tuple[str, Player], ...] = (
    ("attacker", fights.battle),
    ("acting", fights.seen),
    ("action", fights.action),
    ("setup", tables.begin),
    ("throw", tables.begin),
    ("draft", tables.draft),
    ("take", tables.draft),
    ("swap", tables.draft),
    ("rounds", tables.rounds),
    ("phase", tables.phase),
    ("finished", tables.finished),
    ("end_of_round", tables.end_of_round),
    ("end_of_year", winters.year_end),
    ("fell_out", tables.accident),
    ("empty", tables.empty),
    ("place", plans.place),
    ("move", plans.place),
    ("plan", plans.complete),
    ("ready", plans.ready),
    ("reveal", plans.reveal),
    ("choices", plans.choices),
    ("game", winters.end),
    ("after", winters.cleared),
    ("count", winters.count),
    ("correct", winters.correct),
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of playing a scenario: `faults` is empty if everything is as expected."""

    id: str
    rules: tuple[str, ...]
    faults: tuple[str, ...]
    unread: tuple[str, ...] = ()
    """Fields of `given` and `when` that nothing asked for: perhaps misspelt."""


class _Asked(dict[str, Any]):
    """A part of a scenario; remembers which of its fields were asked for."""

    def __init__(self, part: Json) -> None:
        super().__init__(part)
        self.unread = dict.fromkeys(part)

    def __getitem__(self, field: str) -> Any:
        self.unread.pop(field, None)
        return super().__getitem__(field)

    def __contains__(self, field: object) -> bool:
        self.unread.pop(str(field), None)
        return super().__contains__(field)

    def get(self, field: str, default: Any = None) -> Any:
        self.unread.pop(field, None)
        return super().get(field, default)

    def __iter__(self) -> Iterator[str]:
        self.unread.clear()
        return super().__iter__()


def player_of(when: Json) -> Player | None:
    """Return the function that plays this `when`, or None if the format does not know it."""
    if "winter" in when:
        return _WINTER.get(str(when["winter"]))
    return next((play for field, play in _BY_FIELD if field in when), None)


def run(scenario: Json) -> Verdict:
    """Play a scenario and report what is not as expected."""
    rules = scenario.get("rules", ())
    named = tuple(map(str, rules)) if isinstance(rules, list) else ()
    parts = {name: _Asked(part) for name in ("given", "when") if isinstance(part := scenario.get(name), dict)}
    faults = tuple(_faults({**scenario, **parts}))
    unread = (
        () if faults else tuple(f"{name}.{field}" for name, part in parts.items() for field in part.unread)
    )
    return Verdict(str(scenario.get("id", "?")), named, faults, unread)


def _faults(scenario: Json) -> Iterator[str]:
    try:
        given, when, then = scenario["given"], scenario["when"], scenario["then"]
        play = player_of(when)
        if play is None:
            yield f"nobody knows how to do {sorted(when)}"
            return
        yield from differences(then, play(given, when))
    except Refused as error:
        yield f"the scenario cannot be set up: {error}"
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
        yield f"the scenario cannot be read: {type(error).__name__} {error}"
