"""From the routes to an OpenAPI 3.1 document."""

import json
import re
from collections.abc import Iterator
from functools import cache
from inspect import cleandoc
from typing import Any, Literal

from flask import Blueprint, Flask, Response, current_app, jsonify
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from werkzeug.routing import Rule

from companion.web.openapi.answers import Refused
from companion.web.openapi.operations import OPERATIONS, Op

VERSION = "1.5.0"
"""Of the interface: the first number is that of its address. Keys that come raise the second."""
BASE = "/api/v1"
Json = dict[str, Any]
Mode = Literal["validation", "serialization"]
_SHORTER = {
    "companion__web__calibration__Answer": "CalibrationAnswer",
    "companion__web__requests__Answer": "PollAnswer",
}
_VARIABLE = re.compile(r"<(?:(\w+):)?(\w+)>")
_REFUSALS = {
    "400": "A foreign Host header.",
    "403": "Not this device's to do: join first, or the seat, camera or host is another's.",
    "404": "There is no such thing.",
    "409": "The table has gone on, or it is taken; the present table comes along.",
    "413": "Too much at once.",
    "415": "JSON or a picture is wanted.",
    "422": "Not understood, or the rules forbid it.",
    "429": "Too often; wait.",
    "503": "Too many devices, or Tenshu is being ended; wait.",
    "507": "It could not be saved; nothing that was saved before is lost.",
}
_OF_GET = ("400", "403", "404", "422", "429")
_OF_POST = ("400", "403", "404", "409", "413", "415", "422", "429", "503", "507")
_KEYS = {
    "seat": ("X-Seat-Key", "From `POST seats/{seat}/take`."),
    "host": ("X-Host-Key", "In the host's link; on the computer that serves it is not needed."),
    "joined": ("X-Join-Token", "From `POST join`; not needed with the key of a seat, or as the host."),
    "camera": ("X-Camera-Key", "From `POST camera/take`."),
}
_MORE = {
    "Last-Event-ID": "The id of the newest event that is known.",
    "X-Camera-Invite": "From the code that the host shows for the camera; who joined needs none.",
    "X-Seat": "The seat that `X-Seat-Key` is of.",
    "X-Seat-Ticket": "From `POST seats/{seat}/ask`.",
}


def blueprint() -> Blueprint:
    """`GET /api/v1/openapi.json`."""
    bp = Blueprint("openapi", __name__, url_prefix=BASE)

    @cache
    def described() -> Json:  # all of the models are asked for it
        return document(current_app)

    @bp.get("/openapi.json")
    def description() -> Response:
        return jsonify(described())

    return bp


def routes(app: Flask) -> list[Rule]:
    """Those of the interface, in the order of their addresses."""
    return sorted((rule for rule in app.url_map.iter_rules() if rule.rule.startswith(BASE)), key=_order)


def document(app: Flask) -> Json:
    """The whole interface of this app. Raises `KeyError` for a route that `OPERATIONS` does not know."""
    paths: Json = {}
    for rule in routes(app):
        path = _VARIABLE.sub(r"{\2}", rule.rule.removeprefix(BASE))
        paths.setdefault(path, {})[_method(rule)] = _operation(rule, OPERATIONS[rule.endpoint])
    made = {
        "openapi": "3.1.0",
        "info": {
            "title": "Tenshu",
            "version": VERSION,
            "description": "The interface of a table (docs/api.md). The pages use nothing else.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": BASE}],
        "paths": paths,
        "components": {
            "schemas": _modelled()[1],
            "responses": {code: _refusal(says) for code, says in _REFUSALS.items()},
            "securitySchemes": {
                name: {"type": "apiKey", "in": "header", "name": header, "description": says}
                for name, (header, says) in _KEYS.items()
            },
        },
    }
    return _renamed(made)


def _renamed(made: Json) -> Json:
    """Two models of one name got their modules' names: shorter ones for people."""
    text = json.dumps(made)
    for long, short in _SHORTER.items():
        text = text.replace(f'"{long}"', f'"{short}"').replace(f'/{long}"', f'/{short}"')
    renamed: Json = json.loads(text)
    return renamed


def _operation(rule: Rule, op: Op) -> Json:
    get = _method(rule) == "get"
    refusals = (*(_OF_GET if get else _OF_POST), *(("503",) if rule.endpoint == "api.events" else ()))
    made: Json = {
        "operationId": rule.endpoint.replace(".", "_"),
        "tags": [rule.endpoint.partition(".")[0]],
        "summary": op.says,
        "parameters": [
            *(_parameter(kind, name) for kind, name in _VARIABLE.findall(rule.rule)),
            *(_more(header) for header in op.more),
            *(_asked(name, {"type": "string", "enum": list(of), "default": of[0]}) for name, of in op.query),
            *(_of_model(op.asks) if op.asks else ()),
        ],
        "responses": {
            "200": _answer(op.answer),
            **{code: {"$ref": f"#/components/responses/{code}"} for code in refusals},
        },
    }
    schemes = [name for name, (header, _) in _KEYS.items() if header in op.headers]
    if schemes:
        made["security"] = [{name: []} for name in schemes] + [{}]
    elif not get:
        made["security"] = [{"joined": []}, {}]
    if op.body is not None:
        content = {"application/json": {"schema": _ref(op.body, "validation")}}
        made["requestBody"] = {"required": not op.optional_body, "content": content}
    if op.uploads:
        binary = {"schema": {"type": "string", "format": "binary"}}
        made["requestBody"] = {"required": True, "content": dict.fromkeys(op.uploads, binary)}
    return made


def _answer(answer: type[BaseModel] | str) -> Json:
    if isinstance(answer, str):
        schema: Json = {"type": "object"} if answer == "application/json" else {"type": "string"}
        return {"description": "As asked.", "content": {answer: {"schema": schema}}}
    return {
        "description": cleandoc(answer.__doc__ or ""),
        "content": {"application/json": {"schema": _ref(answer, "serialization")}},
    }


def _refusal(says: str) -> Json:
    return {
        "description": says,
        "content": {"application/json": {"schema": _ref(Refused, "serialization")}},
    }


def _parameter(kind: str, name: str) -> Json:
    schema: Json = {"type": "integer", "minimum": 0} if kind == "int" else {"type": "string", "minLength": 1}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _more(header: str) -> Json:
    told = {"name": header, "in": "header", "description": _MORE[header]}
    return {**told, "required": False, "schema": {"type": "string"}}


def _asked(name: str, schema: Json) -> Json:
    return {"name": name, "in": "query", "required": False, "schema": schema}


def _of_model(model: type[BaseModel]) -> Iterator[Json]:
    """A query's values are words: what may be null is left away there."""
    for name, schema in model.model_json_schema()["properties"].items():
        [told] = [one for one in schema.get("anyOf", [schema]) if one.get("type") != "null"]
        yield _asked(name, {key: value for key, value in told.items() if key != "title"})


@cache
def _modelled() -> tuple[dict[tuple[type[BaseModel], Mode], Json], Json]:
    """References of all models, and the schemas they point to."""
    asked = {op.body for op in OPERATIONS.values() if op.body is not None}
    told = {op.answer for op in OPERATIONS.values() if not isinstance(op.answer, str)} | {Refused}
    inputs: list[tuple[type[BaseModel], Mode]] = [(model, "validation") for model in asked]
    outputs: list[tuple[type[BaseModel], Mode]] = [(model, "serialization") for model in told]
    by_name = sorted([*inputs, *outputs], key=lambda one: (one[0].__module__, one[0].__name__))
    references, made = models_json_schema(by_name, ref_template="#/components/schemas/{model}")
    found = {(model, mode): dict(references[model, mode]) for model, mode in by_name}
    return found, made["$defs"]


def _ref(model: type[BaseModel], mode: Mode) -> Json:
    return _modelled()[0][model, mode]


def _method(rule: Rule) -> str:
    return "get" if "GET" in (rule.methods or ()) else "post"


def _order(rule: Rule) -> tuple[str, str]:
    return rule.rule, _method(rule)
