"""`tenshu demo`: the whole product without hardware."""

import argparse

from companion.commands.serving import Serving, add_web_arguments, serve

HELP = "the whole product with no hardware: embedded tray pictures, a simulated drop sensor, a battle ready"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add where to listen, whether to start afresh, and which simulated sensor to use."""
    add_web_arguments(parser, host="127.0.0.1")
    parser.add_argument("--new", action="store_true", help="start afresh, not where the last demo ended")
    parser.add_argument(
        "--board", action="store_true", help="the load cell's real program, on a simulated chip (simavr)"
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open the page")


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from companion.demo.table import FIRST, OPTIONS
    from companion.table.messages import SensorSpec

    if args.board:
        from firmware.sim.build import build

        build()  # fails before anything starts
    return serve(
        Serving(
            table="demo",
            sensors=SensorSpec(camera="demo", port="board" if args.board else "demo"),
            options=OPTIONS,
            first=FIRST,
            anew=args.new,
            open_browser=not args.no_browser,
        ),
        args,
    )
