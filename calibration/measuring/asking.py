"""What is asked of a person, who is shown the places in doubt, and what the answers gain."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from calibration.measuring.evaluate import Outcome
from vision.reading import OpenPlace

Change = frozenset[tuple[str, int]]
"""Colours whose count changes, and by how much."""


@dataclass(frozen=True, slots=True)
class Asking:
    """Figures of the pictures that a person is asked about."""

    pictures: int
    with_places: int
    """Pictures that show where to look."""
    places: float | None
    """Mean number of places of those; None if there are none."""
    exact: int
    """Pictures that are right as they were read."""
    exact_when_answered: int
    """Pictures that are right, or that the answers offered at the places can make right."""


def asking_figures(outcomes: Sequence[Outcome]) -> Asking:
    """Compute the figures of a run; whether a person would answer correctly cannot be known from it."""
    asked = [o for o in outcomes if not o.reading.certain]
    place_counts = [len(o.reading.open_places) for o in asked if o.reading.open_places]
    return Asking(
        pictures=len(asked),
        with_places=len(place_counts),
        places=fmean(place_counts) if place_counts else None,
        exact=sum(o.exact for o in asked),
        exact_when_answered=sum(
            _needed_change(o.errors) in _reachable_changes(o.reading.open_places) for o in asked
        ),
    )


def _needed_change(errors: Mapping[str, int]) -> Change:
    return frozenset((colour, -error) for colour, error in errors.items() if error)


def _reachable_changes(places: Sequence[OpenPlace]) -> set[Change]:
    """Every change of the counts that answers at the places can make; none if a place offers no answer."""
    changes: set[Change] = {frozenset()}
    for place in places:
        changes = {
            _apply_answer(before, place.counted, answer) for before in changes for answer, _ in place.answers
        }
    return changes


def _apply_answer(before: Change, counted: str, answer: str) -> Change:
    difference = dict(before)
    difference[counted] = difference.get(counted, 0) - 1
    difference[answer] = difference.get(answer, 0) + 1
    return frozenset((colour, number) for colour, number in difference.items() if colour and number)
