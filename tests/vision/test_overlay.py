"""The letters that are drawn onto cubes."""

import pytest

from vision.overlay import colour_letters


def test_blue_is_b_and_black_k_as_in_printing() -> None:
    letters = colour_letters(("red", "blue", "black", "brown"))
    assert letters == {"red": "R", "blue": "B", "black": "K", "brown": "Br"}


@pytest.mark.parametrize(
    ("colours", "letters"),
    [
        (("red", "r"), ("Re", "R")),
        (("青緑", "青"), ("青緑", "青")),
        (("black", "k"), ("B", "K")),
        (("red", "re", "r"), ("Re", "R2", "R")),
        (("rr", "rrr", "r"), ("Rr", "R2", "R")),
    ],
)
def test_any_names_get_letters_of_their_own(colours: tuple[str, ...], letters: tuple[str, ...]) -> None:
    """Names that begin alike, one letter of which may be a whole name."""
    found = colour_letters(colours)
    assert len(set(found.values())) == len(colours)
    assert found == dict(zip(colours, letters, strict=True))
