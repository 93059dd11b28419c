"""Every refusal has a message in every language: each key that the code can answer with is in the catalogue.

The keys are read from the source, so that a new refusal without a message fails here.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion
from companion.games.shogun.deciding.correcting import SENTENCES
from companion.web.phrases import LANGUAGES
from tests.companion.web.catalogue import messages

ROOT = Path(companion.__file__).parent
PLACE_OF_KEY = {
    "must": 2,
    "demand": 2,
    "_require": 2,
    "Refused": 1,
    "Overrulable": 1,
    "TableRefusal": 0,
    "answer": 1,
    "Fault": 1,
    "StoreError": 2,
}
"""Calls that refuse, and which argument is the key; refusals with their own class call `__init__`."""
PASSED_ON = {
    "games/shogun/setup.py": {"key", "fault.key"},
    "games/shogun/deciding/correcting.py": {"problem"},
    "games/shogun/deciding/story.py": {"key"},
    "table/past/book.py": {"refused.key"},
    "table/desks/calibration.py": {"error.key"},
    "table/people/access.py": {"error.key"},
    "table/runtime.py": {"error.key"},
    "table/session.py": {"error.key"},
    "table/settings.py": {"key"},
    "web/host.py": {"refused.key"},
    "web/app.py": {"key", "error.key"},
}
"""Expressions for keys that are passed on, by file."""
BY_HTTP = {f"http_{code}" for code in (400, 403, 404, 405, 413, 415, 500)} | {"foreign_host"}
WRAPPERS = {"camera_trouble", "seat.you", "seat.by_rule"}
"""Messages around a translated sentence; no other may quote one, since the server's sentences are English."""


def _refusal_keys() -> Iterator[tuple[str, ast.expr]]:
    rooms = ("games/**/*.py", "store/*.py", "table/**/*.py", "web/*.py")
    files = [path for room in rooms for path in ROOT.glob(room)]
    for path in files:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        calls_in_refusals = {
            id(call) for node in ast.walk(tree) if _is_refusal(node) for call in ast.walk(node)
        }
        for call in ast.walk(tree):
            if isinstance(call, ast.Call):
                name = _name_of(call.func)
                if name == "answer" and isinstance(call.func, ast.Attribute):
                    continue  # an answer to a question, not a refusal
                at = 0 if name == "__init__" and id(call) in calls_in_refusals else PLACE_OF_KEY.get(name)
                if at is not None and len(call.args) > at:
                    yield path.relative_to(ROOT).as_posix(), call.args[at]


def _is_refusal(node: ast.AST) -> bool:
    return isinstance(node, ast.ClassDef) and any(_name_of(base) == "TableRefusal" for base in node.bases)


def _rule_refusals() -> Iterator[tuple[str, set[str]]]:
    """Yield the key of each refusal in Shogun's rules, with the names of its parameters."""
    for path in ROOT.glob("games/shogun/deciding/*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and _name_of(call.func) in ("must", "demand"):
                key = call.args[2]
                if isinstance(key, ast.Constant):
                    yield str(key.value), {str(keyword.arg) for keyword in call.keywords}


def _name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _constant_keys() -> set[str]:
    return (
        {str(key.value) for _, key in _refusal_keys() if isinstance(key, ast.Constant)}
        | BY_HTTP
        | set(SENTENCES)
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_its_message(language: str) -> None:
    keys = _constant_keys()
    assert len(keys) > 110
    missing = sorted(key for key in keys if f"error.{key}" not in messages(language))
    assert not missing


def test_keys_that_are_put_together_are_known() -> None:
    """A key that is not a constant is passed on from one that is."""
    unknown = [
        (file, ast.unparse(key))
        for file, key in _refusal_keys()
        if not isinstance(key, ast.Constant) and ast.unparse(key) not in PASSED_ON.get(file, set())
    ]
    assert unknown == []


def test_what_a_message_of_the_rules_names_comes_with_the_refusal() -> None:
    """Too few cubes: colour and number were missing, and every language fell back on the English sentence."""
    supplied_by = {"colour": {"colour", "more"}, "n": {"have"}}
    texts = messages("en")
    missing = [
        (key, name)
        for key, given in _rule_refusals()
        for name in re.findall(r"{(\w+)}", str(texts[f"error.{key}"]))
        if not supplied_by.get(name, {name}) & given
    ]
    assert missing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_quotes_a_sentence_that_is_only_known_in_english(language: str) -> None:
    """Six did: uncorrectable facts, boards, options, requests, and a disk that cannot be written."""
    quoting = {key for key, message in messages(language).items() if "{sentence}" in str(message)}
    assert quoting <= WRAPPERS
