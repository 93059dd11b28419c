"""`python -m companion.games.shogun.scenarios FILE…`: play each scenario and print what differs, and
fields that decided nothing."""

import argparse
import json
import sys
from pathlib import Path

from companion.games.protocol import Json
from companion.games.shogun.scenarios.running import run

PAGE = "docs/rules/scenarios.md"


def main(arguments: list[str]) -> int:
    """Return the exit status: 0 if all pass, 1 if some fail, 2 if a file cannot be read."""
    parser = argparse.ArgumentParser(
        prog="python -m companion.games.shogun.scenarios", description="Plays scenarios, says what differs."
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help=f"in the format of {PAGE}")
    paths = parser.parse_args(arguments).files
    if not paths:
        sys.stderr.write(f"Which file? Give one or more files in the format of {PAGE}.\n")
        return 2
    failed = played = 0
    for path in paths:
        try:
            scenarios = _read_scenarios(Path(path))
        except (OSError, ValueError, RecursionError) as error:
            reason = getattr(error, "strerror", None) or error
            sys.stderr.write(f"{path} cannot be read as scenarios: {reason}. See {PAGE}.\n")
            return 2
        for scenario in scenarios:
            verdict = run(scenario)
            played += 1
            failed += bool(verdict.faults)
            for fault in verdict.faults:
                sys.stdout.write(f"{verdict.id}: {fault}\n")
            for field in verdict.unread:
                sys.stdout.write(f"{verdict.id}: {field} decides nothing here; is it spelt as in {PAGE}?\n")
    sys.stdout.write(f"{played - failed} of {played} scenarios are as they say\n")
    return 1 if failed else 0


def _read_scenarios(path: Path) -> list[Json]:
    """Return the scenarios of a file. Raise `ValueError` or `OSError`."""
    body = json.loads(path.read_text(encoding="utf-8-sig"))  # some editors write a BOM
    found = body.get("scenarios") if isinstance(body, dict) else body
    if not isinstance(found, list) or not all(isinstance(scenario, dict) for scenario in found):
        raise ValueError("it is no list of objects")
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
