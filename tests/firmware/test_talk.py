"""A board with blocking requests."""

from pathlib import Path

import pytest

from firmware.link.errors import BoardError, PortError, Refused
from firmware.link.events import Drop
from firmware.link.program import PROGRAM
from firmware.link.talk import connect
from firmware.link.wire import Command, Kind
from tests.firmware.living import living_board
from tests.firmware.standin import PtyBoard, StandIn


def test_it_greets_and_knows_the_settings() -> None:
    board, _ = living_board(StandIn())
    assert board.version == PROGRAM
    assert (board.settings.rate, board.settings.calibrated, board.settings.source) == (80, True, "saved")


def test_what_is_asked_is_answered() -> None:
    standin = StandIn()
    board, _ = living_board(standin)
    assert board.ask(Command.CALIBRATE, "cubes", 62) == 62
    assert standin.heard[-1] == "CALIBRATE,cubes,62"


def test_a_refusal_is_raised_with_its_remedy() -> None:
    board, _ = living_board(StandIn(refuse={"TARE": "moving"}))
    with pytest.raises(Refused) as refused:
        board.ask(Command.TARE)
    assert (refused.value.name, "hands off" in refused.value.remedy) == ("moving", True)


def test_a_board_that_stops_answering_is_told() -> None:
    standin = StandIn()
    board, _ = living_board(standin)
    standin.deaf = True
    with pytest.raises(Refused) as refused:
        board.ask(Command.SAVE)
    assert refused.value.name == "unanswered"


def test_a_cable_that_is_pulled_ends_it_with_a_sentence() -> None:
    board, port = living_board(StandIn())
    port.dead = True
    with pytest.raises(BoardError) as error:
        list(board.listen(5))
    assert error.value.name == "gone"


def test_a_reset_in_between_is_greeted_again() -> None:
    standin = StandIn()
    board, port = living_board(standin)
    port.later = [lambda device: device.boot(), lambda device: device.drop(360)]
    assert [event.mass_mg for event in board.listen(6) if isinstance(event, Drop)] == [360]
    assert board.version == PROGRAM


def test_a_reset_that_makes_the_board_forget_what_it_was_told_is_told() -> None:
    """Zero was set and forgotten by the reset; the earlier zero was then saved, and nobody was told."""
    board, port = living_board(StandIn())
    board.ask(Command.TARE)
    port.later = [lambda device: device.boot("brownout")]
    with pytest.raises(Refused) as refused:
        list(board.listen(3))
    assert refused.value.name == "restarted"


def test_the_weight_at_rest_is_the_mean_of_some_beats() -> None:
    board, port = living_board(StandIn(mass_mg=3600))
    port.later = [lambda device: device.line(Kind.BEAT, 9999, 21, "moving", 80, 0, 0)]
    measure_steady = board.measure_steady()
    assert (measure_steady.mass_mg, measure_steady.noise_mg, measure_steady.samples_per_s) == (3600, 21, 80)


def test_beats_that_waited_while_a_person_was_asked_are_not_the_weight_of_now() -> None:
    """Three beats from the empty tray were waiting in the port, and the cubes laid on weighed nothing."""
    board, port = living_board(StandIn(mass_mg=3600))
    port.later = [lambda device: device.line(Kind.BEAT, 0, 21, "still", 80, 0, 0) * 3]
    assert board.measure_steady().mass_mg == 3600


def test_a_board_without_readings_is_not_at_rest() -> None:
    """A wire was off, and the doctor said: 80 readings a second, each good to 5 mg."""
    board, port = living_board(StandIn())
    port.later = [lambda device: device.line(Kind.BEAT, 0, 5, "fault", 80, 0, 0)] * 20
    with pytest.raises(Refused) as refused:
        board.measure_steady()
    assert refused.value.name == "fault"
    port.later = [lambda device: device.line(Kind.BEAT, 0, 5, "starting", 10, 0, 0)] * 3
    assert board.measure_steady().noise_mg == 21, "a slow board takes three seconds to start"


def test_why_there_are_no_readings_is_told_as_nearly_as_the_board_says_it() -> None:
    board, port = living_board(StandIn(refuse={"TARE": "fault"}))
    port.later = [lambda device: device.line(Kind.FAULT, "stuck", 1)]
    list(board.listen(1))
    with pytest.raises(Refused) as refused:
        board.ask(Command.TARE)
    assert refused.value.name == "stuck"
    port.later = [lambda device: device.line(Kind.FAULT, "stuck", 0)]
    list(board.listen(1))
    with pytest.raises(Refused) as refused:
        board.ask(Command.TARE)
    assert refused.value.name == "fault"


def test_a_tray_that_does_not_come_to_rest_is_told() -> None:
    board, port = living_board(StandIn())
    port.later = [lambda device: device.line(Kind.BEAT, 9999, 21, "moving", 80, 0, 0)] * 200
    with pytest.raises(Refused) as refused:
        board.measure_steady(10)
    assert refused.value.name == "moving"


def test_no_port_at_all_is_told() -> None:
    with pytest.raises(PortError) as error:
        connect("auto", list_ports=list)
    assert error.value.name == "not_found"


def test_the_first_port_that_answers_is_taken(tmp_path: Path) -> None:
    real = PtyBoard(tmp_path / "board")
    try:
        with connect("auto", list_ports=lambda: [str(tmp_path / "nothing"), str(real.path)]) as board:
            assert board.port == str(real.path)
    finally:
        real.close()
