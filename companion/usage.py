"""Command-line errors in one sentence with a remedy, like every other error."""

import argparse
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from companion.errors import TenshuError
from vision.errors import one_line

_USAGE = 2
_REQUIRED = "the following arguments are required: "


class OneSentence(argparse.ArgumentParser):
    """A parser with one-sentence errors and examples; argparse gives its sub-parsers the same class."""

    examples: Sequence[tuple[str, str]] = ()
    """Command lines and what each is for; the first is suggested if a word is missing."""
    _suggestion = ""
    """The closest valid word to a wrong one, to be suggested."""

    def error(self, message: str) -> NoReturn:
        """Exit with one line instead of argparse's usage block."""
        sentence, remedy = message.removeprefix("argument ").rstrip("."), f"`{self.prog} --help`"
        if self._suggestion:
            remedy = f"`{self._suggestion}` or {remedy}"
        if message.startswith(_REQUIRED):
            missing = message.removeprefix(_REQUIRED)
            sentence = f"{missing} {'are' if ', ' in missing else 'is'} missing"
            if words := self._subcommand_words():
                sentence = f"`{self.prog}` wants one more word: {' or '.join(filter(None, words))}"
                remedy = " or ".join([*(f"`{line}`" for line, _ in self.examples[:1]), remedy])
        report = one_line(f"{sentence[:1].upper()}{sentence[1:]}. Try {remedy}.")
        self.exit(_USAGE, f"tenshu: {report}\n")

    def format_help(self) -> str:
        """Return the help text with the examples appended."""
        width = max((len(line) for line, _ in self.examples), default=0)
        example_lines = "".join(f"  {line:{width}}  {purpose}\n" for line, purpose in self.examples)
        return super().format_help() + (f"\nexamples:\n{example_lines}" if example_lines else "")

    def _subcommand_words(self) -> tuple[str, str] | None:
        """Return the possible words, all but the last joined and the last one; None if there are none."""
        choices = next((a.choices for a in self._actions if isinstance(a, argparse._SubParsersAction)), None)
        words = list(choices or ())
        return (", ".join(words[:-1]), words[-1]) if words else None

    def parse_known_args(  # type: ignore[override]  # argparse has overloads for other namespaces
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """Report unknown options from the sub-command they were given to, not from `tenshu` itself."""
        known, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self._suggestion = _closest_word(unknown[0].partition("=")[0], self._option_string_actions)
            self.error(f"There is no {' '.join(unknown)} here")
        return known, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        self._suggestion = _closest_word(str(value), map(str, action.choices or ()))
        super()._check_value(action, value)
        self._suggestion = ""


def _closest_word(word: str, words: Iterable[str]) -> str:
    """Return the closest word, or ""; compare without dashes, which would make all options look alike."""
    bare = {candidate.strip("-").lower(): candidate for candidate in words}
    return next((bare[match] for match in get_close_matches(word.strip("-").lower(), bare, 1)), "")


class NotTogether(TenshuError):
    """One option has no effect beside another, so its intent would be silently lost."""

    def __init__(self, option: str, idle: str) -> None:
        super().__init__(f"{idle} has no effect beside {option}.", f"Leave out {idle} or {option}.")


def options_given(args: argparse.Namespace, names: Iterable[str], **defaults: object) -> list[str]:
    """Return which of these options were given; `defaults`: default values other than None or False."""
    words = {name: name.strip("-").replace("-", "_") for name in names}
    return [
        name for name, word in words.items() if getattr(args, word) not in (None, False, defaults.get(word))
    ]


def refuse_together(args: argparse.Namespace, option: str, others: Iterable[str], **defaults: object) -> None:
    """Raise `NotTogether` if `option` and any of the others are given."""
    if options_given(args, [option]) and (idle := options_given(args, others, **defaults)):
        raise NotTogether(option, idle[0])


class Idle(TenshuError):
    """An option that only refines another was given without it, so its intent would be silently lost."""

    def __init__(self, option: str, needed: str) -> None:
        super().__init__(f"{option} has no effect without {needed}.", f"Add {needed}, or leave out {option}.")


def require_option(args: argparse.Namespace, needed: str, *options: str) -> None:
    """Raise `Idle` if any of `options` is given and `needed` is not."""
    if (idle := options_given(args, options)) and not options_given(args, [needed]):
        raise Idle(idle[0], needed)


class Version(argparse.Action):
    """Looks up the version lazily, because that takes as long as all the rest of `--help`."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """Print the version and exit."""
        from importlib.metadata import version  # noqa: PLC0415 - see above

        print(f"tenshu {version('tenshu')}")  # noqa: T201 - what was asked for
        parser.exit()
