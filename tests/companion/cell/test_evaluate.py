"""Counting by weight with the real firmware on a simulated chip."""

import pytest

from companion.cell.evaluate import GOOD, games, table
from tests.firmware.simulated import need_simulator

pytestmark = pytest.mark.simavr


def test_a_game_is_counted_by_the_machine_code() -> None:
    """Only one game; `python -m companion.cell.evaluate` plays two hundred."""
    need_simulator()
    throws = [throw for game in games(1, GOOD, seed=5, throws=4) for throw in game]
    assert [throw.best for throw in throws] == [throw.cubes for throw in throws]
    assert max(throw.cubes for throw in throws) > 30
    assert "500 g" in table(GOOD, throws)
