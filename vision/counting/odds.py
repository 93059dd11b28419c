"""How many cubes of each colour: probabilities of counts, and what else is known of the throw.

Every candidate is a cube with some probability and has each colour with some share, independent of the
others. The number of a colour is then a sum of unequal coins (Poisson binomial). What the tower can give, and
what the tray weighs, multiply these odds (Bayes); the total couples the colours.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Odds = Mapping[str, tuple[float, ...]]
"""Per colour the probability of 0, 1, 2, … cubes."""
AtMost = Mapping[str, int]
"""Per colour the most that can lie there; a colour that is not named cannot be there at all."""

CERTAIN_AT_LEAST = 0.97
"""Probability that every count is right, above which nobody is asked; see the risk-coverage curve."""
FORGOTTEN = 0.01
"""Probability that one more of a colour comes out than the ledger has."""
_ANOTHER = 0.5
"""And that another does then: people forget handfuls."""
_UNKNOWN = 0.003
"""That a colour has one more, or one fewer, than any candidate tells: a cube out of sight, a stain. Beside a
weight it matters: without it a total that does not fit forces the likeliest wrong candidate to be a cube, and
calls that sure (2.6 % of trays sure and wrong on the development pictures; with it none)."""


@dataclass(frozen=True, slots=True)
class Belief:
    """The most probable counts and how sure each is, all evidence together."""

    counts: Mapping[str, int]
    confidence: Mapping[str, float]
    """Per colour: probability that its count is right."""
    probability: float
    """That every count is right."""


def count_odds(coins: Mapping[str, Sequence[float]]) -> dict[str, tuple[float, ...]]:
    """Odds of each colour's number from the probability, per candidate, of being a cube of that colour."""
    # All colours at once, the shorter ones with coins that never fall: a heap has sixty candidates.
    tossed = list(zip_longest(*coins.values(), fillvalue=0.0))
    chances = np.array(tossed, np.float64).reshape(-1, len(coins))
    odds = np.zeros((len(coins), len(chances) + 1))
    odds[:, 0] = 1.0
    for number, chance in enumerate(chances[:, :, None], 1):
        shown = odds[:, : number + 1]
        shown[:, 1:] = shown[:, 1:] * (1 - chance) + shown[:, :-1] * chance
        shown[:, :1] *= 1 - chance
    return {c: tuple(own[: len(coins[c]) + 1]) for c, own in zip(coins, odds.tolist(), strict=True)}


def likely_numbers(longest: int, most: int) -> Floats:
    """How likely the ledger, which has `most` of a colour, thinks 0 to `longest` of them: 1 up to `most`."""
    beyond = np.arange(longest + 1) - most
    return np.where(beyond > 0, FORGOTTEN * _ANOTHER ** (beyond - 1.0), 1.0)


def belief(
    seen: Odds,
    at_most: AtMost | None = None,
    total_odds: Sequence[float] | None = None,
    named: float = 1.0,
) -> Belief:
    """All evidence: the odds of picture and ledger, and a scale's `total_odds` of 0, 1, 2, … cubes together.

    Only beside a scale do the others matter. `at_most`, of the ledger that is in these odds already, limits
    what no candidate tells. `named`: that the cubes, if they are there, have their likeliest colours. Of that
    a weight tells nothing, but a cube of either of two colours is in the odds of both, and with the total
    given its doubt would be squared.
    """
    if total_odds is not None:
        return _beside_weight(seen, at_most, total_odds, named)
    counts = {c: int(np.argmax(odds)) for c, odds in seen.items()}
    sure = {c: float(seen[c][n]) for c, n in counts.items()}
    return Belief(counts, sure, float(np.prod(list(sure.values()))))


def _beside_weight(seen: Odds, at_most: AtMost | None, total_odds: Sequence[float], named: float) -> Belief:
    open_ = {c: _blurred(o, None if at_most is None else at_most.get(c, 0)) for c, o in seen.items()}
    most = sum(len(odds) - 1 for odds in open_.values())
    told = np.asarray(total_odds, np.float64)[: most + 1]
    likely = np.pad(told, (0, most + 1 - len(told))) + 1e-12
    posterior = _weighed(open_, likely)
    counts, together = _together(open_, likely)
    share = named ** (1 / len(seen))
    sure = {c: float(odds[counts[c]] * share) for c, odds in posterior.items()}
    return Belief(counts, sure, together * named)


def _blurred(odds: Sequence[float], most: int | None) -> Floats:
    """With what no candidate tells: of a colour that is all there hardly one more, and sooner a stain."""
    ledger = np.ones(len(odds) + 1) if most is None else likely_numbers(len(odds), most)
    wider = np.convolve(np.array(odds) / ledger[:-1], (_UNKNOWN, 1 - 2 * _UNKNOWN, _UNKNOWN))
    kept = wider[1:]
    kept[0] += wider[0]  # fewer than none cannot lie there
    kept *= ledger
    return np.asarray(kept / kept.sum(), np.float64)


def _weighed(odds: Mapping[str, Floats], likely: Floats) -> dict[str, Floats]:
    """Each colour's odds given that all colours together are about so many."""
    posterior = {}
    for colour, mine in odds.items():
        others = _sum([theirs for other, theirs in odds.items() if other != colour])
        weight = np.array([others @ likely[n : n + len(others)] for n in range(len(mine))])
        product = mine * weight
        posterior[colour] = product / product.sum()
    return posterior


def _sum(odds: Iterable[Floats]) -> Floats:
    """Odds of the number of all of them together."""
    whole: Floats = np.ones(1)
    for one in odds:
        whole = np.convolve(whole, one)
    return whole


def _together(odds: Mapping[str, Floats], likely: Floats) -> tuple[dict[str, int], float]:
    """The most probable counts together, and how probable they are, where their total is about so many.

    A weight couples the colours: red one more and blue one fewer is one doubt; the product of their own odds
    takes it for two.
    """
    best, chosen = np.ones(1), []
    for mine in odds.values():
        table = np.zeros((len(mine), len(best) + len(mine) - 1))
        for number, chance in enumerate(mine):
            table[number, number : number + len(best)] = best * chance
        chosen.append(np.argmax(table, axis=0))
        best = np.max(table, axis=0)
    number = int(np.argmax(best * likely))
    probability = float(best[number] * likely[number] / (_sum(odds.values()) @ likely))
    counts = {}
    for colour, most in zip(reversed(list(odds)), reversed(chosen), strict=True):
        counts[colour] = int(most[number])
        number -= counts[colour]
    return {colour: counts[colour] for colour in odds}, probability
