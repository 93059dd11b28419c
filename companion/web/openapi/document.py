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
_SHORT_NAMES = {
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
_HEADERS = {
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
    return sorted((rule for rule in app.url_map.iter_rules() if rule.rule.startswith(BASE)), key=_sort_key)


def document(app: Flask) -> Json:
    """Return the document for this app. Raises `KeyError` for a route that is missing in `OPERATIONS`."""
    paths: Json = {}
    for rule in routes(app):
        path = _VARIABLE.sub(r"{\2}", rule.rule.removeprefix(BASE))
        paths.setdefault(path, {})[_method(rule)] = _operation(rule, OPERATIONS[rule.endpoint])
    description = {
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
            "schemas": _model_schemas()[1],
            "responses": {code: _refusal_response(says) for code, says in _REFUSALS.items()},
            "securitySchemes": {
                name: {"type": "apiKey", "in": "header", "name": header, "description": says}
                for name, (header, says) in _KEYS.items()
            },
        },
    }
    return _shorten_names(description)


def _shorten_names(description: Json) -> Json:
    """Shorten the names of models that pydantic prefixed with their modules because they share a name."""
    text = json.dumps(description)
    for long, short in _SHORT_NAMES.items():
        text = text.replace(f'"{long}"', f'"{short}"').replace(f'/{long}"', f'/{short}"')
    renamed: Json = json.loads(text)
    return renamed


def _operation(rule: Rule, op: Op) -> Json:
    get = _method(rule) == "get"
    refusals = (*(_OF_GET if get else _OF_POST), *(("503",) if rule.endpoint == "api.events" else ()))
    operation: Json = {
        "operationId": rule.endpoint.replace(".", "_"),
        "tags": [rule.endpoint.partition(".")[0]],
        "summary": op.says,
        "parameters": [
            *(_path_parameter(kind, name) for kind, name in _VARIABLE.findall(rule.rule)),
            *(_header_parameter(header) for header in op.more),
            *(
                _query_parameter(name, {"type": "string", "enum": list(of), "default": of[0]})
                for name, of in op.query
            ),
            *(_model_parameters(op.asks) if op.asks else ()),
        ],
        "responses": {
            "200": _answer_response(op.answer),
            **{code: {"$ref": f"#/components/responses/{code}"} for code in refusals},
        },
    }
    schemes = [name for name, (header, _) in _KEYS.items() if header in op.headers]
    if schemes:
        operation["security"] = [{name: []} for name in schemes] + [{}]
    elif not get:
        operation["security"] = [{"joined": []}, {}]
    if op.body is not None:
        content = {"application/json": {"schema": _schema_reference(op.body, "validation")}}
        operation["requestBody"] = {"required": not op.optional_body, "content": content}
    if op.uploads:
        binary = {"schema": {"type": "string", "format": "binary"}}
        operation["requestBody"] = {"required": True, "content": dict.fromkeys(op.uploads, binary)}
    return operation


def _answer_response(answer: type[BaseModel] | str) -> Json:
    if isinstance(answer, str):
        schema: Json = {"type": "object"} if answer == "application/json" else {"type": "string"}
        return {"description": "The requested content.", "content": {answer: {"schema": schema}}}
    return {
        "description": cleandoc(answer.__doc__ or ""),
        "content": {"application/json": {"schema": _schema_reference(answer, "serialization")}},
    }


def _refusal_response(says: str) -> Json:
    return {
        "description": says,
        "content": {"application/json": {"schema": _schema_reference(Refused, "serialization")}},
    }


def _path_parameter(kind: str, name: str) -> Json:
    schema: Json = {"type": "integer", "minimum": 0} if kind == "int" else {"type": "string", "minLength": 1}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _header_parameter(header: str) -> Json:
    parameter = {"name": header, "in": "header", "description": _HEADERS[header]}
    return {**parameter, "required": False, "schema": {"type": "string"}}


def _query_parameter(name: str, schema: Json) -> Json:
    return {"name": name, "in": "query", "required": False, "schema": schema}


def _model_parameters(model: type[BaseModel]) -> Iterator[Json]:
    """Yield the model's fields as query parameters; null is dropped, as optional ones are simply omitted."""
    for name, schema in model.model_json_schema()["properties"].items():
        [value_schema] = [option for option in schema.get("anyOf", [schema]) if option.get("type") != "null"]
        yield _query_parameter(name, {key: value for key, value in value_schema.items() if key != "title"})


@cache
def _model_schemas() -> tuple[dict[tuple[type[BaseModel], Mode], Json], Json]:
    """Return the references of all models, and the schemas they point to."""
    bodies = {op.body for op in OPERATIONS.values() if op.body is not None}
    answers = {op.answer for op in OPERATIONS.values() if not isinstance(op.answer, str)} | {Refused}
    inputs: list[tuple[type[BaseModel], Mode]] = [(model, "validation") for model in bodies]
    outputs: list[tuple[type[BaseModel], Mode]] = [(model, "serialization") for model in answers]
    by_name = sorted([*inputs, *outputs], key=lambda pair: (pair[0].__module__, pair[0].__name__))
    references, schemas = models_json_schema(by_name, ref_template="#/components/schemas/{model}")
    by_model = {(model, mode): dict(references[model, mode]) for model, mode in by_name}
    return by_model, schemas["$defs"]


def _schema_reference(model: type[BaseModel], mode: Mode) -> Json:
    return _model_schemas()[0][model, mode]


def _method(rule: Rule) -> str:
    return "get" if "GET" in (rule.methods or ()) else "post"


def _sort_key(rule: Rule) -> tuple[str, str]:
    return rule.rule, _method(rule)
