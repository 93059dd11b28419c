"""What can lie in the tray: of each colour no more than went in or was inside, according to the tower's
ledger.

The ledger is applied place by place. What may be black or blue is blue if no black cube can come out, and of
three that may be red the two surest are, if only two can be. The ledger may be wrong, because people forget
cubes: what shows clearly stays what it is.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.counting.odds import FORGOTTEN, AtMost, Floats, Odds, count_odds, likely_numbers
from vision.finding.candidates import Candidate
from vision.palette import Palette

_MATTERS = 1e-4
"""Probability of more cubes than there can be, from which the ledger is applied."""
_LEAST = 1e-12
_SEEN = 0.5


def within(
    found: Sequence[Candidate], palette: Palette, at_most: AtMost
) -> tuple[list[Candidate], dict[str, tuple[float, ...]]]:
    """Return the candidates updated by the ledger, and the odds of each limited colour's number.

    Colours are taken one after the other, the one most at odds with the ledger first (Bayes; exact for one
    colour).
    """
    most = [at_most.get(colour, 0) for colour in palette.colours]
    coins = np.array([one.presence * np.array(one.shares) for one in found]).reshape(-1, len(most))
    odds: dict[str, tuple[float, ...]] = {}
    open_ = set(range(len(most)))
    while open_:
        beyond = {n: float(_numbers(coins[:, n])[most[n] + 1 :].sum()) for n in open_}
        worst = max(open_, key=lambda n: beyond[n])
        if beyond[worst] < _MATTERS:
            break
        open_.remove(worst)
        coins, own = _limited(coins, worst, most[worst])
        odds[palette.colours[worst]] = tuple(own.tolist())
    if not odds:
        return list(found), odds
    return [_as(one, chances) for one, chances in zip(found, coins, strict=True)], odds


def counted(
    found: Sequence[Candidate], palette: Palette, at_most: AtMost | None = None
) -> tuple[Sequence[Candidate], Odds]:
    """Return the candidates updated by the ledger, and the odds of each colour's number."""
    limited: Odds = {}
    if at_most is not None:
        found, limited = within(found, palette, at_most)
    coins = {c: [one.presence * one.shares[n] for one in found] for n, c in enumerate(palette.colours)}
    return found, {**count_odds(coins), **limited}


def named(found: Sequence[Candidate]) -> float:
    """Probability that all counted cubes, if they are there, have their likeliest colours."""
    return float(np.prod([max(one.shares) for one in found if one.presence >= _SEEN]))


def one_more(colour: str, found: Sequence[Candidate], palette: Palette, at_most: AtMost | None) -> float:
    """Probability that, besides those seen, another cube of this colour can be there at all."""
    if at_most is None:
        return 1.0
    seen = sum(one.presence > _SEEN and palette.colours[one.colour_index] == colour for one in found)
    return 1.0 if seen < at_most.get(colour, 0) else FORGOTTEN


def _limited(coins: Floats, colour: int, most: int) -> tuple[Floats, Floats]:
    """(N, C) probabilities and the (N + 1,) odds of one colour's number, if hardly more than `most` are
    possible."""
    own = coins[:, colour]
    likely = likely_numbers(len(own), most)
    odds = _numbers(own) * likely
    before, behind = _first(own), _first(own[::-1])[::-1]
    others = [np.convolve(one, other) for one, other in zip(before, behind[1:], strict=False)]
    it, another = (np.array([of @ likes for of in others]) for likes in (likely[1:], likely[:-1]))
    after = coins * another[:, None]
    after[:, colour] = own * it
    return after / (own * it + (1 - own) * another)[:, None], odds / odds.sum()


def _first(coins: Floats) -> list[Floats]:
    """Distribution of the number of heads among none, the first, the first two, … and all N coins."""
    odds = [np.ones(1)]
    for coin in coins.tolist():
        odds.append(np.convolve(odds[-1], (1 - coin, coin)))
    return odds


def _numbers(coins: Floats) -> Floats:
    """(N + 1,) probabilities of 0 to N heads."""
    return _first(coins)[-1]


def _as(one: Candidate, chances: Floats) -> Candidate:
    presence = float(chances.sum())
    return replace(one, presence=presence, shares=tuple((chances / max(_LEAST, presence)).tolist()))
