"""Run every `bench_*.py` beside this file (or those named) and print one table."""

import sys
from importlib import import_module
from pathlib import Path

from tests.bench.rows import Row, table


def names() -> list[str]:
    """Return the names of the benchmarks, in order."""
    return sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))


def main(chosen: list[str]) -> int:
    """Run the chosen benchmarks, or all; exit status 2 for an unknown name."""
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
