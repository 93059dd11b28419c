"""The real link to the real program on a simulated chip, over a pty."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from firmware.link.events import Beat, Drop, LinkDown, LinkUp, Motion, Sample, SensorEvent, Settled
from firmware.link.sensor import SerialSensor, make_link, open_sensor
from firmware.link.wire import Command
from firmware.sim.board import SimulatedBoard
from tests.firmware.simulated import need_simulator
from tests.patience import PATIENCE_S, until

pytestmark = pytest.mark.simavr


@pytest.fixture
def board() -> Iterator[SimulatedBoard]:
    need_simulator()
    with SimulatedBoard(speed=3) as plugged:
        yield plugged


@pytest.fixture
def sensor(board: SimulatedBoard) -> Iterator[SerialSensor]:
    opened = open_sensor(board.port)
    yield opened
    opened.close()


def wait_for(sensor: SerialSensor, wanted: Callable[[SensorEvent], bool]) -> list[SensorEvent]:
    """Return all events up to the wanted one."""
    events: list[SensorEvent] = []
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        for event in sensor.poll(0.5):
            events.append(event)
            if wanted(event):
                return events
    raise AssertionError(f"not in {events[-20:]}")


def wait_for_rest(sensor: SerialSensor, mass_mg: float) -> None:
    wait_for(
        sensor,
        lambda event: isinstance(event, Beat) and abs(event.mass_mg - mass_mg) < 150 and not event.moving,
    )


def test_cubes_are_felt_and_weighed(board: SimulatedBoard, sensor: SerialSensor) -> None:
    wait_for(sensor, lambda event: isinstance(event, LinkUp))
    wait_for_rest(sensor, 0)
    board.drop([360] * 5)
    events = wait_for(sensor, lambda event: isinstance(event, Settled))
    assert any(isinstance(event, Motion) for event in events)
    assert any(isinstance(event, Sample) for event in events)
    assert sum(event.mass_mg for event in events if isinstance(event, Drop)) == pytest.approx(1800, abs=80)
    settled = events[-1]
    assert isinstance(settled, Settled)
    assert settled.mass_mg == pytest.approx(1_800, abs=120)


def test_the_cable_is_pulled_and_put_back(board: SimulatedBoard, sensor: SerialSensor) -> None:
    wait_for(sensor, lambda event: isinstance(event, LinkUp))
    board.pull()
    wait_for(sensor, lambda event: isinstance(event, LinkDown) and event.name == "gone")
    board.drop([360] * 3)
    board.plug()
    wait_for(sensor, lambda event: isinstance(event, LinkUp))
    wait_for_rest(sensor, 3 * 360)


def test_the_reset_of_opening_and_a_deaf_bootloader_are_waited_for() -> None:
    need_simulator()
    before = threading.active_count()
    with SimulatedBoard(boot_ms=1800, speed=3) as board:
        sensor = open_sensor(board.port)
        wait_for(sensor, lambda event: isinstance(event, LinkUp))
        wait_for_rest(sensor, 0)
        sensor.close()
    until(lambda: threading.active_count() == before)


def test_commands_are_answered_over_the_wire(board: SimulatedBoard) -> None:
    link = make_link(board.port)
    end = time.monotonic() + PATIENCE_S
    while not link.ready and time.monotonic() < end:
        link.step()
    asked = [(Command.TARE, ()), (Command.CALIBRATE, ("mass", 50_000)), (Command.SAVE, ())]
    answers = []
    for command, arguments in asked:
        while True:  # a board still finding its level says so, and is asked again
            link.ask(command, *arguments)
            while not link.answers and time.monotonic() < end:
                link.step()
            answer = link.answers.popleft()
            if answer.reason != "moving":
                break
        answers.append((answer.command, answer.reason))
        if command is Command.TARE:
            board.do("lay 50 0.2")
            is_settled = False
            while not is_settled and time.monotonic() < end:
                is_settled = any(isinstance(event, Settled) for event in link.step())
    link.close()
    assert answers == [(command, None) for command, _ in asked]


def test_the_board_ends_with_whoever_started_it() -> None:
    need_simulator()
    board = SimulatedBoard()
    assert board.running
    board.close()
    assert not board.running
    board.close()
