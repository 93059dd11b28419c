"""The lines of the table, and a stop-watch that is fair on a busy machine."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Row:
    """A figure and how many times the baseline it is."""

    bench: str
    what: str
    figure: str
    """With its unit: "2.1 ms"."""
    ratio: float | None
    """To the baseline, None for the baseline itself or where a ratio says nothing."""
    baseline: str = ""


def size_px(text: str) -> tuple[int, int]:
    """Width and height of "640x480"; raises ValueError, of which argparse makes a sentence."""
    width, height = (int(side) for side in text.split("x"))
    return width, height


def table(rows: Iterable[Row]) -> str:
    """For people and for a results file."""
    lines = [f"{'bench':<12}{'what':<52}{'figure':>16}{'ratio':>10}  to"]
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.2f} ×"
        lines.append(f"{row.bench:<12}{row.what:<52}{row.figure:>16}{ratio:>10}  {row.baseline}".rstrip())
    return "\n".join(lines)


def milliseconds(work: Callable[[], object], repeats: int = 30) -> float:
    """Median time of one call, after one that is not counted."""
    work()
    times = []
    for _ in range(repeats):
        start = perf_counter()
        work()
        times.append((perf_counter() - start) * 1000)
    return median(times)


def timed(
    bench: str, baseline: tuple[str, Callable[[], object]], *others: tuple[str, Callable[[], object]]
) -> list[Row]:
    """Rows of the baseline and of what is compared with it."""
    name, work = baseline
    floor = milliseconds(work)
    rows = [Row(bench, name, f"{floor:.2f} ms", None)]
    for what, other in others:
        spent = milliseconds(other)
        rows.append(Row(bench, what, f"{spent:.2f} ms", spent / floor, name))
    return rows
