"""Print the reference page of all commands, made from the command line: `python -m companion.reference`."""

import argparse
import sys

from companion.cli import build_parser
from companion.usage import OneSentence

_HEAD = """# Commands

Made from the command line itself by `make docs`; do not edit. `tenshu COMMAND --help` says the same.

Errors are one sentence with a remedy on stderr and exit status 2.
"""


def commands_page() -> str:
    """Return the page as Markdown; a test compares it with `docs/commands.md`."""
    return _HEAD + "".join(_section(name, parser) for name, parser in _commands().items())


def _commands() -> dict[str, argparse.ArgumentParser]:
    # argparse has no public access to its sub-parsers.
    groups = [a for a in build_parser()._actions if isinstance(a, argparse._SubParsersAction)]
    return {name: parser for group in groups for name, parser in group.choices.items()}


def _section(name: str, parser: argparse.ArgumentParser) -> str:
    actions = [a for a in parser._actions if not isinstance(a, argparse._HelpAction)]
    nested = [a for a in actions if isinstance(a, argparse._SubParsersAction)]
    lines = [f"\n## tenshu {name}\n\n{_sentence(parser.description or '')}\n"]
    rows = [f"| `{_usage(a)}` | {_sentence(a.help or '')} |\n" for a in actions if a not in nested]
    if rows:
        lines += ["\n| argument | meaning |\n|---|---|\n", *rows]
    examples = parser.examples if isinstance(parser, OneSentence) else ()
    if examples:
        lines += ["\n| example | for |\n|---|---|\n"]
        lines += [f"| `{line}` | {_sentence(purpose)} |\n" for line, purpose in examples]
    lines += [_section(f"{name} {word}", sub) for group in nested for word, sub in group.choices.items()]
    return "".join(lines)


def _usage(action: argparse.Action) -> str:
    metavar = action.metavar or _choices(action) or action.dest.upper()
    value = "" if action.nargs == 0 else " ".join(metavar) if isinstance(metavar, tuple) else metavar
    if action.nargs == "+":
        value += "…"
    usage = ", ".join(f"{flag} {value}".strip() for flag in action.option_strings) or value
    return usage.replace("|", "\\|")


def _choices(action: argparse.Action) -> str:
    return "{" + ",".join(str(choice) for choice in action.choices) + "}" if action.choices else ""


def _sentence(text: str) -> str:
    text = text.replace("%%", "%").replace("|", "\\|")
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") or not text else ".")


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m companion.reference", description=__doc__).parse_args()
    sys.stdout.write(commands_page())
