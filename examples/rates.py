"""What a tower does with cubes, from its own log: an example of reading an export. Needs only numpy.

    tenshu log export -o throws.csv
    python examples/rates.py throws.csv

One share of the cubes that are thrown comes out, and another of those that were stuck inside: two rates,
fitted by least squares over every colour of every throw. docs/tower.md says what each column is, and how the
page *The tower* weighs throws, which this does not.
"""

import csv
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

LEAST_THROWS = 12
"""Least number of throws from which anything can be said."""


def read_colours(row: dict[str, str]) -> Iterator[tuple[int, int, int]]:
    """Yield (thrown, inside before, out) for each colour that took part in a throw."""
    for colour in (name.removeprefix("out_") for name in row if name.startswith("out_")):
        if not row[f"retained_{colour}"]:  # not known at this table
            continue
        out, thrown = int(row[f"out_{colour}"]), int(row[f"table_{colour}"]) + int(row[f"tray_{colour}"])
        inside = int(row[f"retained_{colour}"]) + out - thrown
        if thrown or inside:
            yield thrown, inside, out


def is_usable(row: dict[str, str]) -> bool:
    """Whether a throw was not undone and the tower's content was known; a spreadsheet writes TRUE."""
    return str(row["undone"]).lower() == "false" and str(row["inside_known"]).lower() == "true"


def main(path: Path) -> int:
    """Print both rates with their standard errors."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            throws = [
                rows for row in csv.DictReader(file) if is_usable(row) and (rows := [*read_colours(row)])
            ]
        table = np.array([row for rows in throws for row in rows], float).reshape(-1, 3)
    except (OSError, csv.Error, KeyError, TypeError, ValueError):  # ValueError includes UnicodeError
        sys.exit(f"{path} is no log that can be read. Write one: tenshu log export -o throws.csv")
    if len(throws) < LEAST_THROWS:
        sys.exit(f"{path} has too few throws for two rates: {len(throws)} that count.")
    if np.linalg.matrix_rank(table[:, :2]) < 2:
        sys.exit(f"{path} does not tell two rates apart: nothing was stuck inside, or always as much.")
    inputs, out = table[:, :2], table[:, 2]
    rates = np.linalg.lstsq(inputs, out)[0]
    variance = ((out - inputs @ rates) ** 2).sum() / (len(out) - 2)
    errors = np.sqrt(variance * np.diag(np.linalg.inv(inputs.T @ inputs)))
    for rate, error, which in zip(rates, errors, ("are thrown", "were stuck inside"), strict=True):
        print(f"Of the cubes that {which} {100 * rate:.0f} % ± {100 * error:.0f} come out.")
    print(f"{len(throws)} throws.")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        main(Path(sys.argv[1]))
        sys.stdout.flush()
    except BrokenPipeError:  # as with `| head`: the reader has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
