"""The machine code on a simulated chip, in virtual time: deterministic for a given seed."""

import pytest

from firmware.link.wire import Command, Kind
from firmware.sim.chip import SimChip
from tests.firmware.simulated import kinds, need_simulator, ready

pytestmark = pytest.mark.simavr

UBRR0L, UCSR0A = 0xC4, 0xC0
_ZERO_AND_SCALE: tuple[tuple[Command, tuple[int | str, ...]], ...] = (
    (Command.TARE, ()),
    (Command.CALIBRATE, ("cubes", 62)),
)


def faults(chip: SimChip, seconds: float) -> list[tuple[str, int]]:
    return [
        (str(fault.line.fields[0]), fault.line.number(1)) for fault in kinds(chip.run(seconds), Kind.FAULT)
    ]


def cause(chip: SimChip) -> str:
    return str(chip.until(lambda line: line.kind is Kind.HELLO).line.fields[3])


def test_the_board_says_hello_and_beats_once_a_second() -> None:
    need_simulator()
    with SimChip() as chip:
        output = chip.run(5)
    assert [entry.line.kind for entry in output[:2]] == [Kind.HELLO, Kind.SETTINGS]
    assert output[0].line.fields[3] == "power"
    beats = kinds(output, Kind.BEAT)
    assert [round(entry.at_s, 1) for entry in beats] == [1.0, 2.0, 3.0, 4.0]
    assert beats[-1].line.fields[2:] == ("still", 80, 0, 0)
    assert 15 <= beats[-1].line.number(1) <= 30


def test_the_same_seed_says_the_same() -> None:
    need_simulator()
    outputs = []
    for seed in (5, 5, 6):
        with SimChip("+2 cube 0.36", seed=seed) as chip:
            chip.run(0.1)
            chip.ask(Command.STREAM, 1)
            outputs.append(chip.run(4))
    assert outputs[0] == outputs[1]
    assert outputs[0] != outputs[2]


def test_a_cube_is_felt_weighed_and_settled() -> None:
    with ready() as chip:
        chip.do("cube 0.36")
        fell_s = chip.now_s
        move, drop, settled = kinds(chip.run(1.5), Kind.MOVE, Kind.DROP, Kind.SETTLED)
    assert (move.line.kind, drop.line.kind, settled.line.kind) == (Kind.MOVE, Kind.DROP, Kind.SETTLED)
    assert move.at_s - fell_s <= 0.060
    assert drop.at_s - fell_s <= 0.200
    assert drop.line.number(0) == move.line.number(0)
    assert drop.line.number(1) == pytest.approx(360, abs=60)


def test_a_handful_weighs_what_it_weighs() -> None:
    with ready() as chip:
        chip.ask(Command.TARE)
        for number in range(12):
            chip.do(f"+{0.05 * number:.2f} cube 0.36")
        output = chip.run(3)
    drops, settled = kinds(output, Kind.DROP), kinds(output, Kind.SETTLED)
    assert sum(drop.line.number(1) for drop in drops) == pytest.approx(12 * 360, abs=60)
    assert settled[-1].line.number(0) == pytest.approx(12 * 360, abs=40)


@pytest.mark.parametrize("happens", ["hand 80 1.5", "bump 60 0.1", "slam 3", "bump 300 0.05", "hand 5 3"])
def test_what_passes_is_no_drop(happens: str) -> None:
    with ready() as chip:
        chip.do(happens)
        output = chip.run(6)
    assert not kinds(output, Kind.DROP)
    assert kinds(output, Kind.MOVE)
    assert kinds(output, Kind.SETTLED)


def test_calibration_with_a_known_mass_survives_a_power_cut() -> None:
    with ready("gain 3000", "offset 70000") as chip:
        tare = chip.ask(Command.TARE)
        assert tare.number(2) == pytest.approx(70000, abs=30)
        chip.do("lay 100 0.3")
        chip.run(2)
        assert chip.ask(Command.CALIBRATE, "mass", 100_000).number(2) == pytest.approx(3_000_000, rel=0.001)
        assert chip.ask(Command.SAVE).kind is Kind.ACK
        chip.do("power")
        settings = chip.until(lambda line: line.kind is Kind.SETTINGS).line
        assert settings.fields[1] == pytest.approx(3_000_000, rel=0.001)
        assert settings.fields[4:] == (1, "saved")
        beat = kinds(chip.run(3), Kind.BEAT)[-1].line
        assert beat.number(0) == pytest.approx(100_000, abs=40)


def test_a_cell_mounted_the_other_way_round_weighs_as_well() -> None:
    with ready("gain -2147") as chip:
        chip.ask(Command.TARE)
        chip.do("lay 50 0.3")
        chip.run(2)
        assert chip.ask(Command.CALIBRATE, "mass", 50_000).number(2) == pytest.approx(-2_147_000, rel=0.001)
        chip.do("cube 0.36")
        (drop,) = kinds(chip.run(1.5), Kind.DROP)
    assert drop.line.number(1) == pytest.approx(360, abs=60)


@pytest.mark.parametrize("swings", ["shake 1 2 100", "shake 2 1 100", "shake 20 3 100"])
@pytest.mark.parametrize("rate", [80, 10])
def test_a_table_that_swings_for_long_is_neither_zero_nor_scale(rate: int, swings: str) -> None:
    """The detector had adapted to it: the zero was up to seven cubes off, and reported as set."""
    with ready() as chip:
        if rate == 10:
            chip.do("strap 10")
            chip.run(4)
        chip.ask(Command.TARE)
        chip.do("lay 22 0.3")
        chip.run(4)
        chip.do(swings)
        chip.run(20)
        for command, arguments in 3 * _ZERO_AND_SCALE:
            answer = chip.ask(command, *arguments)
            assert (answer.kind, answer.fields[1]) == (Kind.NAK, "moving"), command
            chip.run(1.3)
        chip.run(90)
        assert chip.ask(Command.CALIBRATE, "cubes", 62).kind is Kind.ACK


@pytest.mark.parametrize(
    "script", [("noise 250",), ("gain 4295", "shake 0.05 3 60"), ("strap 10", "noise 100 100")]
)
def test_a_noisy_cell_can_be_set_to_zero_and_calibrated(script: tuple[str, ...]) -> None:
    with ready(*script, seconds=6) as chip:
        for command, arguments in _ZERO_AND_SCALE:
            for _ in range(5):  # the least number of tries that `tenshu firmware calibrate` makes
                if (answer := chip.ask(command, *arguments)).kind is Kind.ACK:
                    break
                chip.run(1)
            assert answer.kind is Kind.ACK
            chip.do("lay 22 0.3")
            chip.run(3)


def test_trouble_that_stands_is_told_to_whoever_greets() -> None:
    """Not every board is reset by opening its port: a host that came later never heard of a loose wire."""
    with ready("missing 1") as chip:
        chip.ask(Command.HELLO)
        assert faults(chip, 0.5) == [("silent", 1)]
        chip.do("missing 0")
        assert faults(chip, 1.5) == [("silent", 0)]


def test_no_hx711_at_all_is_silent_also_after_a_reset() -> None:
    with ready("missing 1") as chip:
        chip.do("power")
        assert faults(chip, 2.0) == [("silent", 1)]


@pytest.mark.parametrize("after_ms", range(0, 80, 2))
def test_power_that_fails_while_saving_costs_the_new_values_at_most(after_ms: int) -> None:
    with ready("drift 0", seed=after_ms + 1, seconds=1.0) as chip:
        chip.ask(Command.THRESHOLD, 111)
        chip.ask(Command.SAVE)
        chip.ask(Command.THRESHOLD, 222)
        chip.ask(Command.SAVE)
        chip.ask(Command.THRESHOLD, 333)
        chip.send(b"save\n")
        chip.run(0.001 * after_ms + 0.0007)
        chip.do("power")
        settings = chip.until(lambda line: line.kind is Kind.SETTINGS and line.sequence == 1).line
    assert settings.number(3) in (222, 333)
    assert settings.fields[5] in ("saved", "previous")


@pytest.mark.parametrize(
    ("word", "reset_cause"), [("button", "reset"), ("brownout", "brownout"), ("power", "power")]
)
def test_a_reset_says_why(word: str, reset_cause: str) -> None:
    with ready() as chip:
        chip.do(word)
        assert cause(chip) == reset_cause


def test_a_reset_on_command() -> None:
    with ready() as chip:
        chip.ask(Command.RESET)
        assert cause(chip) == "command"


def test_the_watchdog_ends_what_hangs() -> None:
    """A program in an endless loop with interrupts off recovers by itself."""
    with ready() as chip:
        chip.hang()
        assert cause(chip) == "watchdog"
        chip.run(2)
        assert chip.ask(Command.TARE).kind is Kind.ACK


def test_a_missing_chip_is_named_and_found_again() -> None:
    with ready() as chip:
        chip.do("missing 1")
        assert faults(chip, 2) == [("silent", 1)]
        assert chip.ask(Command.TARE).fields[1] == "fault"
        chip.do("missing 0")
        assert faults(chip, 2) == [("silent", 0)]
        output = chip.run(2)
        assert not kinds(output, Kind.DROP)
        assert kinds(output, Kind.BEAT)[-1].line.fields[2] == "still"


@pytest.mark.parametrize(
    ("word", "undo", "fault"),
    [
        ("low 1", "low 0", "desync"),
        ("frozen 1", "frozen 0", "stuck"),
        ("lay 6000 0.1", "lay -6000 0.1", "saturated"),
    ],
)
def test_faults_have_names_and_ends(word: str, undo: str, fault: str) -> None:
    with ready() as chip:
        chip.do(word)
        assert (fault, 1) in faults(chip, 3)
        chip.do(undo)
        assert (fault, 0) in faults(chip, 3)
        chip.do("cube 0.36")
        assert len(kinds(chip.run(2), Kind.DROP)) == 1


def test_a_dip_of_the_cells_supply_makes_no_drop() -> None:
    with ready() as chip:
        for _ in range(10):
            chip.do("dip 30")
            assert not kinds(chip.run(2), Kind.DROP)


def test_the_rate_follows_the_pin_and_the_strap() -> None:
    with ready() as chip:
        chip.ask(Command.RATE, 10)
        assert kinds(chip.run(4), Kind.BEAT)[-1].line.number(3) == 10
    with ready("strap 10") as chip:
        assert kinds(chip.run(4), Kind.BEAT)[-1].line.number(3) == 10
        chip.do("cube 0.36")
        assert len(kinds(chip.run(3), Kind.DROP)) == 1


@pytest.mark.parametrize("clock", [0.9, 1.1])
def test_an_oscillator_ten_percent_off_does_no_harm(clock: float) -> None:
    with ready(f"clock {clock}") as chip:
        for _ in range(10):
            chip.do("cube 0.36")
            assert len(kinds(chip.run(1.5), Kind.DROP)) == 1


def test_the_traps_of_the_hx711_are_avoided() -> None:
    with ready() as chip:
        chip.ask(Command.STREAM, 1)
        chip.forget()
        chip.do("shake 2 7 5")
        output = chip.run(12)
        figures = chip.figures
    assert len(kinds(output, Kind.SAMPLE)) >= 80 * 12 - 2
    assert (figures.overruns, figures.collisions, figures.power_downs, figures.wrong_gains) == (0, 0, 0, 0)
    assert figures.longest_sck_us < 50
    assert figures.longest_cli_us < 20
    assert figures.longest_busy_us < 5_000, "64 bytes of the receive queue are 5.5 ms"


def test_the_baud_rate_is_what_an_arduino_uses() -> None:
    with ready() as chip:
        assert (chip.register(UBRR0L), chip.register(UCSR0A) & 2) == (16, 2)


def test_stack_and_variables_leave_a_quarter_of_the_ram() -> None:
    need_simulator()
    with SimChip() as chip:
        chip.run(1)
        chip.ask(Command.TARE)
        chip.ask(Command.SAVE)
        chip.do("cube 0.36")
        chip.run(2)
        assert 0x900 - chip.figures.lowest_stack < 2048 - 1024 - 512


def test_a_flood_of_orders_does_not_stop_the_board() -> None:
    with ready() as chip:
        chip.ask(Command.STREAM, 1)
        assert chip.torn == 0
        chip.send(b">1,TARE*0248\n" * 100 + b"\xff" * 500 + b"\n")
        chip.run(3)
        assert chip.ask(Command.STREAM, 0).kind is Kind.ACK
        assert kinds(chip.run(2), Kind.BEAT)[-1].line.fields[2] == "still"
