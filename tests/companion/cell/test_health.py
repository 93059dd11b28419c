"""The doctor's findings on a load cell."""

from pathlib import Path

import pytest

from calibration.scale import CubeMass, save
from companion.cell.health import check_load_cell
from companion.cli import main
from companion.findings import Finding, Level
from firmware.link.program import PROGRAM
from firmware.link.talk import Board, connect
from firmware.link.wire import Kind
from firmware.sim.board import SimulatedBoard
from tests.firmware.living import living_board
from tests.firmware.simulated import need_simulator
from tests.firmware.standin import PtyBoard, StandIn


def _findings(data: Path, standin: StandIn | None = None) -> list[Finding]:
    def open_board(port: str) -> Board:
        return living_board(standin)[0] if standin else connect(port)

    return list(check_load_cell([str(data / "board")], data, open_board))


def test_a_board_that_is_well_says_how_well(tmp_path: Path) -> None:
    save(CubeMass(352.0, 1.5, 14.0, 62), tmp_path)
    findings = _findings(tmp_path, StandIn())
    assert [finding.level for finding in findings] == [Level.OK] * 3
    assert f"program {PROGRAM}" in findings[0].sentence
    assert "80 readings a second, each good to 21 mg" in findings[1].sentence
    assert "352 mg, learned from 62; they differ by 4.0%" in findings[2].sentence


def test_an_older_program_is_told_with_what_to_do(tmp_path: Path) -> None:
    """A board flashed long ago kept the bugs of that version, and nobody noticed."""
    finding = _findings(tmp_path, StandIn(program="0.1.0"))[0]
    assert (finding.level, finding.sentence.split(", ")[1]) == (
        Level.NOTE,
        f"program 0.1.0. Tenshu comes with {PROGRAM}.",
    )
    assert "tenshu firmware flash" in finding.remedy


@pytest.mark.parametrize(
    ("noise_mg", "rate", "remedy"), [(90, 80, "Shorten the cell's wires"), (21, 10, "RATE pin")]
)
def test_bad_readings_have_a_remedy(tmp_path: Path, noise_mg: int, rate: int, remedy: str) -> None:
    class NoisyBoard(StandIn):
        def beat(self) -> bytes:
            self.now_ms += 1000
            return self.line(Kind.BEAT, 0, noise_mg, "still", rate, 0, 0)

    finding = _findings(tmp_path, NoisyBoard())[1]
    assert finding.level is Level.NOTE
    assert remedy in finding.remedy


@pytest.mark.simavr
@pytest.mark.parametrize(
    ("mistake", "sentence"),
    [
        ("missing 1", "The HX711 gives no readings."),
        ("low 1", "The HX711's readings are garbled."),
        ("frozen 1", "The load cell's reading never changes."),
        ("offset 9000000", "The load cell is at the end of its range."),
        ("shake 1 3 100000", "The tray does not come to rest."),
    ],
)
@pytest.mark.parametrize("boot_ms", [0, 300], ids=["it ran before", "opening its port resets it"])
def test_a_mistake_of_the_wiring_is_called_by_its_name(
    mistake: str, sentence: str, boot_ms: int, tmp_path: Path
) -> None:
    """All of these passed for a quiet cell or an unconnected RATE pin."""
    need_simulator()
    with SimulatedBoard(mistake, speed=8.0, boot_ms=boot_ms) as board:
        findings = list(check_load_cell([board.port], tmp_path))
    assert sentence in [finding.sentence for finding in findings]
    assert not any("RATE" in finding.remedy for finding in findings)


def test_cubes_that_were_never_weighed_are_a_note(tmp_path: Path) -> None:
    finding = _findings(tmp_path, StandIn())[-1]
    assert (finding.level, "tenshu firmware calibrate" in finding.remedy) == (Level.NOTE, True)


def test_a_port_that_is_not_there_is_a_note(tmp_path: Path) -> None:
    [finding] = _findings(tmp_path)
    assert finding.level is Level.NOTE
    assert "There is no port" in finding.sentence


def test_the_doctor_greets_the_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = PtyBoard(tmp_path / "board")
    stop = board.beats_by_itself()
    try:
        main(["doctor", "--camera", "nothing", "--port-serial", str(board.path)])
    finally:
        stop()
        board.close()
    assert "Load cell on" in capsys.readouterr().out
