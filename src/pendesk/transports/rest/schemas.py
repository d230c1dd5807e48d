"""JSON schemas of what the routes take and give, out of the operations' types."""

import re
from functools import cache
from typing import Any

import msgspec

from pendesk.domain.access import TOKEN_SCOPES
from pendesk.operations.operation import AnyOperation
from pendesk.operations.registry import OPERATIONS
from pendesk.transports.problems import SCHEMA
from pendesk.transports.rest.multipart import FILE, FORM
from pendesk.transports.rest.routes import RestRoute

Schema = dict[str, Any]

REF = "#/components/schemas/{name}"
# Told by headers as well, where a route takes no body.
BY_HEADER = {"idempotency_key": "Idempotency-Key", "expected_revision": "If-Match"}


def field_names(path: str) -> list[str]:
    return re.findall(r"{(\w+)}", path)


def reference(name: str) -> Schema:
    return {"$ref": REF.format(name=name)}


@cache
def components() -> dict[str, Schema]:
    types = [kind for each in OPERATIONS for kind in (each.input, each.output)]
    _, parts = msgspec.json.schema_components(types, ref_template=REF)
    return {"Error": SCHEMA, **{_short(name): _plain(part) for name, part in parts.items()}}


def name_of(kind: type) -> str:
    """A schema's name; of two types with one name, msgspec tells the module as well."""
    whole = f"{kind.__module__}.{kind.__qualname__}"
    return _short(whole) if _short(whole) in components() else kind.__name__


def properties(operation: AnyOperation) -> tuple[dict[str, Schema], list[str]]:
    """The fields of an input, and which of them are required."""
    schema = components()[name_of(operation.input)]
    return schema.get("properties", {}), schema.get("required", [])


def told(operation: AnyOperation) -> str:
    return f"{operation.description}\n\nScope: {operation.scope}. Role: {operation.role.word} or above."


def security(operation: AnyOperation) -> list[dict[str, list[str]]]:
    """A signed-in person may always; a token where one can have the scope."""
    scopes = [operation.scope.value]
    return [*([{"token": scopes}] if operation.scope in TOKEN_SCOPES else []), {"session": scopes}]


def body_schema(row: RestRoute, operation: AnyOperation) -> Schema:
    """The input without what the path says."""
    fields, required = properties(operation)
    here = [name for name in fields if name not in field_names(row.path)]
    return {
        "type": "object",
        "properties": {name: fields[name] for name in here},
        "required": [name for name in required if name in here],
        "additionalProperties": False,
    }


def _short(name: str) -> str:
    """`pendesk.operations.specs.list_specs.SpecRow` is ListSpecsSpecRow to the world."""
    *modules, own = name.split(".")
    return modules[-1].title().replace("_", "") + own if modules else own


def _plain(schema: Any) -> Any:
    """JSON Schema's patterns are ECMAScript's, which knows no \\A and \\Z."""
    if isinstance(schema, list):
        return [_plain(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: _plain_value(key, value) for key, value in schema.items() if key != "title" or isinstance(value, dict)}


def _plain_value(key: str, value: Any) -> Any:
    if key == "pattern" and isinstance(value, str):
        return value.replace(r"\A", "^").replace(r"\Z", "$")
    if key == "$ref":
        return REF.format(name=_short(value.rsplit("/", 1)[1]))
    return _plain(value)


def file_body(told: str, *kinds: str) -> Schema:
    part = {"type": "string", "format": "binary"}
    form = {"type": "object", "properties": {FILE: part}, "required": [FILE], "additionalProperties": False}
    told = f"{told}, or a form with it as its part `{FILE}`; other parts are fields, as in the query."
    content: Schema = {**{kind: {} for kind in kinds}, FORM: {"schema": form}}
    return {"required": True, "description": told, "content": content}
