"""Rows of the table, and timing that is fair on a busy machine."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Row:
    """A figure and its ratio to the baseline."""

    bench: str
    what: str
    figure: str
    """With its unit: "2.1 ms"."""
    ratio: float | None
    """Ratio to the baseline; None for the baseline itself or if a ratio is meaningless."""
    baseline: str = ""


def size_px(text: str) -> tuple[int, int]:
    """Parse "640x480" as width and height; raises ValueError, which argparse turns into a message."""
    width, height = (int(side) for side in text.split("x"))
    return width, height


def table(rows: Iterable[Row]) -> str:
    """Format rows for people and for a results file."""
    lines = [f"{'bench':<12}{'what':<52}{'figure':>16}{'ratio':>10}  to"]
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.2f} ×"
        lines.append(f"{row.bench:<12}{row.what:<52}{row.figure:>16}{ratio:>10}  {row.baseline}".rstrip())
    return "\n".join(lines)


def milliseconds(work: Callable[[], object], repeats: int = 30) -> float:
    """Return the median time of one call, after an untimed first one."""
    work()
    times = []
    for _ in range(repeats):
        start = perf_counter()
        work()
        times.append((perf_counter() - start) * 1000)
    return median(times)


def compare_times(
    bench: str, baseline: tuple[str, Callable[[], object]], *contenders: tuple[str, Callable[[], object]]
) -> list[Row]:
    """Time the baseline and what is compared with it; return their rows."""
    name, work = baseline
    floor = milliseconds(work)
    rows = [Row(bench, name, f"{floor:.2f} ms", None)]
    for what, contender in contenders:
        spent = milliseconds(contender)
        rows.append(Row(bench, what, f"{spent:.2f} ms", spent / floor, name))
    return rows
