"""Convert frozen dataclasses to JSON and back by their type hints, with one function each way."""

import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

from companion.games.protocol import Json
from companion.games.snake import snake

Made = TypeVar("Made")


def to_json(value: object) -> Any:
    """Return plain JSON for a dataclass, enum, tuple, set, mapping, number, string, boolean or None."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_json(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(to_json(k)): to_json(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(v) for v in value]
    if isinstance(value, set | frozenset):
        return sorted(to_json(v) for v in value)
    return value


def from_json(target: type[Made], body: Json) -> Made:
    """Return the dataclass that `body` encodes. Raise ValueError with a readable sentence if it cannot."""
    result: Made = _read_dataclass(target, body)
    return result


def kinds_of(union: object) -> Mapping[str, type[Any]]:
    """Return the classes of a union, keyed by their `kind` in JSON."""
    return {snake(kind.__name__): kind for kind in get_args(union)}


def to_kind(value: object) -> Json:
    """Return a member of a union as JSON, with its `kind`."""
    return {"kind": snake(type(value).__name__), **to_json(value)}


def from_kind(kinds: Mapping[str, type[Any]], body: object, unknown: str) -> Any:
    """Return the union member that `kind` names. Raise ValueError, saying `unknown` for an unknown kind."""
    target = kinds.get(str(body.get("kind"))) if isinstance(body, dict) else None
    if target is None:
        raise ValueError(unknown)
    return _read_dataclass(target, body)


@cache
def _hints(target: type) -> dict[str, Any]:
    return get_type_hints(target)


def _read_dataclass(target: type, body: object) -> Any:
    if not isinstance(body, dict):
        raise ValueError(f"{target.__name__} is given by its fields.")
    known: dict[str, Field[Any]] = {f.name: f for f in fields(target)}
    extra = set(body) - set(known) - {"kind"}
    if extra:
        raise ValueError(f"{target.__name__} has no {sorted(map(str, extra))[0][:40]!r}.")
    hints = _hints(target)
    arguments: dict[str, Any] = {}
    for name, spec in known.items():
        if name in body:
            arguments[name] = _read_value(hints[name], body[name], f"{target.__name__}.{name}")
        elif spec.default is MISSING and spec.default_factory is MISSING:
            raise ValueError(f"{target.__name__} needs {name!r}.")
    return target(**arguments)


def _read_value(hint: Any, raw: Any, where: str) -> Any:
    if isinstance(hint, NewType):
        hint = hint.__supertype__
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return _read_union(get_args(hint), raw, where)
    if origin is not None:
        return _read_collection(origin, get_args(hint), raw, where)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _read_enum(hint, raw, where)
    if isinstance(hint, type) and is_dataclass(hint):
        return _read_dataclass(hint, raw)
    return _read_plain(hint, raw, where)


def _read_enum(hint: type[Enum], raw: Any, where: str) -> Enum:
    try:
        return hint(raw)
    except ValueError:
        raise ValueError(f"{where} cannot be {str(raw)[:40]!r}.") from None


def _read_plain(hint: type, raw: Any, where: str) -> Any:
    is_right_type = isinstance(raw, hint) and (hint is bool or not isinstance(raw, bool))
    if not is_right_type:
        raise ValueError(f"{where} is {_NAMES.get(hint, hint.__name__)}, not {str(raw)[:40]!r}.")
    if hint is int and abs(raw) > _LARGEST:
        raise ValueError(f"{where} is too large a number.")
    return raw


_NAMES = {int: "a whole number", str: "a text", bool: "true or false"}
_LARGEST = 2**62


def _read_union(options: tuple[Any, ...], raw: Any, where: str) -> Any:
    if raw is None and type(None) in options:
        return None
    reasons: list[str] = []
    for option in options:
        if option is type(None):
            continue
        try:
            return _read_value(option, raw, where)
        except ValueError as error:
            reasons.append(str(error))
    raise ValueError(reasons[0] if len(reasons) == 1 else f"{where} cannot be {str(raw)[:40]!r}.")


def _read_collection(origin: Any, args: tuple[Any, ...], raw: Any, where: str) -> Any:
    if origin is tuple:
        if not isinstance(raw, list | tuple):
            raise ValueError(f"{where} is a list.")
        if args and args[-1] is not Ellipsis:
            if len(raw) != len(args):
                raise ValueError(f"{where} is a list of {len(args)}.")
            return tuple(_read_value(hint, item, where) for hint, item in zip(args, raw, strict=True))
        return tuple(_read_value(args[0], item, where) for item in raw)
    if not isinstance(raw, dict):
        raise ValueError(f"{where} is given by names and values.")
    return {_read_value(args[0], k, where): _read_value(args[1], v, where) for k, v in raw.items()}
