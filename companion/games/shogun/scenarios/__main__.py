"""`python -m companion.games.shogun.scenarios FILE…`: plays each scenario and says what differs."""

import json
import sys
from pathlib import Path

from companion.games.shogun.scenarios.running import run


def main(paths: list[str]) -> int:
    """0 when all pass, 1 when some do not, 2 when a file cannot be read."""
    if not paths:
        sys.stderr.write("Which file? Give one or more files in the format of docs/rules/scenarios.md.\n")
        return 2
    failed = played = 0
    for path in paths:
        try:
            scenarios = json.loads(Path(path).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            sys.stderr.write(f"{path} cannot be read as scenarios: {error}\n")
            return 2
        for scenario in scenarios if isinstance(scenarios, list) else scenarios.get("scenarios", []):
            verdict = run(scenario)
            played += 1
            failed += bool(verdict.faults)
            for fault in verdict.faults:
                sys.stdout.write(f"{verdict.id}: {fault}\n")
    sys.stdout.write(f"{played - failed} of {played} scenarios are as they say\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
