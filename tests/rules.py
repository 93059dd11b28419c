"""Lists rules that no test names: `make rules`. Ids are those of docs/rules/shogun.md."""

import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "rules" / "shogun.md"
SCENARIOS = HERE / "data" / "shogun" / "scenarios.json"
_NAMED = re.compile(r"def test_((?:[A-Z]\d+_)+)")


def stated() -> list[str]:
    """Return the ids of all rules on the page."""
    return re.findall(r"^- ([A-Z]-\d+)(?: \*)?:", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def cited() -> set[str]:
    """Return the ids in scenarios and in test names: `test_B7_...` names B-7, `test_X1_X6_...` both."""
    scenarios = json.loads(SCENARIOS.read_text(encoding="utf-8"))
    found = {rule for scenario in scenarios for rule in scenario["rules"]}
    for path in (HERE / "companion").rglob("test_*.py"):
        for names in _NAMED.findall(path.read_text(encoding="utf-8")):
            found |= {f"{name[0]}-{name[1:]}" for name in names.strip("_").split("_")}
    return found


def untested() -> list[str]:
    """Return the rules without a test."""
    return [rule for rule in stated() if rule not in cited()]


def main() -> int:
    """Print rules without a test; return 0 if there are none."""
    missing = untested()
    sys.stdout.write("".join(f"{rule} is named by no test\n" for rule in missing))
    sys.stdout.write(f"{len(stated()) - len(missing)} of {len(stated())} rules are named by a test\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
