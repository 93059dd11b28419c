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
    begin,
    handfuls,
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

    def head(self, title: str, *columns: str) -> None:
        """Begin a table."""
        self.say(f"\n{title}\n")
        self.row(*columns)
        self.row(*("---" for _ in columns))

    def promise(self, kept: bool, what: str) -> None:
        """Print a promise and whether it is kept."""
        self.say(f"{'kept' if kept else 'BROKEN'}: {what}")
        if not kept:
            self.broken.append(what)

    def share(self, count: float) -> int:
        """Scale a count down for a short run."""
        return max(1, round(count * self._scale))

    def gather(self, trial: Callable[[int], _Result], seeds: Sequence[int], total: _Result) -> _Result:
        """Run a trial with each seed and merge the results into `total`."""
        for result in self._pool.map(trial, seeds):
            total.add(result)
        return total


def told(found: Singles) -> list[object]:
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


def drops(report: Report) -> None:
    """Single cubes at the data sheet's noise."""
    report.head("Single cubes", *SINGLES)
    good = report.gather(partial(singles, CELL_500G, report.share(250)), range(1, 9), Singles())
    report.row(CELL_500G.name, *told(good))
    cheap = report.gather(partial(singles, CELL_1KG, report.share(50)), range(1, 9), Singles())
    report.row(CELL_1KG.name, *told(cheap))
    late = sum(ms > DROP_MS for ms in good.drop_ms) / max(1, len(good.drop_ms))
    report.say()
    report.promise(good.detected >= 0.995 * good.fallen, "99.5 % of single cubes are found")
    report.promise(good.wrong == 0, "no drop has a wrong mass or is none")
    report.promise(max(good.onset_ms) <= ONSET_MS, f"the onset is on the wire within {ONSET_MS:.0f} ms")
    report.promise(late <= _LATE, f"the drop is within {DROP_MS:.0f} ms (later: {late:.2%})")


def rest(report: Report) -> None:
    """Drift, hands and bumps. No promise for a slow cell, which cannot tell a hand from a weight."""
    columns = ("scene", "minutes", "hands", "knocks", "doors", "shakes", "motions", "false drops")
    report.head("Nothing falls", *columns)
    good = _at_rest(report, CELL_500G, report.share(12))
    _at_rest(report, CELL_1KG, report.share(3))
    for line in good.false:
        report.say(line)
    report.say()
    report.promise(not good.false, "no drop without a cube")


def _at_rest(report: Report, cell: Cell, times: int) -> Quiet:
    found = report.gather(partial(quiet, cell, 5.0 if times > 1 else 2.0), range(1, times + 1), Quiet())
    counts = (found.hands, found.bumps, found.doors, found.shakes, found.moves, len(found.false))
    report.row(cell.name, f"{found.minutes:.0f}", *counts)
    return found


def traps(report: Report) -> None:
    """Requirements that the HX711 and the chip do not forgive breaking."""
    with begin(CELL_500G, 1) as chip:
        chip.ask(Command.STREAM, 1)
        chip.ask(Command.SAVE)
        chip.do("shake 2 7 30")
        chip.run(60)
        seen = chip.figures
        stack = RAM_END - seen.lowest_stack
    report.head("A minute with the full trace, since power-up", "what", "seen", "limit")
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


def throws(report: Report) -> None:
    """Several cubes at once."""
    columns = ("scene", "throws", "cubes", "felt", "mass gives the number", "drops add up", "error mg")
    report.head("2 to 20 cubes, 20 to 300 ms between them", *columns)
    for cell in (CELL_500G, CELL_1KG):
        found = report.gather(partial(handfuls, cell, report.share(25)), range(1, 9), Handfuls())
        error = f"{fmean(found.error_mg):+.0f} ± {pstdev(found.error_mg):.0f}"
        counts = (found.handfuls, found.cubes, found.motion, found.exact, found.sum_exact)
        report.row(cell.name, *counts, error)
        report.promise(found.motion == found.handfuls, f"{cell.name}: every throw is felt")


def worse(report: Report) -> None:
    """The effect of more noise and of a shaking table."""
    report.head("More noise", *SINGLES)
    for cell, times in [*((CELL_500G, n) for n in (2, 4, 6, 8)), *((CELL_1KG, n) for n in (2, 3, 4, 5))]:
        script = (f"noise {_NOISE_80 * times} {_NOISE_10 * times}",)
        _scene(report, f"{cell.name}, noise × {times}", cell, script)
    report.head("A table that shakes without end", *SINGLES)
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
        found = _scene(report, f"{grams} g at {hz} Hz", CELL_500G, script)
        if (grams, hz) == (0.1, 2):
            survived = found.detected >= 0.995 * found.fallen and not found.wrong
            report.promise(survived or 2 * found.named > found.fallen, "0.1 g at 2 Hz is survived or named")


def _scene(report: Report, name: str, cell: Cell, script: tuple[str, ...]) -> Singles:
    trial = partial(_warm, cell, report.share(40), script)
    found = report.gather(trial, range(1, 4), Singles())
    report.row(name, *told(found))
    return found


def _warm(cell: Cell, count: int, script: tuple[str, ...], seed: int) -> Singles:
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
        for part in (traps, drops, rest, throws, worse):
            part(report)
    report.say(f"\n{len(report.broken)} promises broken, {time.monotonic() - begun:.0f} s")
    return 1 if report.broken else 0


if __name__ == "__main__":
    sys.exit(main())
