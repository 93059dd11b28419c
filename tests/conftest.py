"""One setting for all property tests, and the order of files: what takes long begins first."""

import pytest
from hypothesis import settings

settings.register_profile("tenshu", derandomize=True, deadline=None)  # the same examples; no limit of time
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
"""Files go whole to one worker, three of them on two cores since pages and boards are waited for: a long file
that came last would leave the others without work."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_rank)  # stable: within a rank all stays as it was


def _rank(item: pytest.Item) -> int:
    return next((place for place, name in enumerate(LONG) if item.nodeid.startswith(name)), len(LONG))
