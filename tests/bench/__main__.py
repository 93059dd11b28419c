"""Run every `bench_*.py` beside this file (or those named) and print one table."""

import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from tests.bench.rows import Row


def names() -> list[str]:
    """Benchmarks that are there, in name order."""
    return sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))


def table(rows: Iterable[Row]) -> str:
    """For people and for a results file."""
    lines = [f"{'bench':<12}{'what':<52}{'figure':>16}{'ratio':>10}  to"]
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.2f} ×"
        lines.append(f"{row.bench:<12}{row.what:<52}{row.figure:>16}{ratio:>10}  {row.baseline}".rstrip())
    return "\n".join(lines)


def main(chosen: list[str]) -> int:
    """Exit status 2 for a name that is no benchmark."""
    known = names()
    unknown = [name for name in chosen if name not in known]
    if unknown:
        sys.stderr.write(f"No benchmark {', '.join(unknown)}; there are {', '.join(known)}.\n")
        return 2
    rows: list[Row] = []
    for name in chosen or known:
        sys.stderr.write(f"{name} …\n")
        rows += import_module(f"tests.bench.bench_{name}").run()
    sys.stdout.write(table(rows) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
