"""Weighing cubes with a stand-in board and a cooperative person."""

import io
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from calibration.scale import ScaleError
from companion.cell.weighing import Wish, tare, verdict, weigh
from companion.cli import main
from firmware.link.errors import BoardError, Refused
from tests.firmware.living import LivingPort, living_board
from tests.firmware.standin import PtyBoard, StandIn

CUBE_MG = 340
SINGLES = (330, 349, 341, 352, 327, 338, 345, 333, 350, 336)


@dataclass
class Person:
    """Lays on the tray what is asked for, and records what is said."""

    port: LivingPort
    singles: tuple[int, ...] = SINGLES
    cubes_mg: int = 62 * CUBE_MG
    texts: list[str] = field(default_factory=list)

    def say(self, text: str) -> None:
        self.texts.append(text)
        if "one at a time" in text:
            self.port.later = [partial(_drop_cube, mass_mg) for mass_mg in self.singles]

    def ready(self, text: str) -> None:
        self.texts.append(text)
        if "cubes on the tray" in text:
            self.port.board.mass_mg = self.cubes_mg
        if "Empty" in text or "off again" in text:
            self.port.board.mass_mg = 0


def _drop_cube(mass_mg: int, board: StandIn) -> bytes:
    return board.drop(mass_mg)


def test_the_unit_and_the_spread_are_learned() -> None:
    standin = StandIn()
    board, port = living_board(standin)
    cube = weigh(board, Person(port), Wish())
    assert cube.unit_mg == pytest.approx(CUBE_MG, abs=0.5)
    assert cube.cubes == 62
    assert 5 < cube.spread_mg < 17
    assert standin.heard == ["TARE", "CALIBRATE,cubes,62", "SAVE"]


def test_a_known_weight_makes_milligrams_true() -> None:
    standin = StandIn()
    board, port = living_board(standin)
    weigh(board, Person(port), Wish(mass_mg=100_000, singles=0))
    assert standin.heard == ["TARE", "CALIBRATE,mass,100000", "TARE", "SAVE"]


def test_two_at_once_are_no_single_cube() -> None:
    board, port = living_board(StandIn())
    person = Person(port, singles=(330, 690, 349, 341))
    weigh(board, person, Wish(singles=3))
    assert any("690 mg is no single cube" in text for text in person.texts)


@pytest.mark.parametrize(
    "one_by_one",
    [
        SINGLES,
        tuple(3 * mass_mg for mass_mg in SINGLES),
        tuple(round(1.25 * mass_mg) for mass_mg in SINGLES[4:]),
    ],
    ids=["a quarter heavier", "three times as heavy", "by a half, where a light one is a single cube yet"],
)
def test_a_number_that_was_miscounted_is_not_kept(one_by_one: tuple[int, ...]) -> None:
    """With 50 or 21 cubes laid instead of 62, each cube later counted as a quarter more, or as three."""
    standin = StandIn()
    board, port = living_board(standin)
    person = Person(port, tuple(round(mass_mg * 62 / 50) for mass_mg in one_by_one))
    with pytest.raises(ScaleError, match="where it fell alone, and 340 mg where all lay together"):
        weigh(board, person, Wish())
    assert "SAVE" not in standin.heard


def test_what_is_broken_off_is_not_kept_by_the_board_either() -> None:
    standin = StandIn()
    board, port = living_board(standin)
    with pytest.raises(BoardError):
        weigh(board, Person(port, singles=(330,)), Wish(singles=2))
    assert "SAVE" not in standin.heard
    assert standin.heard[-1] == "RESET", "its scale of before comes back"


def test_cubes_that_were_not_laid_on_have_no_weight() -> None:
    """With a known weight the board does not check the cubes, so the tray's noise became their weight."""
    standin = StandIn()
    board, port = living_board(standin)
    person = Person(port)
    person.cubes_mg = 3
    with pytest.raises(ScaleError, match="Nothing was weighed"):
        weigh(board, person, Wish(mass_mg=100_000))
    assert "SAVE" not in standin.heard


def test_cubes_too_light_to_be_felt_on_a_scale_of_true_milligrams_are_told() -> None:
    """Of 6 mm: the terminal waited ten minutes, felt none, and advised --singles 0, which then kept it."""
    standin = StandIn()
    board, port = living_board(standin)
    person = Person(port)
    person.cubes_mg = 62 * 150
    with pytest.raises(BoardError, match="less than 252 mg") as error:
        weigh(board, person, Wish(mass_mg=100_000, singles=0))
    assert "--mass; if it is right, leave it out" in error.value.remedy
    assert "SAVE" not in standin.heard


def test_cubes_that_never_come_are_told() -> None:
    board, port = living_board(StandIn())
    with pytest.raises(BoardError) as error:
        weigh(board, Person(port, singles=(330,)), Wish(singles=2))
    assert "--singles 0" in error.value.remedy


def test_a_tray_that_still_swings_is_waited_for() -> None:
    standin = StandIn(refuse={"TARE": "moving"})
    board, port = living_board(standin)

    def stop_refusing(stand_in: StandIn) -> bytes:
        stand_in.refuse.clear()
        return b""

    port.later = [StandIn.beat, stop_refusing]
    tare(board)
    assert standin.heard[-2:] == ["TARE", "SAVE"]
    assert standin.heard.count("TARE") > 1


def test_what_the_board_refuses_ends_it() -> None:
    board, port = living_board(StandIn(refuse={"CALIBRATE": "light"}))
    with pytest.raises(Refused):
        weigh(board, Person(port), Wish())


def test_zero_is_kept() -> None:
    standin = StandIn()
    board, _ = living_board(standin)
    tare(board)
    assert standin.heard == ["TARE", "SAVE"]


@pytest.mark.parametrize("readings", ["10", "80"])
def test_the_rate_is_kept(readings: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The doctor said "tell the board", but there was no command for it."""
    board = PtyBoard(tmp_path / "board")
    try:
        assert main(["firmware", "rate", readings, "--port", str(board.path)]) == 0
        assert board.board.heard[-2:] == [f"RATE,{readings}", "SAVE"]
        assert f"{readings} readings per second" in capsys.readouterr().out
        with pytest.raises(SystemExit):
            main(["firmware", "rate", "40", "--port", str(board.path)])
    finally:
        board.close()


def test_the_verdict_says_how_far_it_carries() -> None:
    board, port = living_board(StandIn())
    cube = weigh(board, Person(port), Wish())
    text = verdict(cube, true_mg=False)
    assert "taken for 360 mg" in text
    chances = [float(line.split()[-1].rstrip("%")) for line in text.splitlines()[2:]]
    assert chances == sorted(chances, reverse=True)
    assert 70 < chances[-1] < 99


def test_the_words_work_over_a_port(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = PtyBoard(tmp_path / "board")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    try:
        assert main(["firmware", "tare", "--port", str(board.path)]) == 0
        assert main(["firmware", "monitor", "--port", str(board.path), "--seconds", "2", "--json"]) == 0
        assert main(["firmware", "calibrate", "--port", str(board.path)]) == 2
    finally:
        board.close()
    output = capsys.readouterr()
    assert "Zero is set and kept" in output.out
    assert '{"event": "LinkUp", "port": ' in output.out
    assert "Nobody answers." in output.err


def test_whoever_watches_a_port_that_is_not_there_reads_that_it_is_waited_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line said that there is no port; then nothing followed, and nothing explained why."""
    port = tmp_path / "nothing"
    assert main(["firmware", "monitor", "--port", str(port), "--seconds", "0.5"]) == 0
    looking, missing = capsys.readouterr().out.splitlines()
    assert looking == f"Looking for a board on {port}; press Ctrl-C to stop."
    assert missing.startswith(f"▼ There is no port {port}. Plug the board in")


@pytest.mark.parametrize(
    "options",
    [["--mass", "0.5"], ["--mass", "five"], ["--cubes", "0"], ["--cubes", "many"]],
)
def test_numbers_that_make_no_sense_are_refused(options: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["firmware", "calibrate", *options])
    assert ended.value.code == 2


def test_a_weight_that_could_not_be_kept_is_refused_before_anybody_lays_out_cubes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was said after three minutes of weighing, which were lost."""
    (tmp_path / "scale.json.new").mkdir()
    assert main(["firmware", "calibrate", "--port", "/dev/nope", "--data", str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert "scale.json.new cannot be written" in said.err
    assert "another folder with --data" in said.err
