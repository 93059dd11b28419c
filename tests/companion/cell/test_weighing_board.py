"""`tenshu firmware calibrate` with the real firmware on a simulated chip and a cooperative person."""

import random
from collections.abc import Iterator

import pytest

from calibration.scale import ScaleError
from companion.cell.weighing import Wish, rate, tare, weigh
from firmware.link.errors import Refused
from firmware.link.talk import connect
from firmware.sim.board import SimulatedBoard
from tests.firmware.simulated import need_simulator

pytestmark = pytest.mark.simavr
CUBE_MG, SPREAD = 345.0, 0.05
SPEED = 4.0


class Person:
    """Lays known cubes on the simulated tray."""

    def __init__(self, board: SimulatedBoard) -> None:
        chance = random.Random(7)  # seeded, so that the cubes are the same each time
        self.cubes_mg = [chance.gauss(CUBE_MG, SPREAD * CUBE_MG) for _ in range(62)]
        self._board = board
        self._on_tray_mg = 0.0

    def say(self, text: str) -> None:
        if "one at a time" in text:
            for number, mass_mg in enumerate(self.cubes_mg[:4]):
                self._board.do(f"+{1 + 2 * number} cube {mass_mg / 1000:.4f}")

    def ready(self, text: str) -> None:
        wanted_mg = sum(self.cubes_mg) if "62 cubes" in text else 0.0
        if wanted_mg != self._on_tray_mg:
            self._board.do(f"lay {(wanted_mg - self._on_tray_mg) / 1000:.4f} 0.3")
        self._on_tray_mg = wanted_mg


@pytest.fixture
def simulated() -> Iterator[SimulatedBoard]:
    need_simulator()
    with SimulatedBoard(speed=SPEED, calibrated=False) as board:
        yield board


class Knocker(Person):
    """Knocks the reset button before the cubes are dropped one by one."""

    def say(self, text: str) -> None:
        if "one at a time" in text:
            self._board.do("button")


def test_a_board_that_restarts_amid_the_calibration_has_it_begun_again(simulated: SimulatedBoard) -> None:
    """It had forgotten zero and scale, so it saved "never calibrated" while the terminal said "Kept"."""
    with connect(simulated.port) as board, pytest.raises(Refused) as refused:
        weigh(board, Knocker(simulated), Wish(singles=4))
    assert refused.value.name == "restarted"


class Miscounter(Person):
    """Lays only half of the cubes on the tray."""

    def __init__(self, board: SimulatedBoard) -> None:
        super().__init__(board)
        self.cubes_mg = self.cubes_mg[:31]

    def say(self, text: str) -> None:
        if "one at a time" in text:
            self._board.drop(self.cubes_mg[:8], gap_s=2)


def test_what_was_miscounted_is_forgotten_by_the_board() -> None:
    """A board not reset by opening its port kept using the wrong scale, and the next `tare` saved it."""
    need_simulator()
    with SimulatedBoard(speed=SPEED) as simulated:
        with connect(simulated.port) as board:
            settings_before = board.settings
            with pytest.raises(ScaleError, match="where it fell alone"):
                weigh(board, Miscounter(simulated), Wish(singles=4))
        with connect(simulated.port) as board:
            tare(board)
        with connect(simulated.port) as board:
            assert board.settings.scale == settings_before.scale


def test_a_board_whose_rate_is_not_wired_is_asked_for_what_it_gives() -> None:
    need_simulator()
    with SimulatedBoard("strap 10", speed=SPEED) as simulated:
        with connect(simulated.port) as board:
            rate(board, 10)
        simulated.do("power")
        with connect(simulated.port) as board:
            assert (board.settings.rate, board.settings.calibrated) == (10, True)
            assert board.measure_steady().samples_per_s == pytest.approx(10, abs=2)


def test_known_cubes_teach_the_real_board(simulated: SimulatedBoard) -> None:
    person = Person(simulated)
    with connect(simulated.port) as board:
        assert not board.settings.calibrated
        cube = weigh(board, person, Wish(singles=4))
    true_mg = sum(person.cubes_mg) / 62
    assert cube.unit_mg == pytest.approx(360, abs=3), "the board takes a cube for 360 mg"
    assert cube.spread_mg / cube.unit_mg == pytest.approx(SPREAD, abs=0.02)
    with connect(simulated.port) as board:
        assert board.settings.calibrated
        assert board.settings.scale * 360 == pytest.approx(2_147_000 * true_mg, rel=0.01)
