"""A game weighed by the machine code, a short part of `python -m tests.firmware.counting`."""

import pytest

from tests.firmware import counting
from tests.firmware.simulated import need_simulator


@pytest.mark.simavr
def test_weight_counts_the_throws_of_a_game() -> None:
    need_simulator()
    throws = counting.game(seed=9, sizes=(1, 12))
    assert [throw.best for throw in throws] == [throw.cubes for throw in throws]
    assert all(throw.stated > 0.8 for throw in throws)
