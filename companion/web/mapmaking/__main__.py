"""Redraws `companion/web/static/japan.json`; with `--search N` looks for better seeds first."""

import argparse
import json
from pathlib import Path

from companion.web.mapmaking.drawing import draw
from companion.web.mapmaking.placing import first_guess, load_seeds, save_seeds, search

MAP_FILE = Path(__file__).parents[1] / "static" / "japan.json"


def written() -> str:
    """The text of the map file."""
    return json.dumps(draw(load_seeds()), indent=0, separators=(",", ":")) + "\n"


def main() -> None:
    """Search for seeds if asked, and write the map file."""
    parser = argparse.ArgumentParser(prog="python -m companion.web.mapmaking", description=__doc__)
    parser.add_argument("--search", type=int, default=0, metavar="N", help="moves of seeds to try first")
    tries = parser.parse_args().search
    if tries:
        save_seeds(search(tries, seed=1, places=load_seeds(), start=first_guess()))
    MAP_FILE.write_text(written(), encoding="utf-8")


if __name__ == "__main__":
    main()
