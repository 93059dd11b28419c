"""The words that all games share."""

from companion.games.protocol import Refused


def test_a_refusal_names_its_rule_in_words() -> None:
    refusal = Refused("A-12", "one_stays", "At least one army stays behind.", province="omi")
    assert str(refusal) == "At least one army stays behind. (A-12)"
    assert refusal.params == {"province": "omi"}
