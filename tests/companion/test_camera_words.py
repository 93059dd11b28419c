"""Whatever ails a camera is said in every language: each trouble that a source can have has its message."""

import ast
from pathlib import Path

import pytest

import companion.web
import vision.sources
from companion.table.messages import PROCESS_TROUBLES
from companion.web.phrases import LANGUAGES
from tests.companion.web.catalogue import messages

SOURCES = Path(vision.sources.__file__).parent
SOURCE_FILES = (
    *SOURCES.glob("*.py"),
    SOURCES.parent / "pictures.py",
    *(Path(companion.web.__file__).parents[1] / "table").glob("**/*.py"),
)
KEY_POSITIONS = {"CameraError": 2, "CameraSays": 3, "PhoneTrouble": 0, "PictureError": 2, "Checked": 4}
"""What says it, and which argument is the key."""
ARGUMENTS_IF_WELL = {"CameraSays": 1, "Checked": 2}
"""So many arguments say that all is well."""


def _trouble_keys() -> list[tuple[str, str]]:
    keys: list[tuple[str, str]] = []
    for path in SOURCE_FILES:
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
                continue
            position = KEY_POSITIONS.get(call.func.id)
            if position is None or len(call.args) <= ARGUMENTS_IF_WELL.get(call.func.id, 0):
                continue
            key = call.args[position] if len(call.args) > position else ast.Constant(value="")
            if isinstance(key, ast.Constant):
                keys.append((f"{path.name}:{call.lineno}", str(key.value)))
    return keys


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_trouble_of_a_camera_or_a_picture_has_its_message(language: str) -> None:
    texts = messages(language)
    keys = [*_trouble_keys(), *(("OF_PROCESS", key) for key in PROCESS_TROUBLES)]
    assert len(keys) > 25
    assert [(place, key) for place, key in keys if f"trouble.{key}" not in texts] == []
