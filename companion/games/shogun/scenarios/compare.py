"""Comparison of what a scenario expects with what the rules answer, field by field."""

from collections.abc import Iterator

from companion.games.protocol import Json

UNANSWERED = "not answered"


def differences(then: Json, found: Json) -> Iterator[str]:
    """Yield one sentence for each field that differs; fields that `then` does not name are not checked."""
    for name, wanted in then.items():
        is_own_supply = name == "supply" and isinstance(wanted, int)
        actual = found.get("own_supply" if is_own_supply else name, UNANSWERED)
        if not is_same(name, wanted, actual):
            yield f"{name}: wanted {wanted!r}, found {actual!r}"


def is_same(name: str, wanted: object, actual: object) -> bool:
    """Return whether two values are equal, ignoring zeros in piles, order within groups and of name lists."""
    if isinstance(wanted, dict) and isinstance(actual, dict):
        return _is_same_pile(name, wanted, actual)
    if isinstance(wanted, list) and isinstance(actual, list | tuple):
        return _is_same_list(name, wanted, list(actual))
    if name == "warn" and isinstance(actual, list | tuple):
        return wanted in actual
    return bool(wanted == actual) and isinstance(wanted, bool) == isinstance(actual, bool)


_ANY_ORDER = {
    "excluded",
    "buildings",
    "can_still_be_built",
    "groups_each",
    "out_this_round",
    "winners",
    "drawn_from",
    "hand",
    "pile_bottom_two",
    "in_play",
    "stock",
}
_CHECKED_IN_PART = {"card_of", "boards", "everyone_learns", "supply", "bank_of", "chests", "rice", "points"}


def _is_same_list(name: str, wanted: list[object], actual: list[object]) -> bool:
    if name == "warn":
        return set(map(str, wanted)) <= set(map(str, actual))
    if name == "groups":
        return [_sorted_group(group) for group in wanted] == [_sorted_group(group) for group in actual]
    if name == "order":  # a draft's order goes on for longer
        actual = actual[: len(wanted)]
    if name in _ANY_ORDER:
        return sorted(map(str, wanted)) == sorted(map(str, actual))
    return [_as_list(w) for w in wanted] == [_as_list(a) for a in actual]


def _as_list(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _sorted_group(group: object) -> object:
    return sorted(map(str, group)) if isinstance(group, list | tuple) else group


def _is_same_pile(name: str, wanted: Json, actual: Json) -> bool:
    keys = set(wanted) if name in _CHECKED_IN_PART or name.endswith("_sees") else set(wanted) | set(actual)
    for key in keys:
        wanted_value, actual_value = wanted.get(key), actual.get(key)
        if isinstance(wanted_value, dict) and isinstance(actual_value, dict):
            if not _is_same_pile("boards", wanted_value, actual_value):
                return False
        elif isinstance(wanted_value, list) and isinstance(actual_value, list | tuple):
            if not _is_same_list(name, wanted_value, list(actual_value)):
                return False
        elif (wanted_value or None) != (actual_value or None):
            return False
    return True
