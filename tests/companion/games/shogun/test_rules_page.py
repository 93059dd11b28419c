"""The rules page and the tests refer to the same rules."""

from tests import rules


def test_every_rule_is_named_by_a_test() -> None:
    assert rules.untested() == []


def test_the_page_states_all_rules_once() -> None:
    stated = rules.stated()
    assert len(stated) == len(set(stated)) == 151
    assert rules.cited() <= set(stated)


def test_the_report_is_empty() -> None:
    assert rules.main() == 0
