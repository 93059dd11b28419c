"""A command line that was typed wrong is told in one sentence with a remedy, as every other error is."""

import argparse
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from companion.errors import TenshuError
from vision.errors import one_line

_USAGE = 2
_REQUIRED = "the following arguments are required: "


class OneSentence(argparse.ArgumentParser):
    """Its sub-parsers are of this kind too: argparse makes them so."""

    examples: Sequence[tuple[str, str]] = ()
    """Command lines, and what each is for; where a word is missing the first is what to try."""
    _meant = ""
    """What is written nearly so, and may stand where the wrong word stood."""

    def error(self, message: str) -> NoReturn:
        """One line instead of the block of usage."""
        said, remedy = message.removeprefix("argument ").rstrip("."), f"`{self.prog} --help`"
        if self._meant:
            remedy = f"`{self._meant}` or {remedy}"
        if message.startswith(_REQUIRED):
            missing = message.removeprefix(_REQUIRED)
            said = f"{missing} {'are' if ', ' in missing else 'is'} missing"
            if words := self._words():
                said = f"`{self.prog}` wants one more word: {' or '.join(filter(None, words))}"
                remedy = " or ".join([*(f"`{line}`" for line, _ in self.examples[:1]), remedy])
        told = one_line(f"{said[:1].upper()}{said[1:]}. Try {remedy}.")
        self.exit(_USAGE, f"tenshu: {told}\n")

    def format_help(self) -> str:
        """With the examples below."""
        width = max((len(line) for line, _ in self.examples), default=0)
        shown = "".join(f"  {line:{width}}  {purpose}\n" for line, purpose in self.examples)
        return super().format_help() + (f"\nexamples:\n{shown}" if shown else "")

    def _words(self) -> tuple[str, str] | None:
        """What may stand here, all but the last and the last; None where no word is asked for."""
        found = next((a.choices for a in self._actions if isinstance(a, argparse._SubParsersAction)), None)
        words = list(found or ())
        return (", ".join(words[:-1]), words[-1]) if words else None

    def parse_known_args(  # type: ignore[override]  # argparse has overloads for other namespaces
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """What nobody knows is told by the command that it was given to, and not by `tenshu` itself."""
        known, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self._meant = _nearest(unknown[0].partition("=")[0], self._option_string_actions)
            self.error(f"There is no {' '.join(unknown)} here")
        return known, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        self._meant = _nearest(str(value), map(str, action.choices or ()))
        super()._check_value(action, value)
        self._meant = ""


def _nearest(word: str, words: Iterable[str]) -> str:
    """The dashes of an option alone make none like another."""
    bare = {one.strip("-").lower(): one for one in words}
    return next((bare[one] for one in get_close_matches(word.strip("-").lower(), bare, 1)), "")


class NotTogether(TenshuError):
    """Two options of which one has no effect beside the other: what was meant by it would be lost."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{other} has no effect beside {one}.", f"Leave out {other} or {one}.")


def given(args: argparse.Namespace, names: Iterable[str], **defaults: object) -> list[str]:
    """Which of these options say something; `defaults`: what others say that were left away."""
    words = {name: name.strip("-").replace("-", "_") for name in names}
    return [
        name for name, word in words.items() if getattr(args, word) not in (None, False, defaults.get(word))
    ]


def alone(args: argparse.Namespace, one: str, others: Iterable[str], **defaults: object) -> None:
    """Raises `NotTogether` where `one` is given and any of the others is."""
    if given(args, [one]) and (idle := given(args, others, **defaults)):
        raise NotTogether(one, idle[0])


class Idle(TenshuError):
    """An option that only says more of another, which was left away: what was meant by it would be lost."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one} has no effect without {other}.", f"Add {other}, or leave out {one}.")


def only_with(args: argparse.Namespace, other: str, *ones: str) -> None:
    """Raises `Idle` where any of `ones` is given and `other` is not."""
    if (idle := given(args, ones)) and not given(args, [other]):
        raise Idle(idle[0], other)


class Version(argparse.Action):
    """Asked only where it is wanted: to look it up takes as long as all else of `--help`."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """One line, and the end."""
        from importlib.metadata import version  # noqa: PLC0415 - see above

        print(f"tenshu {version('tenshu')}")  # noqa: T201 - what was asked for
        parser.exit()
