"""`labels.json` as people and scripts write it: read as meant, or rejected naming file and field."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from calibration.measuring.labels import LabelsError, entries_of, load_labels
from calibration.measuring.split import half

_PICTURE: dict[str, Any] = {"file": "a.jpg", "counts": {"red": 3}}
_SEQUENCE: dict[str, Any] = {"frames": ["a.jpg", "b.jpg"], "fps": 15, "motion_ends": 1, "counts": {"red": 3}}
_DEEP = 100_000


def write(folder: Path, body: object) -> None:
    (folder / "labels.json").write_text(json.dumps(body), encoding="utf-8")


def refusal_sentence(folder: Path) -> str:
    with pytest.raises(LabelsError) as caught:
        load_labels(folder)
    assert str(folder / "labels.json") in caught.value.sentence
    assert "\n" not in caught.value.sentence
    assert len(caught.value.sentence) < len(str(folder)) + 250
    return caught.value.sentence


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"counts": {"red": float("inf")}}, "`counts.red` is inf, not a whole number from 0 to 9999"),
        ({"counts": {"red": float("nan")}}, "`counts.red` is nan"),
        ({"counts": {"red": int("9" * 400)}}, "`counts.red` is 9999"),
        ({"counts": {"red": -7}}, "`counts.red` is -7"),
        ({"counts": {"red": 7.9}}, "`counts.red` is 7.9"),
        ({"counts": {"red": True}}, "`counts.red` is True"),
        ({"counts": {"red": "many"}}, "`counts.red` is 'many'"),
        ({"counts": [1, 2]}, "`counts` is [1, 2], not an object of colours and numbers"),
        ({"counts": {"Red": 3}}, "`counts` names 'Red' for 'red'"),
        ({"visible_counts": None}, "`visible_counts` is None"),
        ({"hidden": -1}, "`hidden` is -1"),
        ({"hidden": 1e400}, "`hidden` is inf"),
        ({"mat": "no"}, "`mat` is 'no', not true or false"),
        ({"light": ["warm"]}, "`light` is ['warm'], not a word"),
        ({"cube_mm": 0}, "`cube_mm` is 0, not a number from 1 to 100"),
        ({"cube_mm": float("nan")}, "`cube_mm` is nan"),
        ({"cube_mm": int("9" * 400)}, "`cube_mm` is 9999"),
        ({"file": ""}, "`file` is '', not the name of a file"),
        ({"file": 3}, "`file` is 3"),
        ({"file": "a\0.jpg"}, r"`file` is 'a\x00.jpg'"),
        ({"file": "\ud800.jpg"}, r"`file` is '\ud800.jpg'"),
    ],
)
def test_a_value_that_a_picture_cannot_have_is_one_sentence(
    tmp_path: Path, wrong: dict[str, object], said: str
) -> None:
    """Some used to be tracebacks; others were accepted, and made every figure wrong."""
    write(tmp_path, {"pictures": [_PICTURE, _PICTURE | wrong]})
    sentence = refusal_sentence(tmp_path)
    assert "picture 2" in sentence
    assert said in sentence


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"frames": "a.jpg"}, "`frames` is 'a.jpg', not a list of file names"),
        ({"frames": []}, "`frames` is []"),
        ({"frames": ["a.jpg", "\0"]}, "`frames` is"),
        ({"fps": 0}, "`fps` is 0, not a number from 0.01 to 10000"),
        ({"fps": -15}, "`fps` is -15"),
        ({"fps": float("nan")}, "`fps` is nan"),
        ({"fps": 1e-320}, "`fps` is 1e-320"),
        ({"motion_ends": 2}, "`motion_ends` is 2, not a whole number from 0 to 1"),
        ({"motion_ends": -1}, "`motion_ends` is -1"),
        ({"mat": 1}, "`mat` is 1"),
    ],
)
def test_a_value_that_a_sequence_cannot_have_is_one_sentence(
    tmp_path: Path, wrong: dict[str, object], said: str
) -> None:
    write(tmp_path, {"sequences": [_SEQUENCE | wrong]})
    sentence = refusal_sentence(tmp_path)
    assert "sequence 1" in sentence
    assert said in sentence


@pytest.mark.parametrize("again", ["a.jpg", "./a.jpg"])
def test_a_picture_that_is_named_twice_is_one_sentence(tmp_path: Path, again: str) -> None:
    """It used to be measured twice, with whatever two truths it was given."""
    write(tmp_path, {"pictures": [_PICTURE, _PICTURE | {"file": "b.jpg"}, {"file": again, "counts": {}}]})
    assert refusal_sentence(tmp_path).endswith(f": pictures 1 and 3 are the same file ('{again}').")


@pytest.mark.parametrize(
    "text", ["[" * _DEEP, '{"pictures": ' * _DEEP, '{"pictures": ' + "9" * 5000 + "}", "\xff", "", "\0"]
)
def test_a_file_that_is_no_json_is_one_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "labels.json").write_text(text, encoding="latin-1")
    assert "cannot be read" in refusal_sentence(tmp_path)


def test_what_spreadsheets_and_editors_write_is_read(tmp_path: Path) -> None:
    """A byte order mark, whole numbers with a decimal point, null for unknown values."""
    nothing = dict.fromkeys(("hidden", "mat", "light", "plastic", "tray", "cube_mm"))
    body = {"pictures": [_PICTURE | nothing | {"counts": {"red": 3.0}}]}
    (tmp_path / "labels.json").write_text(json.dumps(body), encoding="utf-8-sig")
    (picture,) = load_labels(tmp_path).pictures
    assert (picture.truth.counts, picture.truth.light, picture.truth.mat) == ({"red": 3}, "unknown", None)


@given(file=st.text(st.characters()))
@example(file="\ud800")
def test_any_name_has_its_half(file: str) -> None:
    assert half(file) in ("tune", "holdout")


@pytest.mark.parametrize(("name", "its_half"), [("a.jpg", "holdout"), ("b/a.jpg", "tune")])
def test_a_file_is_in_the_same_half_however_it_is_written(name: str, its_half: str) -> None:
    """`./a.jpg` was measured with the other half, though it had been trained on as `a.jpg`."""
    folder, _, last = name.rpartition("/")
    ways = [
        f"./{name}",
        f".//{name}",
        f"x/../{name}",
        f"{folder}/./{last}".lstrip("/"),
        name.replace("/", "\\"),
    ]
    assert {half(way) for way in (name, *ways)} == {its_half}


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_PARTS = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("file", "frames", "fps", "motion_ends", "hidden", "mat", "light", "cube_mm"), _JSON),
        "counts": st.dictionaries(st.sampled_from(["red", "Red", "ochre"]), _JSON) | _JSON,
        "visible_counts": _JSON,
    },
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=_PARTS, whole=st.sampled_from([{}, _PICTURE, _SEQUENCE]))
def test_whatever_it_holds_is_read_or_one_sentence(
    tmp_path: Path, parts: dict[str, object], whole: dict[str, object]
) -> None:
    """No other error is raised, and what is read is valid for measuring."""
    for of in ("pictures", "sequences"):
        write(tmp_path, {of: [{**whole, **parts}]})
        try:
            labels = load_labels(tmp_path)
        except LabelsError:
            continue
        truths = [*(p.truth for p in labels.pictures), *(s.truth for s in labels.sequences)]
        assert all(type(n) is int and n >= 0 for t in truths for n in (t.hidden, *t.counts.values()))
        assert all(0 <= s.motion_ends < len(s.frames) and s.fps > 0 for s in labels.sequences)
        entries_of(tmp_path, "tune")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=300))
def test_any_bytes_are_read_or_one_sentence(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "labels.json").write_bytes(data)
    for load in (load_labels, entries_of):
        with suppress(LabelsError):
            load(tmp_path)
