"""What can lie in the tray: of each colour no more than went in or was inside, according to the tower's
ledger.

The ledger is applied place by place. What may be black or blue is blue if no black cube can come out, and of
three that may be red the two surest are, if only two can be. The ledger may be wrong, because people forget
cubes: what shows clearly stays what it is.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.counting.odds import FORGOTTEN, AtMost, Floats, Odds, count_odds, number_likelihoods
from vision.finding.candidates import Candidate
from vision.palette import Palette

_MATTERS = 1e-4
"""Probability of more cubes than there can be, from which the ledger is applied."""
_LEAST = 1e-12
_SEEN = 0.5


def apply_ledger(
    found: Sequence[Candidate], palette: Palette, at_most: AtMost
) -> tuple[list[Candidate], dict[str, tuple[float, ...]]]:
    """Return the candidates updated by the ledger, and the odds of each limited colour's number.

    Colours are taken one after the other, the one most at odds with the ledger first (Bayes; exact for one
    colour).
    """
    most = [at_most.get(colour, 0) for colour in palette.colours]
    coins = np.array([one.presence * np.array(one.shares) for one in found]).reshape(-1, len(most))
    odds: dict[str, tuple[float, ...]] = {}
    unlimited = set(range(len(most)))
    while unlimited:
        beyond = {n: float(_number_odds(coins[:, n])[most[n] + 1 :].sum()) for n in unlimited}
        worst = max(unlimited, key=lambda n: beyond[n])
        if beyond[worst] < _MATTERS:
            break
        unlimited.remove(worst)
        coins, number_odds = _limit_colour(coins, worst, most[worst])
        odds[palette.colours[worst]] = tuple(number_odds.tolist())
    if not odds:
        return list(found), odds
    return [_with_chances(candidate, chances) for candidate, chances in zip(found, coins, strict=True)], odds


def count_with_ledger(
    found: Sequence[Candidate], palette: Palette, at_most: AtMost | None = None
) -> tuple[Sequence[Candidate], Odds]:
    """Return the candidates updated by the ledger, and the odds of each colour's number."""
    limited: Odds = {}
    if at_most is not None:
        found, limited = apply_ledger(found, palette, at_most)
    coins = {c: [one.presence * one.shares[n] for one in found] for n, c in enumerate(palette.colours)}
    return found, {**count_odds(coins), **limited}


def colours_certainty(found: Sequence[Candidate]) -> float:
    """Probability that all counted cubes, if they are there, have their likeliest colours."""
    return float(np.prod([max(one.shares) for one in found if one.presence >= _SEEN]))


def chance_of_one_more(
    colour: str, found: Sequence[Candidate], palette: Palette, at_most: AtMost | None
) -> float:
    """Probability that, besides those seen, another cube of this colour can be there at all."""
    if at_most is None:
        return 1.0
    seen = sum(one.presence > _SEEN and palette.colours[one.colour_index] == colour for one in found)
    return 1.0 if seen < at_most.get(colour, 0) else FORGOTTEN


def _limit_colour(coins: Floats, colour: int, most: int) -> tuple[Floats, Floats]:
    """(N, C) probabilities and the (N + 1,) odds of one colour's number, if hardly more than `most` are
    possible."""
    own_coins = coins[:, colour]
    likelihood = number_likelihoods(len(own_coins), most)
    odds = _number_odds(own_coins) * likelihood
    odds_before, odds_behind = _prefix_odds(own_coins), _prefix_odds(own_coins[::-1])[::-1]
    others = [np.convolve(one, other) for one, other in zip(odds_before, odds_behind[1:], strict=False)]
    if_own, if_other = (
        np.array([other_odds @ likelihoods for other_odds in others])
        for likelihoods in (likelihood[1:], likelihood[:-1])
    )
    updated = coins * if_other[:, None]
    updated[:, colour] = own_coins * if_own
    return updated / (own_coins * if_own + (1 - own_coins) * if_other)[:, None], odds / odds.sum()


def _prefix_odds(coins: Floats) -> list[Floats]:
    """Distribution of the number of heads among none, the first, the first two, … and all N coins."""
    odds = [np.ones(1)]
    for coin in coins.tolist():
        odds.append(np.convolve(odds[-1], (1 - coin, coin)))
    return odds


def _number_odds(coins: Floats) -> Floats:
    """(N + 1,) probabilities of 0 to N heads."""
    return _prefix_odds(coins)[-1]


def _with_chances(candidate: Candidate, chances: Floats) -> Candidate:
    presence = float(chances.sum())
    return replace(candidate, presence=presence, shares=tuple((chances / max(_LEAST, presence)).tolist()))
