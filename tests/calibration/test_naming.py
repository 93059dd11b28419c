"""Names of profiles in any script, and their file names."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from calibration.profiles.naming import name_of, normalised_name, stem_of

NAMES = st.text(min_size=1, max_size=45).map(normalised_name).filter(bool)


@given(name=NAMES)
def test_the_name_is_read_from_the_file_as_it_was_written(name: str) -> None:
    assert name_of(stem_of(name)) == name


@given(one=NAMES, other=NAMES)
def test_two_names_never_have_one_file(one: str, other: str) -> None:
    """Also on case-insensitive file systems."""
    assume(one != other)
    assert stem_of(one).casefold() != stem_of(other).casefold()


@given(name=NAMES)
def test_every_disk_takes_the_file(name: str) -> None:
    """Letters, digits, dashes and one underscore, with room for a step and an ending in 255 bytes."""
    assert re.fullmatch(r"[a-z0-9-]*_?[a-z0-9]+|[a-z0-9][a-z0-9-]*", stem_of(name))
    assert len(stem_of(name)) <= 214


@pytest.mark.parametrize("name", ["table", "living-room-2", "0"])
def test_plain_names_are_those_of_their_files(name: str) -> None:
    """As ever, so that existing profiles are still found."""
    assert stem_of(name) == name == normalised_name(name)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("  Кухня ", "Кухня"),
        ("Ku\u0308che", "Küche"),
        ("Ana \t Maria", "Ana Maria"),
        ("台所", "台所"),
        ("می\u200cز", "می\u200cز"),
        ("../../etc/passwd", "../../etc/passwd"),
    ],
)
def test_a_name_is_what_was_typed(typed: str, name: str) -> None:
    """Except for surrounding and repeated spaces, and decomposed accents."""
    assert normalised_name(typed) == name
    assert "/" not in stem_of(name)


@pytest.mark.parametrize("typed", ["", "  ", "a\x07", "x" * 41, "🎲" * 31, "\u202eelbat", "\udcff", "\u200c"])
def test_what_is_no_name(typed: str) -> None:
    """Empty, invisible or with a bell, too long, right-to-left override, an undecodable byte."""
    assert normalised_name(typed) is None


@pytest.mark.parametrize("stem", ["Kitchen", "_", "x_", "x_zz", "кухня", "table.old", stem_of("Küche")[1:]])
def test_a_file_that_no_profile_has_is_no_name(stem: str) -> None:
    assert name_of(stem) is None
