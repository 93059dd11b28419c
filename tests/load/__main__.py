"""`make load`: latencies and memory with 1, 8 and 60 devices on loopback, with the reader idle and at work.

Bounded: six cases of some 15 s each, all on this computer. Exit status 1 if a goal is missed.
"""

import argparse
import sys

from companion.measures import from_one
from tests.load.measure import Case, Result, measure

GOALS_MS = {8: (20.0, 60.0), 60: (50.0, 200.0)}
"""Goals for median and 95th percentile by number of devices, on two cores with the reader at work."""


HEAD = (
    "| devices | reader | update p50 ms | p95 | most | tap p50 | p95 "
    "| missed | view kB | web MB | sensors MB | load |"
)


def main() -> int:
    """Print a line per case."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--changes", type=from_one, default=100, help="of the table in each case (100)")
    args = parser.parse_args()
    print(HEAD)
    print("|---" * (HEAD.count("|") - 1) + "|")
    all_within = True
    for devices in (1, 8, 60):
        for reading in (False, True):
            result = measure(Case(devices, args.changes, reading))
            print(table_row(result), flush=True)
            all_within &= meets_goals(result)
    print("within the goals" if all_within else f"beyond the goals {GOALS_MS} (median, 95th percentile)")
    return 0 if all_within else 1


def table_row(result: Result) -> str:
    """Format a result as a row."""
    p50, p95, most = result.update_ms
    reader = f"{result.readings} readings" if result.case.reading else "at rest"
    return (
        f"| {result.case.devices} | {reader} | {p50:.1f} | {p95:.1f} | {most:.1f} | {result.tap_ms[0]:.1f} "
        f"| {result.tap_ms[1]:.1f} | {result.missed} | {result.view_bytes / 1024:.0f} | {result.web_mb:.0f} "
        f"| {result.sensors_mb:.0f} | {result.load:.1f} |"
    )


def meets_goals(result: Result) -> bool:
    """Whether the result meets the goals and no view was missed."""
    p50, p95 = GOALS_MS.get(result.case.devices, (float("inf"), float("inf")))
    return result.missed == 0 and result.update_ms[0] <= p50 and result.update_ms[1] <= p95


if __name__ == "__main__":
    sys.exit(main())
