"""A command line that was typed wrong is told in one sentence with a remedy, as every other error is."""

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

_USAGE = 2


class OneSentence(argparse.ArgumentParser):
    """Its sub-parsers are of this kind too: argparse makes them so."""

    def error(self, message: str) -> NoReturn:
        """One line instead of the block of usage."""
        said = message.removeprefix("argument ").rstrip(".")
        self.exit(_USAGE, f"tenshu: {said[:1].upper()}{said[1:]}. Try `{self.prog} --help`.\n")

    def parse_known_args(  # type: ignore[override]  # argparse has overloads for other namespaces
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """What nobody knows is told by the command that it was given to, and not by `tenshu` itself."""
        known, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"There is no {' '.join(unknown)} here")
        return known, unknown


class Version(argparse.Action):
    """Asked only where it is wanted: to look it up takes as long as all else of `--help`."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """One line, and the end."""
        from importlib.metadata import version  # noqa: PLC0415 - see above

        print(f"tenshu {version('tenshu')}")  # noqa: T201 - what was asked for
        parser.exit()
