"""How many cubes of each colour there are: probabilities of counts, and what else is known of the throw.

Every candidate is a cube with some probability and has each colour with some share, independently of the
others. The number of a colour is then a sum of unequal coin flips (Poisson binomial). What the tower can
release, and what the tray weighs, multiply these odds (Bayes); the total couples the colours.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Odds = Mapping[str, tuple[float, ...]]
"""Probability, per colour, of 0, 1, 2, … cubes."""
AtMost = Mapping[str, int]
"""Largest possible number of each colour; a colour that is not named cannot be there at all."""

CERTAIN_AT_LEAST = 0.97
"""Probability that every count is right above which nobody is asked; see the risk-coverage curve."""
FORGOTTEN = 0.01
"""Probability that one cube more of a colour comes out than the ledger has."""
_ANOTHER = 0.5
"""Probability, given that, of yet another one, and so on: people forget handfuls."""
_UNKNOWN = 0.003
"""Probability that a colour has one cube more, or one fewer, than any candidate shows: a hidden cube, a
stain. It matters beside a weight: without it a total that does not fit turns the likeliest wrong candidate
into a cube and calls that sure (2.6 % of trays sure and wrong on the development pictures; with it none)."""


@dataclass(frozen=True, slots=True)
class Belief:
    """The most probable counts and how sure each is, from all evidence together."""

    counts: Mapping[str, int]
    confidence: Mapping[str, float]
    """Probability, per colour, that its count is right."""
    probability: float
    """Probability that every count is right."""


def count_odds(coins: Mapping[str, Sequence[float]]) -> dict[str, tuple[float, ...]]:
    """Odds of each colour's number, from each candidate's probability of being a cube of that colour."""
    # All colours at once, shorter lists padded with coins of probability 0: a heap has sixty candidates.
    tossed = list(zip_longest(*coins.values(), fillvalue=0.0))
    chances = np.array(tossed, np.float64).reshape(-1, len(coins))
    odds = np.zeros((len(coins), len(chances) + 1))
    odds[:, 0] = 1.0
    for number, chance in enumerate(chances[:, :, None], 1):
        shown = odds[:, : number + 1]
        shown[:, 1:] = shown[:, 1:] * (1 - chance) + shown[:, :-1] * chance
        shown[:, :1] *= 1 - chance
    return {c: tuple(own[: len(coins[c]) + 1]) for c, own in zip(coins, odds.tolist(), strict=True)}


def number_likelihoods(longest: int, most: int) -> Floats:
    """Likelihood of 0 to `longest` cubes of a colour of which the ledger has `most`: 1 up to `most`."""
    beyond = np.arange(longest + 1) - most
    return np.where(beyond > 0, FORGOTTEN * _ANOTHER ** (beyond - 1.0), 1.0)


def belief(
    seen: Odds,
    at_most: AtMost | None = None,
    total_odds: Sequence[float] | None = None,
    named: float = 1.0,
) -> Belief:
    """Combine all evidence: the odds from picture and ledger, and a scale's `total_odds` of 0, 1, 2, … cubes.

    The other arguments matter only beside a scale. `at_most`, from the ledger that is already in these odds,
    limits what no candidate shows. `named` is the probability that the cubes, if they are there, have their
    likeliest colours. A weight says nothing about that, but a cube that may have either of two colours is in
    the odds of both, so that with the total given its doubt would be squared.
    """
    if total_odds is not None:
        return _belief_with_scale(seen, at_most, total_odds, named)
    counts = {c: int(np.argmax(odds)) for c, odds in seen.items()}
    sure = {c: float(seen[c][n]) for c, n in counts.items()}
    return Belief(counts, sure, float(np.prod(list(sure.values()))))


def _belief_with_scale(
    seen: Odds, at_most: AtMost | None, total_odds: Sequence[float], named: float
) -> Belief:
    widened = {c: _widen_odds(o, None if at_most is None else at_most.get(c, 0)) for c, o in seen.items()}
    most = sum(len(odds) - 1 for odds in widened.values())
    given_totals = np.asarray(total_odds, np.float64)[: most + 1]
    total_likelihood = np.pad(given_totals, (0, most + 1 - len(given_totals))) + 1e-12
    posterior = _odds_given_total(widened, total_likelihood)
    counts, joint_probability = _likeliest_counts(widened, total_likelihood)
    share = named ** (1 / len(seen))
    sure = {c: float(odds[counts[c]] * share) for c, odds in posterior.items()}
    return Belief(counts, sure, joint_probability * named)


def _widen_odds(odds: Sequence[float], most: int | None) -> Floats:
    """Widen the odds by what no candidate shows; if a colour's cubes are all there, rather one fewer than one
    more."""
    ledger = np.ones(len(odds) + 1) if most is None else number_likelihoods(len(odds), most)
    wider = np.convolve(np.array(odds) / ledger[:-1], (_UNKNOWN, 1 - 2 * _UNKNOWN, _UNKNOWN))
    kept = wider[1:]
    kept[0] += wider[0]  # fewer than none is impossible
    kept *= ledger
    return np.asarray(kept / kept.sum(), np.float64)


def _odds_given_total(odds: Mapping[str, Floats], total_likelihood: Floats) -> dict[str, Floats]:
    """Each colour's odds, given how likely each total of all colours is."""
    posterior = {}
    for colour, own_odds in odds.items():
        odds_of_others = _odds_of_sum([theirs for other, theirs in odds.items() if other != colour])
        weight = np.array(
            [odds_of_others @ total_likelihood[n : n + len(odds_of_others)] for n in range(len(own_odds))]
        )
        product = own_odds * weight
        posterior[colour] = product / product.sum()
    return posterior


def _odds_of_sum(odds: Iterable[Floats]) -> Floats:
    """Odds of the sum of these numbers."""
    total_odds: Floats = np.ones(1)
    for distribution in odds:
        total_odds = np.convolve(total_odds, distribution)
    return total_odds


def _likeliest_counts(odds: Mapping[str, Floats], total_likelihood: Floats) -> tuple[dict[str, int], float]:
    """Return the most probable joint counts and their probability, given how likely each total is.

    A weight couples the colours: red one more and blue one fewer is a single doubt, which the product of
    their own odds would count twice.
    """
    best, choices = np.ones(1), []
    for own_odds in odds.values():
        table = np.zeros((len(own_odds), len(best) + len(own_odds) - 1))
        for number, chance in enumerate(own_odds):
            table[number, number : number + len(best)] = best * chance
        choices.append(np.argmax(table, axis=0))
        best = np.max(table, axis=0)
    number = int(np.argmax(best * total_likelihood))
    probability = float(
        best[number] * total_likelihood[number] / (_odds_of_sum(odds.values()) @ total_likelihood)
    )
    counts = {}
    for colour, most in zip(reversed(list(odds)), reversed(choices), strict=True):
        counts[colour] = int(most[number])
        number -= counts[colour]
    return {colour: counts[colour] for colour in odds}, probability
