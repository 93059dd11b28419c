"""What others may not hear: face-down cards, searched for in everything that a device receives."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from companion.games.shogun.words import Space

Secret = tuple[str, str, str]
"""Seat, space, card."""
Round = tuple[int, str]
"""Year and season."""
Plans = dict[str, tuple[Round, list[tuple[str, str]]]]
"""For each seat the round and the cards it laid on spaces, as its player knows it."""
_SPACES = frozenset(space.value for space in Space)


@dataclass(frozen=True, slots=True)
class Heard:
    """A text, parsed."""

    pairs: frozenset[tuple[str, str]]
    """Pairs of words from one object or one list."""
    sentences: tuple[str, ...]
    """Strings that name a space among other words."""
    moment: tuple[Round, frozenset[str]] | None
    """The round, and the spaces whose cards are open by then, by the rules; None if the text does not say."""


def find_betrayed(text: str, seat: str | None, secrets: Iterable[Secret]) -> list[Secret]:
    """Return the secrets that a text gives away: a space and its card in one object, list or string."""
    heard = parse_heard(text, seat)
    return [
        (whose, space, card)
        for whose, space, card in secrets
        if (space, card) in heard.pairs
        or any(space in sentence and card in sentence for sentence in heard.sentences)
    ]


@lru_cache(maxsize=32)
def parse_heard(text: str, seat: str | None) -> Heard:
    """Collect what stands together in a text, leaving out the plan or offer of `seat` itself."""
    value = json.loads(text)
    groups = set(_words_together(value, seat))
    pairs = {(space, word) for group in groups for space in group & _SPACES for word in group}
    phrases = {word for group in groups for word in group if " " in word}
    sentences = tuple(word for word in phrases if any(space in word for space in _SPACES))
    return Heard(frozenset(pairs), sentences, _read_moment(value))


def _read_moment(value: Any) -> tuple[Round, frozenset[str]] | None:
    game = value.get("game") if isinstance(value, dict) else None
    if not isinstance(game, dict) or "cards" not in game:
        return None
    cards = game["cards"]
    spaces = [Space.AUCTION.value, cards["action"], *cards["actions"][: cards["done"]]]
    open_spaces = [] if game["phase"] == "planning" else [space for space in spaces if space]
    return (game["year"], game["season"]), frozenset(open_spaces)


def _words_together(value: Any, seat: str | None) -> Iterator[frozenset[str]]:
    if isinstance(value, dict):
        if seat is not None and value.get("seat") == seat and ("board" in value or "kind" in value):
            return
        yield from (frozenset(pair) for pair in value.items() if isinstance(pair[1], str))
        children = list(value.values())
    elif isinstance(value, list):
        children = value
    else:
        return
    yield frozenset(child for child in children if isinstance(child, str))
    for child in children:
        if not isinstance(child, str):
            yield from _words_together(child, seat)


@dataclass
class Ear:
    """The ear of one device; `seat` is the seat it may know about, None for the table's own devices."""

    plans: Plans
    keys: Mapping[str, str]
    """The key of each seat, once somebody has it."""
    seat: str | None
    messages: int = 0
    looked_for: set[Secret] = field(default_factory=set)
    leaks: list[str] = field(default_factory=list)
    _moment: tuple[Round, frozenset[str]] = ((0, ""), frozenset())

    def __call__(self, text: str) -> None:
        """Check a text that arrived."""
        self.messages += 1
        self._moment = parse_heard(text, None).moment or self._moment
        secrets = self._current_secrets()
        self.looked_for |= secrets
        if find_betrayed(text, None, secrets):  # usually empty, and parsed once for all devices
            self.leaks += [
                f"{self.seat} hears {secret}" for secret in find_betrayed(text, self.seat, secrets)
            ]
        foreign_keys = (key for seat, key in self.keys.items() if seat != self.seat)
        self.leaks += [f"{self.seat} hears the key {key}" for key in foreign_keys if key in text]

    def _current_secrets(self) -> set[Secret]:
        round_now, open_spaces = self._moment
        return {
            (seat, space, card)
            for seat, (planned_round, plan) in self.plans.items()
            for space, card in plan
            if seat != self.seat and planned_round == round_now and space not in open_spaces
        }
