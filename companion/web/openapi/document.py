"""Builds an OpenAPI 3.1 document from the routes."""

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
"""Version of the API: the first number is the one in the URL; added keys raise the second."""
BASE = "/api/v1"
Json = dict[str, Any]
Mode = Literal["validation", "serialization"]
_SHORTER = {
    "companion__web__calibration__Answer": "CalibrationAnswer",
    "companion__web__requests__Answer": "PollAnswer",
}
_VARIABLE = re.compile(r"<(?:(\w+):)?(\w+)>")
_REFUSALS = {
    "400": "The Host header is not a name or address of this server.",
    "403": "Not allowed for this device: it has not joined, or lacks the key of the seat, camera or host.",
    "404": "Not found.",
    "409": "The table has changed, or the seat is taken; the answer includes the current table.",
    "413": "The body is too large.",
    "415": "The body must be JSON, or a picture where one is expected.",
    "422": "The request is invalid, or the rules forbid it.",
    "429": "Too many requests; retry later.",
    "503": "Too many devices, or Tenshu is shutting down; retry later.",
    "507": "The change could not be saved; nothing saved earlier is lost.",
}
_OF_GET = ("400", "403", "404", "422", "429")
_OF_POST = ("400", "403", "404", "409", "413", "415", "422", "429", "503", "507")
_KEYS = {
    "seat": ("X-Seat-Key", "From `POST seats/{seat}/take`."),
    "host": ("X-Host-Key", "From the host's link; not needed on the serving computer itself."),
    "joined": ("X-Join-Token", "From `POST join`; not needed with the key of a seat, or as the host."),
    "camera": ("X-Camera-Key", "From `POST camera/take`."),
}
_MORE = {
    "Last-Event-ID": "Id of the newest event that the client has.",
    "X-Camera-Invite": "From the camera code that the host shows; not needed by devices that have joined.",
    "X-Seat": "The seat to which `X-Seat-Key` belongs.",
    "X-Seat-Ticket": "From `POST seats/{seat}/ask`.",
}


def blueprint() -> Blueprint:
    """`GET /api/v1/openapi.json`."""
    bp = Blueprint("openapi", __name__, url_prefix=BASE)

    @cache
    def described() -> Json:  # cached, since it needs the schemas of all models
        return document(current_app)

    @bp.get("/openapi.json")
    def description() -> Response:
        return jsonify(described())

    return bp


def routes(app: Flask) -> list[Rule]:
    """Return the routes of the API, ordered by path."""
    return sorted((rule for rule in app.url_map.iter_rules() if rule.rule.startswith(BASE)), key=_order)


def document(app: Flask) -> Json:
    """Return the document for this app. Raises `KeyError` for a route that is missing in `OPERATIONS`."""
    paths: Json = {}
    for rule in routes(app):
        path = _VARIABLE.sub(r"{\2}", rule.rule.removeprefix(BASE))
        paths.setdefault(path, {})[_method(rule)] = _operation(rule, OPERATIONS[rule.endpoint])
    made = {
        "openapi": "3.1.0",
        "info": {
            "title": "Tenshu",
            "version": VERSION,
            "description": "The HTTP API of a table (docs/api.md). The pages use no other interface.",
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
    """Shorten the names of models that pydantic prefixed with their modules because they share a name."""
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
        return {"description": "The requested content.", "content": {answer: {"schema": schema}}}
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
    """Yield the model's fields as query parameters; null is dropped, as optional ones are simply omitted."""
    for name, schema in model.model_json_schema()["properties"].items():
        [told] = [one for one in schema.get("anyOf", [schema]) if one.get("type") != "null"]
        yield _asked(name, {key: value for key, value in told.items() if key != "title"})


@cache
def _modelled() -> tuple[dict[tuple[type[BaseModel], Mode], Json], Json]:
    """Return the references of all models, and the schemas they point to."""
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
