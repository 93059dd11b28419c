"""`python -m companion.web.openapi`: print the API description as JSON, from an app with an empty table."""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from companion.games.registry import find
from companion.table.messages import NO_BOARD, NO_CAMERA, SensorSpec
from companion.table.runtime import Runtime, TableSpec
from companion.table.setups import open_board
from companion.web.app import create_app
from companion.web.openapi.document import document


def main() -> None:
    """Write the document to standard output."""
    argparse.ArgumentParser(prog="python -m companion.web.openapi", description=__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        spec = TableSpec("table", Path(folder), SensorSpec(NO_CAMERA, NO_BOARD), open_board())
        runtime = Runtime(spec, find("shogun"))
        try:
            json.dump(document(create_app(runtime)), sys.stdout, indent=1, ensure_ascii=False)
            sys.stdout.write("\n")
        finally:
            runtime.stop()


if __name__ == "__main__":
    main()
