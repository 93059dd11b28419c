"""Settings of all property tests, and the order of files: long ones start first."""

import pytest
from hypothesis import settings

settings.register_profile("tenshu", derandomize=True, deadline=None)  # repeatable, no time limit
settings.load_profile("tenshu")

LONG = (
    "tests/e2e/test_everyone.py",
    "tests/e2e/test_year.py",
    "tests/e2e/test_journey.py",
    "tests/firmware/test_proof.py",
    "tests/companion/web/test_openapi.py",
    "tests/e2e/",
    "tests/firmware/",
    "tests/vision/test_settle.py",
    "tests/calibration/test_standing.py",
    "tests/companion/web/test_seats.py",
    "tests/companion/games/shogun/test_games.py",
    "tests/companion/cell/",
    "tests/companion/table/",
    "tests/companion/",
    "tests/load/",
)
"""Long files, in the order to start them. Each file runs whole on one of three workers (on two cores, since
tests often wait for pages and boards): a long one started last would leave the other workers idle."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_rank)  # stable sort: the order within a rank stays


def _rank(item: pytest.Item) -> int:
    return next((place for place, name in enumerate(LONG) if item.nodeid.startswith(name)), len(LONG))
