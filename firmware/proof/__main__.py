"""`python -m firmware.proof [--short]`: the board's promises, measured; fails if one is broken."""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from statistics import fmean, pstdev
from typing import Final, TypeVar

from firmware.link.errors import BoardError
from firmware.link.wire import Command
from firmware.proof.trials import (
    CELL_1KG,
    CELL_500G,
    DROP_MS,
    ONSET_MS,
    Cell,
    Handfuls,
    Quiet,
    Singles,
    handfuls,
    make_settled_chip,
    quiet,
    singles,
)
from firmware.sim import build

_NOISE_80, _NOISE_10 = 45, 25
RAM_END: Final = 0x900
_LATE: Final = 0.01
"""Share of the drops that may come later than promised."""
_Result = TypeVar("_Result", Singles, Quiet, Handfuls)


def percentile(values: Iterable[float], share: float) -> float:
    """Return the value below which this share of the values lies; 0 if there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


class Report:
    """Prints tables as it goes and remembers broken promises."""

    def __init__(self, pool: ProcessPoolExecutor, scale: float) -> None:
        self.broken: list[str] = []
        self._pool, self._scale = pool, scale

    def say(self, text: str = "") -> None:
        """Print a line."""
        sys.stdout.write(text + "\n")
        sys.stdout.flush()

    def row(self, *cells: object) -> None:
        """Print a row of a table."""
        self.say("| " + " | ".join(map(str, cells)) + " |")

    def begin_table(self, title: str, *columns: str) -> None:
        """Begin a table."""
        self.say(f"\n{title}\n")
        self.row(*columns)
        self.row(*("---" for _ in columns))

    def promise(self, kept: bool, what: str) -> None:
        """Print a promise and whether it is kept."""
        self.say(f"{'kept' if kept else 'BROKEN'}: {what}")
        if not kept:
            self.broken.append(what)

    def scaled(self, count: float) -> int:
        """Scale a count down for a short run."""
        return max(1, round(count * self._scale))

    def gather(self, trial: Callable[[int], _Result], seeds: Sequence[int], total: _Result) -> _Result:
        """Run a trial with each seed and merge the results into `total`."""
        for result in self._pool.map(trial, seeds):
            total.add(result)
        return total


def result_cells(found: Singles) -> list[object]:
    """Return the cells of a table row."""
    rate = 100 * found.detected / found.fallen
    onset = f"{percentile(found.onset_ms, 0.5):.0f} / {percentile(found.onset_ms, 0.99):.0f}"
    drop = f"{percentile(found.drop_ms, 0.5):.0f} / {percentile(found.drop_ms, 0.99):.0f}"
    error = f"{fmean(found.error_mg):+.0f} ± {pstdev(found.error_mg):.0f}" if found.error_mg else ""
    return [found.fallen, f"{rate:.2f} %", found.missed, found.wrong, onset, drop, error, found.named]


SINGLES = (
    "scene",
    "cubes",
    "found",
    "nothing said",
    "wrong",
    "onset ms, median / p99",
    "drop ms",
    "error mg",
    "fell while named",
)


def report_drops(report: Report) -> None:
    """Single cubes at the data sheet's noise."""
    report.begin_table("Single cubes", *SINGLES)
    fine_results = report.gather(partial(singles, CELL_500G, report.scaled(250)), range(1, 9), Singles())
    report.row(CELL_500G.name, *result_cells(fine_results))
    cheap_results = report.gather(partial(singles, CELL_1KG, report.scaled(50)), range(1, 9), Singles())
    report.row(CELL_1KG.name, *result_cells(cheap_results))
    late = sum(ms > DROP_MS for ms in fine_results.drop_ms) / max(1, len(fine_results.drop_ms))
    report.say()
    report.promise(fine_results.detected >= 0.995 * fine_results.fallen, "99.5 % of single cubes are found")
    report.promise(fine_results.wrong == 0, "no drop has a wrong mass or is none")
    report.promise(
        max(fine_results.onset_ms) <= ONSET_MS, f"the onset is on the wire within {ONSET_MS:.0f} ms"
    )
    report.promise(late <= _LATE, f"the drop is within {DROP_MS:.0f} ms (later: {late:.2%})")


def report_rest(report: Report) -> None:
    """Drift, hands and bumps. No promise for a slow cell, which cannot tell a hand from a weight."""
    columns = ("scene", "minutes", "hands", "knocks", "doors", "shakes", "motions", "false drops")
    report.begin_table("Nothing falls", *columns)
    found = _measure_rest(report, CELL_500G, report.scaled(12))
    _measure_rest(report, CELL_1KG, report.scaled(3))
    for line in found.false:
        report.say(line)
    report.say()
    report.promise(not found.false, "no drop without a cube")


def _measure_rest(report: Report, cell: Cell, times: int) -> Quiet:
    found = report.gather(partial(quiet, cell, 5.0 if times > 1 else 2.0), range(1, times + 1), Quiet())
    counts = (found.hands, found.bumps, found.doors, found.shakes, found.moves, len(found.false))
    report.row(cell.name, f"{found.minutes:.0f}", *counts)
    return found


def report_traps(report: Report) -> None:
    """Requirements that the HX711 and the chip do not forgive breaking."""
    with make_settled_chip(CELL_500G, 1) as chip:
        chip.ask(Command.STREAM, 1)
        chip.ask(Command.SAVE)
        chip.do("shake 2 7 30")
        chip.run(60)
        seen = chip.figures
        stack = RAM_END - seen.lowest_stack
    report.begin_table("A minute with the full trace, since power-up", "what", "seen", "limit")
    report.row(
        "HX711 readings lost, torn, with a wrong gain",
        f"{seen.overruns}, {seen.collisions}, {seen.wrong_gains}",
        0,
    )
    report.row("SCK high, longest", f"{seen.longest_sck_us:.2f} µs", "50 µs")
    report.row("interrupts off, longest", f"{seen.longest_cli_us:.2f} µs", "87 µs, a byte")
    report.row("main loop, longest", f"{seen.longest_busy_us / 1000:.2f} ms", "5.5 ms, 64 bytes")
    report.row("the chip works", f"{seen.busy:.0%}", "")
    report.row("stack, deepest", f"{stack} bytes", "1024 less the rest")
    report.say()
    whole = seen.overruns + seen.collisions + seen.wrong_gains == 0
    report.promise(whole and seen.longest_sck_us < 50, "every reading of the HX711 is taken whole")
    report.promise(seen.longest_busy_us < 5500, "no byte of the host is lost")


def report_throws(report: Report) -> None:
    """Several cubes at once."""
    columns = ("scene", "throws", "cubes", "felt", "mass gives the number", "drops add up", "error mg")
    report.begin_table("2 to 20 cubes, 20 to 300 ms between them", *columns)
    for cell in (CELL_500G, CELL_1KG):
        found = report.gather(partial(handfuls, cell, report.scaled(25)), range(1, 9), Handfuls())
        error = f"{fmean(found.error_mg):+.0f} ± {pstdev(found.error_mg):.0f}"
        counts = (found.handfuls, found.cubes, found.motion, found.exact, found.sum_exact)
        report.row(cell.name, *counts, error)
        report.promise(found.motion == found.handfuls, f"{cell.name}: every throw is felt")


def report_disturbed(report: Report) -> None:
    """The effect of more noise and of a shaking table."""
    report.begin_table("More noise", *SINGLES)
    for cell, times in [*((CELL_500G, n) for n in (2, 4, 6, 8)), *((CELL_1KG, n) for n in (2, 3, 4, 5))]:
        script = (f"noise {_NOISE_80 * times} {_NOISE_10 * times}",)
        _measure_scene(report, f"{cell.name}, noise × {times}", cell, script)
    report.begin_table("A table that shakes without end", *SINGLES)
    for grams, hz in (
        (0.05, 2),
        (0.1, 2),
        (0.2, 2),
        (0.5, 2),
        (0.1, 7),
        (0.2, 7),
        (0.2, 15),
        (0.5, 15),
        (1.0, 33),
    ):
        script = (f"shake {grams} {hz} 1000000",)
        found = _measure_scene(report, f"{grams} g at {hz} Hz", CELL_500G, script)
        if (grams, hz) == (0.1, 2):
            survived = found.detected >= 0.995 * found.fallen and not found.wrong
            report.promise(survived or 2 * found.named > found.fallen, "0.1 g at 2 Hz is survived or named")


def _measure_scene(report: Report, name: str, cell: Cell, script: tuple[str, ...]) -> Singles:
    trial = partial(_singles_when_warm, cell, report.scaled(40), script)
    result = report.gather(trial, range(1, 4), Singles())
    report.row(name, *result_cells(result))
    return result


def _singles_when_warm(cell: Cell, count: int, script: tuple[str, ...], seed: int) -> Singles:
    return singles(cell, count, seed, *script, warm_s=30 if cell.rate == 80 else 90)


def main() -> int:
    """Return exit status 1 if a promise is broken, 2 if there is no simulator."""
    parser = argparse.ArgumentParser(prog="python -m firmware.proof", description=__doc__)
    parser.add_argument("--short", action="store_true", help="a tenth of it")
    arguments = parser.parse_args()
    try:
        build.build()
    except BoardError as error:
        sys.stderr.write(f"{error.sentence} {error.remedy}\n")
        return 2
    begun = time.monotonic()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        report = Report(pool, 0.1 if arguments.short else 1.0)
        for part in (report_traps, report_drops, report_rest, report_throws, report_disturbed):
            part(report)
    report.say(f"\n{len(report.broken)} promises broken, {time.monotonic() - begun:.0f} s")
    return 1 if report.broken else 0


if __name__ == "__main__":
    sys.exit(main())
