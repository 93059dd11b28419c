"""The command line: `tenshu`."""

import argparse
import io
import sys
from importlib import import_module

from companion.usage import OneSentence

COMMANDS: tuple[str, ...] = (
    "demo",
    "serve",
    "count",
    "evaluate",
    "mat",
    "calibrate",
    "firmware",
    "doctor",
    "log",
    "synth",
)
"""Names of the modules in `companion.commands`, in the order `--help` shows them."""


def build_parser() -> argparse.ArgumentParser:
    """The whole command line, one sub-parser a command."""
    parser = OneSentence(
        prog="tenshu", description="Reads the cube tower of a board game and keeps the game beside the table."
    )
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in COMMANDS:
        module = import_module(f"companion.commands.{name}")
        sub = subparsers.add_parser(name, help=module.HELP, description=module.HELP)
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run one command; errors are one sentence with a remedy on stderr and exit status 2."""
    _let_any_name_be_printed()
    args = build_parser().parse_args(argv)
    try:
        return int(args.run(args))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 0
    except OSError as error:
        name = f" ({error.filename})" if error.filename else ""
        sys.stderr.write(
            f"tenshu: The system refused: {error.strerror or error}{name}. Try `tenshu doctor`.\n"
        )
        return 2
    except Exception as error:
        if not hasattr(error, "remedy"):
            raise
        sys.stderr.write(f"tenshu: {error}\n")
        return 2


def _let_any_name_be_printed() -> None:
    """A file name that is no UTF-8, or a terminal that knows only ASCII, must not end a command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
