"""Whatever ails a camera is said in every language: each trouble that a source can have has its message."""

import ast
from pathlib import Path

import pytest

import companion.web
import vision.sources
from companion.table.messages import OF_PROCESS
from companion.web.phrases import LANGUAGES
from tests.companion.web.catalogue import messages

SOURCES = Path(vision.sources.__file__).parent
PLACES = (
    *SOURCES.glob("*.py"),
    SOURCES.parent / "pictures.py",
    *(Path(companion.web.__file__).parents[1] / "table").glob("**/*.py"),
)
CALLS = {"CameraError": 2, "CameraSays": 3, "PhoneTrouble": 0, "PictureError": 2, "Checked": 4}
"""What says it, and which argument is the key."""
BARE = {"CameraSays": 1, "Checked": 2}
"""So many arguments say that all is well."""


def _keys() -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for path in PLACES:
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
                continue
            at = CALLS.get(call.func.id)
            if at is None or len(call.args) <= BARE.get(call.func.id, 0):
                continue
            key = call.args[at] if len(call.args) > at else ast.Constant(value="")
            if isinstance(key, ast.Constant):
                found.append((f"{path.name}:{call.lineno}", str(key.value)))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_trouble_of_a_camera_or_a_picture_has_its_message(language: str) -> None:
    said = messages(language)
    keys = [*_keys(), *(("OF_PROCESS", key) for key in OF_PROCESS)]
    assert len(keys) > 25
    assert [(place, key) for place, key in keys if f"trouble.{key}" not in said] == []
