"""The `tenshu` command line. Slow imports happen inside `main`, where Ctrl-C is handled from the start."""

import sys
from errno import EACCES, EDQUOT, ENOSPC, EPERM
from typing import TYPE_CHECKING

from companion import streams

if TYPE_CHECKING:
    import argparse

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
"""Names of the modules in `companion.commands`, in the order of `--help`."""
_OWN_PACKAGES = frozenset({"vision", "calibration", "firmware", "companion"})
_INSTALL_AGAIN = (
    "Remove the folder .venv and run `make .venv/run`; without make see README.md (*Install it*)."
)


def build_parser() -> "argparse.ArgumentParser":
    """Return the whole command line, with one sub-parser per command."""
    from importlib import import_module  # noqa: PLC0415 - see above

    from companion.usage import OneSentence, Version  # noqa: PLC0415

    parser = OneSentence(
        prog="tenshu", description="Reads the cube tower of a board game and keeps the game beside the table."
    )
    parser.add_argument("--version", action=Version, nargs=0, help="show the version of Tenshu")
    parser.examples = (("tenshu demo", "the whole product, no hardware"), ("tenshu serve", "a real table"))
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in COMMANDS:
        module = import_module(f"companion.commands.{name}")
        sub = subparsers.add_parser(name, help=module.HELP, description=module.HELP)
        sub.examples = getattr(module, "EXAMPLES", ())
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run one command; errors are one sentence with a remedy on stderr, and exit status 2."""
    streams.make_ready()
    try:
        return _run(argv)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 0
    except ImportError as error:
        if (error.name or "").partition(".")[0] in _OWN_PACKAGES:
            raise
        return _report_error(f"A library that Tenshu needs does not load ({error}). {_INSTALL_AGAIN}")
    except OSError as error:
        return _report_error(_system_refusal(error))
    except Exception as error:
        if not hasattr(error, "remedy"):
            raise
        return _report_error(str(error))
    finally:
        streams.redirect_unwritable()


def _run(argv: list[str] | None) -> int:
    try:
        args = build_parser().parse_args(argv)
        return int(args.run(args))
    finally:
        sys.stdout.flush()  # here, where a full disk can still be reported


def _report_error(sentence: str) -> int:
    """Print an error on one line, whatever file names it contains, and return the exit status."""
    from vision.errors import one_line  # noqa: PLC0415 - see above

    streams.say(f"tenshu: {one_line(sentence)}\n")
    return 2


def _system_refusal(error: OSError) -> str:
    name = f" ({error.filename})" if error.filename else ""
    remedy = "Try `tenshu doctor`."
    if error.errno in (ENOSPC, EDQUOT):
        remedy = "Free some space there, or write elsewhere."
    elif error.errno in (EACCES, EPERM):
        remedy = "Give yourself permission to read and write there, or name another place."
    return f"The system refused: {error.strerror or error}{name}. {remedy}"
