"""The demo with the real program on a simulated chip."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.cli import main
from companion.demo.board import DemoBoard
from companion.demo.sensor import CUBE_MG, DEMO_CUBE
from companion.demo.table import FIRST, OPTIONS
from companion.games.shogun.game import GAME
from companion.table.messages import SensorSpec
from companion.table.runtime import Runtime, TableSpec
from firmware.link.events import Beat, Drop, SensorEvent, Settled
from firmware.sim import build
from firmware.sim.build import BuildError
from tests.firmware.simulated import need_simulator
from tests.patience import PATIENCE_S, until

pytestmark = pytest.mark.simavr


@pytest.fixture
def board() -> Iterator[DemoBoard]:
    need_simulator()
    demo_board = DemoBoard()
    yield demo_board
    demo_board.close()


def _poll_until(sensor: DemoBoard, is_wanted: Callable[[SensorEvent], bool]) -> list[SensorEvent]:
    events: list[SensorEvent] = []
    end = time.monotonic() + PATIENCE_S
    while not any(is_wanted(event) for event in events):
        assert time.monotonic() < end, events[-20:]
        events += sensor.poll(0.2)
    return events


def _is_at_rest_with(cubes: int) -> Callable[[SensorEvent], bool]:
    return lambda event: isinstance(event, Settled) and abs(event.mass_mg - cubes * CUBE_MG) < CUBE_MG / 2


def test_cubes_fall_and_a_hand_takes_them_away(board: DemoBoard) -> None:
    _poll_until(board, lambda event: isinstance(event, Beat) and not event.moving)
    assert board.clear() == 0
    board.fall(5)
    events = _poll_until(board, _is_at_rest_with(5))
    fell = sum(event.mass_mg for event in events if isinstance(event, Drop))
    assert fell == pytest.approx(5 * CUBE_MG, abs=CUBE_MG / 2)
    assert board.clear() > 0
    board.fall(3)
    _poll_until(board, _is_at_rest_with(0))
    _poll_until(board, _is_at_rest_with(3))


def test_a_whole_throw_with_picture_and_weight(tmp_path: Path) -> None:
    need_simulator()
    spec = TableSpec(
        "demo", tmp_path, SensorSpec("demo", "board"), OPTIONS, FIRST, countdown_s=600.0, cube=DEMO_CUBE
    )
    runtime = Runtime(spec, GAME)
    session = runtime.session
    runtime.start()
    try:
        until(lambda: session.view()["weight"] is not None)
        runtime.let_fall()
        until(lambda: session.view()["look"] is not None and session.view()["weight"] is not None)
        view = session.view()
        assert view["weight"]["cubes"] == sum(view["look"]["counts"].values())
        assert view["weight"]["steps"] > 0
    finally:
        runtime.stop()


def test_without_a_simulator_the_demo_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse_to_build(target: str = "sim") -> Path:
        raise BuildError("build", "The simulated board needs libsimavr.", "Install it.")

    monkeypatch.setattr(build, "build", refuse_to_build)
    assert main(["demo", "--board", "--no-browser"]) == 2
    assert "needs libsimavr" in capsys.readouterr().err
